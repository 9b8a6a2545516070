// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/data_decoder.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "reference/archive/encode.h"

namespace pmproof::archive {
namespace {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}
  std::uint32_t Below(std::uint64_t count) { return static_cast<std::uint32_t>(random_() % count); }
  bool In(std::uint64_t count) { return Below(count) == 0; }

 private:
  std::mt19937_64 random_;
};

// Sets of every form: errors, none, insitu, numbers in blocks, texts.
ResultModel RandomResult(Chance& chance) {
  ResultModel result;
  const std::uint32_t sets = 8 + chance.Below(12);
  for (std::uint32_t i = 0; i < sets; ++i) {
    ValueSetModel& set = result.sets.emplace_back();
    set.pmid = Pmid::Of(29, 0, i);
    if (chance.In(6)) {
      set.status = chance.In(2) ? 0 : -12350;
      continue;
    }
    set.format = chance.In(3) ? kInsitu : kDynamic;
    const bool texts = chance.In(3);
    const std::uint32_t count = 1 + chance.Below(chance.In(8) ? 100 : 9);
    for (std::uint32_t k = 0; k < count; ++k) {
      ValueModel& value = set.values.emplace_back();
      value.instance = static_cast<std::int32_t>(k);
      value.value = k;
      if (set.format == kInsitu) continue;
      BlockModel block{static_cast<std::uint8_t>(MetricType::kU64), std::string(8, 'n'), {}};
      if (texts) block = {static_cast<std::uint8_t>(MetricType::kString), "", {}};
      if (texts) block.payload.assign(chance.Below(14), 't');
      value.value = std::move(block);
    }
  }
  return result;
}

Buffer BytesOf(const ResultModel& result, int version) {
  Buffer bytes;
  AppendResult(result, version, &bytes);
  bytes.shrink_to_fit();  // so that sanitizers see its end
  return bytes;
}

void Damage(Chance& chance, Buffer* bytes) {
  const std::uint32_t words = static_cast<std::uint32_t>(bytes->size() / 4) - 1;
  // The fields of the first sets more often than the many values.
  const std::uint32_t word = 1 + chance.Below(chance.In(2) ? words - 1 : std::min(words - 1, 40U));
  std::uint8_t* at = bytes->data() + 4 * std::size_t{word};
  const std::uint32_t old = LoadU32(at);
  switch (chance.Below(4)) {
    case 0:
      return StoreU32(at, old + (chance.In(2) ? 1 : -1));
    case 1:
      return StoreU32(at, old ^ (1U << chance.Below(32)));
    case 2:
      return StoreU32(at, chance.Below(words + 10));
    default:
      at[chance.Below(4)] = static_cast<std::uint8_t>(chance.Below(256));
  }
}

// What a reader sees of a record.
std::string TextOf(const std::optional<DataRecord>& decoded) {
  if (!decoded) return "refused";
  std::string text = std::to_string(decoded->time.seconds) + "." +
                     std::to_string(decoded->time.nanoseconds) + " " +
                     std::to_string(decoded->sets) + " " + std::to_string(decoded->sets_end);
  decoded->ForEachSet([&](const ValueSet& set) {
    text += " " + std::to_string(set.offset()) + ":" + std::to_string(set.numval());
  });
  return text;
}

std::string Plainly(const Buffer& bytes, int version) {
  IgnoringReporter ignored;
  return TextOf(DecodeDataRecord({bytes, 0, 0, 0}, version, ignored));
}

// The parameter: with the plainest vectors.
class DataDecoderTest : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Vectors, DataDecoderTest, ::testing::Bool());

TEST_P(DataDecoderTest, DecodesAsIfEachRecordWereTheFirst) {
  Chance chance(1);
  std::uint64_t recognized = 0;
  std::uint64_t refused = 0;
  for (int i = 0; i < 3000; ++i) {
    DataDecoder decoder(GetParam());
    const int version = chance.In(2) ? 2 : 3;
    const Buffer sound = BytesOf(RandomResult(chance), version);
    for (int k = 0; k < 12; ++k) {
      Buffer bytes = sound;
      const bool other = k > 4 && chance.In(8);
      if (other) bytes = BytesOf(RandomResult(chance), version);
      for (std::uint32_t edits = chance.Below(k > 4 ? 4 : 2); edits > 0; --edits)
        Damage(chance, &bytes);
      const std::string expected = Plainly(bytes, version);
      ASSERT_EQ(TextOf(decoder.Decode({bytes, 0, 0, 0}, version)), expected) << i << " " << k;
      if (expected == "refused") ++refused;
    }
    recognized += decoder.recognized();
  }
  EXPECT_GT(recognized, 8000U);
  EXPECT_GT(refused, 4000U);
}

// Every bit of a record whose structure is known.
TEST_P(DataDecoderTest, NoticesEachBitThatMatters) {
  Chance chance(2);
  for (const int version : {2, 3}) {
    const Buffer sound = BytesOf(RandomResult(chance), version);
    DataDecoder decoder(GetParam());
    for (int i = 0; i < 3; ++i) decoder.Decode({sound, 0, 0, 0}, version);
    ASSERT_EQ(decoder.recognized(), 1U);
    for (std::size_t bit = 0; bit < 8 * (sound.size() - kLengthWord); ++bit) {
      Buffer bytes = sound;
      bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
      ASSERT_EQ(TextOf(decoder.Decode({bytes, 0, 0, 0}, version)), Plainly(bytes, version)) << bit;
      decoder.Decode({sound, 0, 0, 0}, version);
    }
    EXPECT_GT(decoder.recognized(), sound.size() * 8);
  }
}

// Records of a length that differ each time cost no more than a few structures.
TEST_P(DataDecoderTest, LearnsNoMoreThanItGains) {
  Chance chance(3);
  DataDecoder decoder(GetParam());
  std::vector<Buffer> records;
  for (std::uint32_t i = 0; i < 40; ++i) {
    ResultModel result;
    for (std::uint32_t k = 0; k < 20; ++k) {
      ValueSetModel& set = result.sets.emplace_back();
      set.pmid = Pmid::Of(29, 0, k);
      // 10 of the 20 sets have two values, a different ten each time.
      const std::uint32_t count = (k + i) % 20 < 10 ? 2 : 1;
      for (std::uint32_t n = 0; n < count; ++n)
        set.values.push_back({static_cast<std::int32_t>(n), 7U});
    }
    records.push_back(BytesOf(result, 3));
    EXPECT_EQ(TextOf(decoder.Decode({records.back(), 0, 0, 0}, 3)), Plainly(records.back(), 3));
  }
  EXPECT_EQ(decoder.learned(), 4U);
}

// The memory behind a shorter record is as if it went on.
TEST_P(DataDecoderTest, AnotherLengthIsAnotherStructure) {
  Chance chance(5);
  const Buffer sound = BytesOf(RandomResult(chance), 3);
  DataDecoder decoder(GetParam());
  for (int i = 0; i < 3; ++i) decoder.Decode({sound, 0, 0, 0}, 3);
  for (std::size_t cut = 4; cut <= 64; cut += 4) {
    const Buffer shorter(sound.begin(), sound.end() - static_cast<std::ptrdiff_t>(cut));
    EXPECT_EQ(TextOf(decoder.Decode({Bytes(sound).first(shorter.size()), 0, 0, 0}, 3)),
              Plainly(shorter, 3));
    Buffer longer = sound;
    longer.resize(sound.size() + cut);
    EXPECT_EQ(TextOf(decoder.Decode({longer, 0, 0, 0}, 3)), Plainly(longer, 3));
  }
  EXPECT_EQ(decoder.recognized(), 1U);
}

TEST_P(DataDecoderTest, AnotherVersionIsAnotherStructure) {
  Chance chance(4);
  const Buffer bytes = BytesOf(RandomResult(chance), 3);
  DataDecoder decoder(GetParam());
  for (int i = 0; i < 3; ++i) decoder.Decode({bytes, 0, 0, 0}, 3);
  EXPECT_EQ(TextOf(decoder.Decode({bytes, 0, 0, 0}, 2)), Plainly(bytes, 2));
  EXPECT_EQ(decoder.recognized(), 1U);
}

}  // namespace
}  // namespace pmproof::archive

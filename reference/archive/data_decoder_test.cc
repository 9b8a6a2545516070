// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/data_decoder.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "reference/archive/testing/random_record.h"

namespace pmproof::archive {
namespace {

using testing::BytesOf;
using testing::Chance;
using testing::Damage;
using testing::RandomResult;

constexpr testing::RandomSets kSets{.least = 8, .most = 19};

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
    const Buffer sound = BytesOf(RandomResult(chance, kSets), version);
    for (int k = 0; k < 12; ++k) {
      Buffer bytes = sound;
      const bool other = k > 4 && chance.In(8);
      if (other) bytes = BytesOf(RandomResult(chance, kSets), version);
      for (std::uint32_t edits = chance.Below(k > 4 ? 4 : 2); edits > 0; --edits)
        Damage(chance, 1, &bytes);
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
    const Buffer sound = BytesOf(RandomResult(chance, kSets), version);
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
  const Buffer sound = BytesOf(RandomResult(chance, kSets), 3);
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
  const Buffer bytes = BytesOf(RandomResult(chance, kSets), 3);
  DataDecoder decoder(GetParam());
  for (int i = 0; i < 3; ++i) decoder.Decode({bytes, 0, 0, 0}, 3);
  EXPECT_EQ(TextOf(decoder.Decode({bytes, 0, 0, 0}, 2)), Plainly(bytes, 2));
  EXPECT_EQ(decoder.recognized(), 1U);
}

}  // namespace
}  // namespace pmproof::archive

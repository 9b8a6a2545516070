// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/shrink_damaged.h"

#include <gtest/gtest.h>

#include <string>

#include "generators/archive_image.h"
#include "generators/random.h"
#include "reference/archive/decode_model.h"
#include "reference/core/bytes.h"

namespace pmproof::validator {
namespace {

using archive::Buffer;

class ShrinkDamagedTest : public ::testing::TestWithParam<int> {
 protected:
  // The record of the base archive with blocks of all kinds.
  Buffer Sound() const {
    Buffer record;
    archive::AppendResult(generators::BaseArchive(GetParam()).volumes.at(0).front(), GetParam(),
                          &record);
    return record;
  }

  static Buffer Shrink(Buffer record, std::function<bool(Buffer)> take) {
    const Attempt attempt{std::move(take), [] { return false; }};
    return ShrinkDamagedRecord(std::move(record), GetParam(), attempt);
  }

  archive::ResultModel Decoded(const Buffer& record) const {
    archive::RecordDecoder decoder(GetParam(), "");
    auto result = decoder.DecodeResult({record, 0, 0, 0});
    EXPECT_TRUE(result) << result.error().ToText();
    return result ? *result : archive::ResultModel{};
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, ShrinkDamagedTest, ::testing::Values(2, 3));

TEST_P(ShrinkDamagedTest, WhateverIsLeftOutOfASoundRecordItStaysSound) {
  generators::Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Buffer left = Shrink(Sound(), [&](const Buffer& candidate) {
      // Blocks of numbers have to keep their length.
      archive::RecordDecoder decoder(GetParam(), "");
      EXPECT_EQ(LoadU32(candidate.data()), candidate.size());
      EXPECT_EQ(LoadU32(candidate.data() + candidate.size() - 4), candidate.size());
      return decoder.DecodeResult({candidate, 0, 0, 0}) && random.Chance(1, 3);
    });
    EXPECT_LE(left.size(), Sound().size());
    Decoded(left);
  }
}

TEST_P(ShrinkDamagedTest, ABlockThatIsDamagedStaysSoAndTheOtherSetsGo) {
  const archive::ResultModel result = Decoded(Sound());
  Buffer record = Sound();
  // The length of the last block that lies in the record.
  std::size_t last = 0;
  archive::RecordDecoder decoder(GetParam(), "");
  for (std::size_t at = 12 + archive::LayoutOf(GetParam()).timestamp; at + 8 < record.size();
       at += 4) {
    Buffer candidate = record;
    StoreU32(candidate.data() + at, LoadU32(candidate.data() + at) & 0xff000000);
    if (!decoder.DecodeResult({candidate, 0, 0, 0})) last = at;
  }
  StoreU32(record.data() + last, LoadU32(record.data() + last) & 0xff000000);
  const Buffer left = Shrink(record, [&](const Buffer& candidate) {
    return !decoder.DecodeResult({candidate, 0, 0, 0});
  });
  EXPECT_LE(left.size(), archive::LayoutOf(GetParam()).mark + 60);
}

TEST_P(ShrinkDamagedTest, RandomBytesDoNoHarm) {
  generators::Random random(2);
  for (int i = 0; i < 3000; ++i) {
    Buffer record = Sound();
    if (random.Chance(1, 4)) record.resize(8 + random.Below(record.size() - 7));
    for (std::uint64_t words = random.Below(20); words > 0; --words) {
      const std::size_t at = random.Below(record.size() - 3);
      const bool small = random.Chance(1, 2);
      StoreU32(record.data() + at,
               static_cast<std::uint32_t>(small ? random.Below(80) : random.Next()));
    }
    const std::size_t size = record.size();
    const Buffer left = Shrink(record, [&](const Buffer&) { return random.Chance(1, 3); });
    ASSERT_LE(left.size(), size) << i;
  }
}

}  // namespace
}  // namespace pmproof::validator

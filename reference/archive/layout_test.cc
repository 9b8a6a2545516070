// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/layout.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace pmproof::archive {
namespace {

using ByteVector = std::vector<std::uint8_t>;

ByteVector Words(std::initializer_list<std::uint32_t> words) {
  ByteVector bytes(4 * words.size());
  std::size_t at = 0;
  for (const std::uint32_t word : words) {
    StoreU32(bytes.data() + at, word);
    at += 4;
  }
  return bytes;
}

ByteVector Stored(Timestamp time, int version) {
  ByteVector bytes(LayoutOf(version).timestamp);
  StoreTimestamp(bytes.data(), time, version);
  return bytes;
}

TEST(TimestampOfVersion3, HasTheLowWordOfItsSecondsFirst) {  // ARC-004
  const Timestamp time = LoadTimestamp(Words({0x2a05f200, 1, 0}).data(), 3);
  EXPECT_EQ(time, (Timestamp{5'000'000'000, 0}));
  EXPECT_EQ(ToIsoText(time), "2128-06-11T08:53:20.000000000Z");
}

TEST(TimestampOfVersion3, HasNanoseconds) {  // ARC-004
  const ByteVector bytes = Words({0x6553f100, 0, 0x1dcd6500});
  EXPECT_EQ(LoadTimestamp(bytes.data(), 3), (Timestamp{1700000000, 500'000'000}));
  EXPECT_EQ(Stored({1700000000, 500'000'000}, 3), bytes);
}

TEST(TimestampOfVersion3, MayBeBefore1970) {  // ARC-004
  EXPECT_EQ(LoadTimestamp(Words({0xffffffff, 0xffffffff, 0}).data(), 3), (Timestamp{-1, 0}));
}

TEST(TimestampOfVersion2, HasMicroseconds) {  // ARC-003
  const ByteVector bytes = Words({0x6553f100, 0x0007a120});
  EXPECT_EQ(LoadTimestamp(bytes.data(), 2), (Timestamp{1700000000, 500'000'000}));
  EXPECT_EQ(Stored({1700000000, 500'000'000}, 2), bytes);
}

TEST(TimestampOfVersion2, IsTruncatedToMicroseconds) {  // ARC-003
  EXPECT_EQ(Stored({1, 1999}, 2), Words({1, 1}));
}

TEST(TimestampOfVersion2, IsNotRangeChecked) {  // ARC-003
  const ByteVector bytes = Words({7, 2'000'000});
  EXPECT_EQ(LoadTimestamp(bytes.data(), 2), (Timestamp{7, 2'000'000'000}));
  EXPECT_FALSE(FractionInRange(LoadFraction(bytes.data(), 2), 2));
}

TEST(TimestampOfVersion2, MultipliesIn32Bits) {  // ARC-003
  EXPECT_EQ(LoadTimestamp(Words({7, 0x7fffffff}).data(), 2), (Timestamp{7, -1000}));
}

TEST(Fraction, IsBelowOneSecond) {  // ARC-1718
  EXPECT_TRUE(FractionInRange(999'999, 2));
  EXPECT_FALSE(FractionInRange(1'000'000, 2));
  EXPECT_TRUE(FractionInRange(999'999'999, 3));
  EXPECT_FALSE(FractionInRange(1'000'000'000, 3));
  EXPECT_FALSE(FractionInRange(-1, 3));
}

TEST(Layout, OfLabelsIsGapless) {  // ARC-100, ARC-101
  for (const Layout& layout : {kLayoutV2, kLayoutV3}) {
    EXPECT_EQ(layout.host_field + layout.host_size, layout.timezone_field);
    const std::size_t zone_end = layout.timezone_field + layout.timezone_size;
    EXPECT_EQ(zone_end + layout.zoneinfo_size + kLengthWord, layout.label);
  }
}

RC_GTEST_PROP(TimestampOfVersion3, IsLoadedAsStored, (std::int64_t seconds, std::int32_t nanos)) {
  const Timestamp time{seconds, nanos};
  RC_ASSERT(LoadTimestamp(Stored(time, 3).data(), 3) == time);
}

RC_GTEST_PROP(TimestampOfVersion2, IsLoadedAsStored, (std::int32_t seconds)) {
  const Timestamp time{seconds, 1000 * *rc::gen::inRange(0, 1'000'000)};
  RC_ASSERT(LoadTimestamp(Stored(time, 2).data(), 2) == time);
}

}  // namespace
}  // namespace pmproof::archive

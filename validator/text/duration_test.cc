// SPDX-License-Identifier: Apache-2.0
#include "validator/text/duration.h"

#include <gtest/gtest.h>

#include <limits>

namespace pmproof::validator {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(DurationTest, ShortOnesHaveThreeDecimals) {
  EXPECT_EQ(DurationText(1), "0.000 ms");
  EXPECT_EQ(DurationText(250'000), "0.250 ms");
  EXPECT_EQ(DurationText(kSecond - 1), "999.999 ms");
  EXPECT_EQ(DurationText(5 * kSecond), "5.000 s");
  EXPECT_EQ(DurationText(60 * kSecond - 1), "59.999 s");
}

TEST(DurationTest, LongOnesHaveTwoUnits) {
  EXPECT_EQ(DurationText(200 * kSecond), "3 min 20 s");
  EXPECT_EQ(DurationText(7500 * kSecond), "2 h 05 min");
  EXPECT_EQ(DurationText((40 * 86400 + 3 * 3600 + 59) * kSecond), "40 d 03 h");
}

TEST(DurationTest, NoTimeIsNoTime) { EXPECT_EQ(DurationText(0), "0 s"); }

TEST(DurationTest, TheLimitsOfTheTypeAreShown) {
  EXPECT_EQ(DurationText(std::numeric_limits<std::int64_t>::max()), "106751 d 23 h");
  EXPECT_EQ(DurationText(std::numeric_limits<std::int64_t>::min()), "-106751 d 23 h");
}

}  // namespace
}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/tally.h"

#include <gtest/gtest.h>

#include <limits>

namespace pmproof::validator {
namespace {

template <typename Number>
Distance Between(Number a, Number b) {
  return DistanceOf(Value::Of(a), Value::Of(b)).value();
}

TEST(DistanceOf, SubtractsIntegersExactly) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(Between(std::uint64_t{0}, kMost).absolute, 18446744073709551615.0L);
  EXPECT_EQ(Between(kMost - 1, kMost).absolute, 1);
  EXPECT_EQ(
      Between(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max())
          .absolute,
      18446744073709551615.0L);
  EXPECT_EQ(Between(-3, 4).absolute, 7);
  EXPECT_EQ(Between(4U, 3U).absolute, 1);
}

TEST(DistanceOf, IsRelativeToTheLargerMagnitude) {
  EXPECT_EQ(Between(100U, 75U).relative, 0.25L);
  EXPECT_EQ(Between(75U, 100U).relative, 0.25L);
  EXPECT_EQ(Between(0, -5).relative, 1);
  EXPECT_EQ(Between(-5, 5).relative, 2);
  EXPECT_EQ(Between(0.0, -0.0).relative, 0);
  EXPECT_EQ(Between(1.5F, 3.0F).relative, 0.5L);
}

TEST(DistanceOf, HoldsWhatNoDoubleHolds) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const Distance distance = Between(kMost, -kMost);
  EXPECT_EQ(distance.absolute, 2 * static_cast<long double>(kMost));
  EXPECT_EQ(distance.relative, 2);
}

TEST(DistanceOf, IsOfFiniteNumbersAlone) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(DistanceOf(Value::Of(kNan), Value::Of(1.0)));
  EXPECT_FALSE(DistanceOf(Value::Of(1.0), Value::Of(-std::numeric_limits<double>::infinity())));
  EXPECT_FALSE(
      DistanceOf({MetricType::kString, false, 0, {}}, {MetricType::kString, false, 0, {}}));
}

TEST(Tally, MeansOverTheNumbersThatDiffer) {
  Tally tally;
  tally.compared = 10;
  tally.Add(Difference::kNumber, Distance{4, 0.5L});
  tally.Add(Difference::kNumber, Distance{2, 0.75L});
  tally.Add(Difference::kNumber, std::nullopt);
  tally.Add(Difference::kBaselineOnly, std::nullopt);
  EXPECT_EQ(tally.Differing(), 4);
  EXPECT_EQ(tally.Mean().absolute, 3);
  EXPECT_EQ(tally.largest.absolute, 4);
  EXPECT_EQ(tally.largest.relative, 0.75L);
  Tally twice = tally;
  twice += tally;
  EXPECT_EQ(twice.Differing(), 8);
  EXPECT_EQ(twice.Mean().absolute, 3);
}

}  // namespace
}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/context_clock.h"

#include <gtest/gtest.h>

#include <string>

namespace pmproof::replay {
namespace {

std::string Steps(Timestamp time, Delta delta, int count, bool normalised) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += std::to_string(time.seconds) + "+" + std::to_string(time.nanoseconds) + " ";
    time = Advance(time, delta, normalised);
  }
  return text;
}

TEST(Direction, IsBackwardWhereEitherFieldIsNegative) {  // INT-106
  EXPECT_EQ(DirectionOf({1, 0}), 1);
  EXPECT_EQ(DirectionOf({0, 1}), 1);
  EXPECT_EQ(DirectionOf({0, 0}), 0);
  EXPECT_EQ(DirectionOf({-1, 500'000'000}), -1);
  EXPECT_EQ(DirectionOf({1, -500'000'000}), -1);
}

TEST(Advance, LeavesAWholeSecondStandingAsPcpDoes) {  // INT-203, INT-204
  EXPECT_EQ(Steps({9, 0}, {0, 500'000'000}, 4, false),
            "9+0 9+500000000 9+1000000000 10+500000000 ");
  EXPECT_EQ(Steps({9, 0}, {0, 500'000'000}, 4, true), "9+0 9+500000000 10+0 10+500000000 ");
}

TEST(Advance, AddsSecondsAndNanosecondsEachByItself) {  // INT-107, INT-203
  EXPECT_EQ(Steps({5, 0}, {-1, 500'000'000}, 4, false),
            "5+0 4+500000000 3+1000000000 3+500000000 ");
  EXPECT_EQ(Steps({5, 0}, {1, -500'000'000}, 3, false), "5+0 5+500000000 6+0 ");
}

TEST(EndOfArchive, DependsOnWhetherTheEndWasKnown) {  // INT-206
  EndOfArchive fresh(false, 20);
  EXPECT_TRUE(fresh.IsOutside(20.0005));
  EndOfArchive later(false, 20);
  EXPECT_FALSE(later.IsOutside(10));
  EXPECT_FALSE(later.IsOutside(20.0005));
  EXPECT_TRUE(later.IsOutside(20.0011));
}

TEST(EndOfArchive, IsKnownOnceATimeBehindTheStartWasAskedFor) {  // INT-206
  EndOfArchive end(false, 20);
  EXPECT_FALSE(end.IsOutside(0));
  EXPECT_FALSE(end.is_known());
  EXPECT_FALSE(end.IsOutside(1));
  EXPECT_TRUE(end.is_known());
}

TEST(EndOfArchive, ToleratesAMillisecondBeforeTheStart) {  // INT-206, INT-209
  EndOfArchive end(false, 20);
  EXPECT_FALSE(end.IsOutside(-0.001));
  EXPECT_TRUE(end.IsOutside(-0.0011));
}

TEST(EndOfArchive, IsExactWhereTheDocumentsDecide) {  // INT-206, INT-1206
  EndOfArchive end(true, 20);
  EXPECT_FALSE(end.IsOutside(10));
  EXPECT_FALSE(end.IsOutside(20));
  for (const double t : {20.0005, 20.0011, -0.001, -0.0011}) EXPECT_TRUE(end.IsOutside(t));
}

}  // namespace
}  // namespace pmproof::replay

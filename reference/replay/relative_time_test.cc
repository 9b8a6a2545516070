// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/relative_time.h"

#include <gtest/gtest.h>

#include <limits>

namespace pmproof::replay {
namespace {

TEST(Origin, SubtractsSecondsAndNanosecondsEachByItself) {  // INT-201
  const Origin origin({1700000000, 750'000'000});
  EXPECT_EQ(origin.Relative({1700000001, 0}), 0.25);
  EXPECT_EQ(origin.Relative({1700000000, 0}), -0.75);
}

TEST(Origin, RoundsOnlyOnceToDouble) {  // INT-201
  // In double 0.1 + 2^40 would first round 0.1.
  const Origin origin({0, 0});
  EXPECT_EQ(origin.Relative({1, 1}), 1.000000001);
  EXPECT_EQ(origin.Relative({1099511627776, 100'000'000}),
            static_cast<double>(1099511627776.0L + 0.1L));
}

TEST(Origin, TakesAWholeSecondOfNanosecondsAsTheNextSecond) {  // INT-204
  const Origin origin({10, 0});
  EXPECT_EQ(origin.Relative({12, 1'000'000'000}), origin.Relative({13, 0}));
}

TEST(ExactlyBetween, TakesNanosecondsOutOfRange) {  // ARC-003
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  constexpr auto kLeast = std::numeric_limits<std::int32_t>::min();
  EXPECT_TRUE(ExactlyBetween({0, kLeast}, {0, kMost}) == 4'294'967'295);
  EXPECT_TRUE(ExactlyBetween({1, kMost}, {0, kLeast}) == -5'294'967'295);
}

}  // namespace
}  // namespace pmproof::replay

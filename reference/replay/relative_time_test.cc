#include "reference/replay/relative_time.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace pmproof::replay

// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/distinct_times.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace pmproof::replay {
namespace {

TEST(DistinctTimesTest, TimesInAnyOrderFindTheirOwnInTheAscendingOnes) {
  std::mt19937_64 chance(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<Timestamp> times;
    for (std::uint64_t i = chance() % 50; i > 0; --i) {
      const auto seconds = static_cast<std::int64_t>(chance() % 20);
      times.push_back({seconds, static_cast<std::int32_t>(chance() % 2)});
    }
    if (round % 3 == 0) std::ranges::sort(times);
    const DistinctTimes distinct(times);
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_EQ(distinct.ascending()[distinct.NumberOf(i)], times[i]);
    }
    for (std::size_t i = 1; i < distinct.ascending().size(); ++i) {
      EXPECT_LT(distinct.ascending()[i - 1], distinct.ascending()[i]);
    }
  }
}

}  // namespace
}  // namespace pmproof::replay

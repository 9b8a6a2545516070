// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/slow_tail.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pmproof::validator::agent {
namespace {

using namespace std::chrono_literals;
using Latencies = std::vector<SlowTail::Duration>;

// 1000 answers to each of two requests, of which `late` to the second took 30 ms.
SlowTail Tail(std::size_t late, SlowTail::Duration waited) {
  Latencies quick(1000, 10us);
  Latencies some = quick;
  std::fill_n(some.begin(), late, 30ms);
  return SlowTail({quick, some, {}}, waited);
}

TEST(SlowTail, IsShortBelowOneInAHundred) {
  EXPECT_TRUE(Tail(0, 0ms).IsShort());
  EXPECT_TRUE(Tail(19, 0ms).IsShort());
  EXPECT_FALSE(Tail(20, 0ms).IsShort());
}

TEST(SlowTail, HasWhatIsLateAndFarFromTheMedian) {
  Latencies all(100, 10us);
  std::fill_n(all.begin(), 10, 19ms);
  EXPECT_TRUE(SlowTail({all}, 0ms).IsShort());
  all.assign(100, 1ms);
  std::fill_n(all.begin(), 10, 49ms);
  EXPECT_TRUE(SlowTail({all}, 0ms).IsShort());
  std::fill_n(all.begin(), 10, 50ms);
  EXPECT_FALSE(SlowTail({all}, 0ms).IsShort());
}

TEST(SlowTail, IsTheMachinesWhereWaitingMakesUpHalf) {
  EXPECT_FALSE(Tail(20, 0ms).IsTheMachines());
  EXPECT_FALSE(Tail(20, 299ms).IsTheMachines());
  EXPECT_TRUE(Tail(20, 300ms).IsTheMachines());
}

TEST(SlowTail, SaysWhatWasSeen) {
  EXPECT_EQ(Tail(20, 0ms).ToText(),
            "of 2000 answers 20 took more than 50 times as long as half of those to the same "
            "request, the longest 30000 us in place of 10 us");
}

}  // namespace
}  // namespace pmproof::validator::agent

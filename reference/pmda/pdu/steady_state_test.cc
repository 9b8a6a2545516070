// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "reference/pmda/pdu/testing/allocations.h"
#include "reference/pmda/pdu/testing/round_trip.h"

namespace pmproof::pdu {
namespace {

TEST(SteadyStateTest, AFetchRoundTripAllocatesNothing) {
  RoundTrip round_trip;
  for (int warm = 0; warm < 1000; ++warm) ASSERT_EQ(round_trip.Run(), RoundTrip::kMetrics);
  const std::size_t before = Allocations();
  ASSERT_GT(before, 0U) << "nothing is counted";
  for (int i = 0; i < 10000; ++i) round_trip.Run();
  EXPECT_EQ(Allocations(), before);
}

}  // namespace
}  // namespace pmproof::pdu

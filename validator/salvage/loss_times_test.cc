// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/loss_times.h"

#include <gtest/gtest.h>

namespace pmproof::validator {
namespace {

using Spans = std::vector<TimeSpan>;

TimeSpan Seconds(std::int64_t from, std::int64_t until) { return {{from, 0}, {until, 0}}; }

TEST(LossTimes, SpansThatOverlapOrMeetAreOne) {
  LossTimes times;
  EXPECT_TRUE(times.empty());
  times.AddRecords(Seconds(7, 9));
  times.AddRecords(Seconds(1, 3));
  times.AddRecords(Seconds(3, 4));
  times.AddRecords(Seconds(8, 8));
  EXPECT_FALSE(times.empty());
  EXPECT_EQ(times.Records(), (Spans{Seconds(1, 4), Seconds(7, 9)}));
}

TEST(LossTimes, OfManyNothingIsForgotten) {
  constexpr std::int64_t kMany = 1'000'000;
  LossTimes times;
  for (std::int64_t i = 0; i < kMany; ++i) {
    times.AddRecords(Seconds(10 * i, 10 * i + 1));
    times.AddSet(Pmid::Of(1, 2, 3), {10 * i, 0});
  }
  const Spans records = times.Records();
  EXPECT_LT(records.size(), 100'000U);
  EXPECT_EQ(records.front().from, (Timestamp{0, 0}));
  EXPECT_EQ(records.back().until, (Timestamp{10 * (kMany - 1) + 1, 0}));
  std::size_t next = 0;
  for (std::int64_t i = 0; i < kMany; ++i) {
    while (records[next].until < Timestamp{10 * i, 0}) ++next;
    ASSERT_LE(records[next].from, (Timestamp{10 * i, 0}));
    ASSERT_GE(records[next].until, (Timestamp{10 * i + 1, 0}));
  }
  EXPECT_LE(times.Sets().at(Pmid::Of(1, 2, 3)).size(), 64U);
}

TEST(LossTimes, ASpanIsPutWhereItBelongs) {
  Spans spans{Seconds(1, 2), Seconds(5, 6), Seconds(9, 10)};
  Add(Seconds(3, 4), spans);
  EXPECT_EQ(spans, (Spans{Seconds(1, 2), Seconds(3, 4), Seconds(5, 6), Seconds(9, 10)}));
  Add(Seconds(4, 9), spans);
  EXPECT_EQ(spans, (Spans{Seconds(1, 2), Seconds(3, 10)}));
}

}  // namespace
}  // namespace pmproof::validator

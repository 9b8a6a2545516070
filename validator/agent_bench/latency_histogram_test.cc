// SPDX-License-Identifier: Apache-2.0
#include "validator/agent_bench/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace pmproof::validator::agent_bench {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;

TEST(LatencyHistogram, HasNothingToSayOfNothing) {
  const LatencyHistogram empty;
  EXPECT_EQ(empty.count(), 0U);
  EXPECT_EQ(empty.Quantile(0.5), nanoseconds(0));
  EXPECT_EQ(empty.Mean(), nanoseconds(0));
  EXPECT_TRUE(empty.Buckets().empty());
}

TEST(LatencyHistogram, IsExactForShortLatencies) {
  LatencyHistogram short_ones;
  for (int i = 1; i <= 200; ++i) short_ones.Add(nanoseconds(i));
  EXPECT_EQ(short_ones.least(), nanoseconds(1));
  EXPECT_EQ(short_ones.most(), nanoseconds(200));
  EXPECT_EQ(short_ones.Quantile(0.5), nanoseconds(100));
  EXPECT_EQ(short_ones.Quantile(0.99), nanoseconds(198));
  EXPECT_EQ(short_ones.Quantile(0), nanoseconds(1));
  EXPECT_EQ(short_ones.Quantile(1), nanoseconds(200));
}

TEST(LatencyHistogram, CountsWhatIsOutOfRangeAtItsEnds) {
  LatencyHistogram extremes;
  extremes.Add(nanoseconds(-5));
  extremes.Add(hours(1000));
  EXPECT_EQ(extremes.count(), 2U);
  EXPECT_EQ(extremes.least(), nanoseconds(0));
  EXPECT_GT(extremes.most(), hours(39));
  EXPECT_EQ(extremes.Quantile(1), extremes.most());
}

// Held against the sorted latencies themselves.
TEST(LatencyHistogram, IsOffByLessThanAHundredthOfTheLatency) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> shape(10, 3);
  LatencyHistogram histogram;
  std::vector<std::int64_t> sorted;
  for (int i = 0; i < 20000; ++i) {
    sorted.push_back(std::llround(shape(random)));
    histogram.Add(nanoseconds(sorted.back()));
  }
  std::sort(sorted.begin(), sorted.end());
  for (const double share : {0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
    const auto place = static_cast<std::size_t>(std::ceil(share * 20000)) - 1;
    const auto exact = static_cast<double>(sorted[place]);
    const auto told = static_cast<double>(histogram.Quantile(share).count());
    EXPECT_GE(told, exact) << share;
    EXPECT_LE(told, exact * (1 + 1.0 / 128) + 1) << share;
  }
}

TEST(LatencyHistogram, HasEachLatencyInABucketThatIsNotBelowIt) {
  std::mt19937_64 random(8);
  LatencyHistogram histogram;
  for (int bits = 0; bits < 47; ++bits) {
    LatencyHistogram one;
    const nanoseconds latency(static_cast<std::int64_t>((random() | 1ULL << 63) >> (63 - bits)));
    one.Add(latency);
    EXPECT_EQ(one.Buckets(), (std::vector<LatencyHistogram::Bucket>{{latency, 1}}));
    histogram.Add(latency);
  }
  const auto buckets = histogram.Buckets();
  std::uint64_t all = 0;
  for (const auto& bucket : buckets) all += bucket.count;
  EXPECT_EQ(all, histogram.count());
  EXPECT_TRUE(std::is_sorted(buckets.begin(), buckets.end(),
                             [](const auto& a, const auto& b) { return a.most < b.most; }));
}

}  // namespace
}  // namespace pmproof::validator::agent_bench

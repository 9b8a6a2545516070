// SPDX-License-Identifier: Apache-2.0
#include "validator/agent_bench/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pmproof::validator::agent_bench {

std::size_t LatencyHistogram::IndexOf(std::uint64_t nanoseconds) {
  if (nanoseconds < 2 * kHalf) return nanoseconds;
  const int shift = static_cast<int>(std::bit_width(nanoseconds)) - 8;  // eight bits are left of it
  return static_cast<std::size_t>(shift) * kHalf + (nanoseconds >> shift);
}

std::uint64_t LatencyHistogram::MostOf(std::size_t index) {
  if (index < 2 * kHalf) return index;
  const std::size_t shift = index / kHalf - 1;
  return ((index % kHalf + kHalf + 1) << shift) - 1;
}

void LatencyHistogram::Add(Duration latency) {
  constexpr std::int64_t kLongest = (std::int64_t{1} << kBits) - 1;
  const Duration taken(std::clamp<std::int64_t>(latency.count(), 0, kLongest));
  ++counts_[IndexOf(static_cast<std::uint64_t>(taken.count()))];
  least_ = count_ == 0 ? taken : std::min(least_, taken);
  most_ = std::max(most_, taken);
  sum_ += static_cast<double>(taken.count());
  ++count_;
}

LatencyHistogram::Duration LatencyHistogram::Mean() const {
  if (count_ == 0) return {};
  return Duration(std::llround(sum_ / static_cast<double>(count_)));
}

LatencyHistogram::Duration LatencyHistogram::Quantile(double share) const {
  const double due = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen == 0 || static_cast<double>(seen) < due) continue;
    return std::min(most_, Duration(static_cast<std::int64_t>(MostOf(i))));
  }
  return most_;
}

std::vector<LatencyHistogram::Bucket> LatencyHistogram::Buckets() const {
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    buckets.push_back(
        {std::min(most_, Duration(static_cast<std::int64_t>(MostOf(i)))), counts_[i]});
  }
  return buckets;
}

}  // namespace pmproof::validator::agent_bench

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_BENCH_LATENCY_HISTOGRAM_H_
#define PMPROOF_VALIDATOR_AGENT_BENCH_LATENCY_HISTOGRAM_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pmproof::validator::agent_bench {

// How often each latency was seen, in 42 kB whatever their number: buckets are 1 ns wide below
// 256 ns, and above it at most 1/128 of the latencies that they hold. A value.
class LatencyHistogram {
 public:
  using Duration = std::chrono::nanoseconds;

  // Negative ones count as 0, those above some 39 hours as that.
  void Add(Duration latency);

  std::uint64_t count() const { return count_; }
  // Exact. Zero where nothing was added.
  Duration least() const { return least_; }
  Duration most() const { return most_; }
  Duration Mean() const;

  // What at least `share` (0 to 1) of the latencies do not exceed: too long by at most 1/128, and
  // never more than most(). Zero where nothing was added.
  Duration Quantile(double share) const;

  // Those that are not empty, ascending. No latency of a bucket exceeds `most`.
  struct Bucket {
    Duration most{};
    std::uint64_t count = 0;

    friend bool operator==(const Bucket&, const Bucket&) = default;
  };
  std::vector<Bucket> Buckets() const;

 private:
  static constexpr int kBits = 47;           // of the longest latency
  static constexpr std::size_t kHalf = 128;  // buckets of each power of two
  static constexpr std::size_t kSize = 2 * kHalf + (kBits - 8) * kHalf;

  static std::size_t IndexOf(std::uint64_t nanoseconds);
  static std::uint64_t MostOf(std::size_t index);

  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(kSize);
  std::uint64_t count_ = 0;
  double sum_ = 0;  // nanoseconds
  Duration least_{};
  Duration most_{};
};

}  // namespace pmproof::validator::agent_bench

#endif  // PMPROOF_VALIDATOR_AGENT_BENCH_LATENCY_HISTOGRAM_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_REPLAY_TIMES_H_
#define PMPROOF_VALIDATOR_REPLAY_TIMES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "reference/replay/context_clock.h"

namespace pmproof::validator {

// The times of all fetches of a command, one batch after the other. A value.
class Times {
 public:
  // Fetches are asked for so many at a time: their answers have a budget of their own.
  static constexpr std::size_t kBatch = std::size_t{1} << 20;

  // Either these ...
  explicit Times(std::vector<Timestamp> at) : at_(std::move(at)), count_(at_.size()) {}
  // ... or `count` of them with a delta between.
  Times(Timestamp first, replay::Delta delta, std::uint64_t count, bool normalised)
      : next_(first), delta_(delta), count_(count), normalised_(normalised) {}

  // At most kBatch; none: there are no more.
  std::vector<Timestamp> NextBatch() {
    std::vector<Timestamp> batch;
    batch.reserve(std::min<std::uint64_t>(count_ - done_, kBatch));
    while (done_ < count_ && batch.size() < kBatch) {
      if (!at_.empty()) {
        batch.push_back(at_[done_]);
      } else {
        batch.push_back(next_);
        next_ = replay::Advance(next_, delta_, normalised_);
      }
      ++done_;
    }
    return batch;
  }

  // How many times there are from `start` to `finish` (not before it), `interval` (nanoseconds,
  // above 0) apart. No more than 2^64 - 1.
  static std::uint64_t CountBetween(Timestamp start, Timestamp finish, std::int64_t interval) {
    __extension__ using Wide = __int128;
    const Wide seconds = Wide{finish.seconds} - start.seconds;
    const Wide span = seconds * 1'000'000'000 + finish.nanoseconds - start.nanoseconds;
    const Wide count = span / interval + 1;
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    return count > Wide{kMost} ? kMost : static_cast<std::uint64_t>(count);
  }

  // Why so many times are not asked for. `options`: what to give instead.
  static std::string TooMany(std::uint64_t count, Timestamp start, Timestamp finish,
                             std::uint64_t limit, const std::string& options) {
    return std::to_string(count) + " times from " + ToIsoText(start) + " to " + ToIsoText(finish) +
           ", more than " + std::to_string(limit) + ": give " + options;
  }

  std::uint64_t count() const { return count_; }
  // pmSetMode comes before each of them, else before the first.
  bool seeks() const { return !at_.empty(); }
  replay::Delta delta() const { return delta_; }

 private:
  std::vector<Timestamp> at_;
  Timestamp next_;
  replay::Delta delta_;
  std::uint64_t count_ = 0;
  std::uint64_t done_ = 0;
  bool normalised_ = false;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_TIMES_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_DISTINCT_TIMES_H_
#define PMPROOF_REFERENCE_REPLAY_DISTINCT_TIMES_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "reference/core/timestamp.h"

namespace pmproof::replay {

// The times of fetches in ascending order, each once. A value.
class DistinctTimes {
 public:
  explicit DistinctTimes(std::span<const Timestamp> times) {
    if (std::ranges::adjacent_find(times, std::greater_equal()) == times.end()) {
      ascending_.assign(times.begin(), times.end());
      return;
    }
    struct Asked {
      Timestamp time;
      std::size_t number;
    };
    std::vector<Asked> asked;
    asked.reserve(times.size());
    for (const Timestamp time : times) asked.push_back({time, asked.size()});
    std::ranges::sort(asked, {}, &Asked::time);
    numbers_.resize(times.size());
    for (const Asked& one : asked) {
      if (ascending_.empty() || ascending_.back() < one.time) ascending_.push_back(one.time);
      numbers_[one.number] = ascending_.size() - 1;
    }
  }

  std::span<const Timestamp> ascending() const { return ascending_; }
  // Which of these the time is that was asked for as number `i`.
  std::size_t NumberOf(std::size_t i) const { return numbers_.empty() ? i : numbers_[i]; }

  // The most that takes for each time, in bytes, while it is made.
  static constexpr std::size_t kBytes = 2 * sizeof(Timestamp) + 2 * sizeof(std::size_t);

 private:
  std::vector<Timestamp> ascending_;
  std::vector<std::size_t> numbers_;  // empty where they were ascending before
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_DISTINCT_TIMES_H_

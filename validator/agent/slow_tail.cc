// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/slow_tail.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pmproof::validator::agent {

SlowTail::SlowTail(std::vector<std::vector<Duration>> latencies, Duration waited)
    : waited_(waited) {
  constexpr int kFar = 50;
  constexpr std::chrono::milliseconds kNoticed{20};
  for (auto& of_one : latencies) {
    if (of_one.empty()) continue;
    std::ranges::sort(of_one);
    all_ += of_one.size();
    const Duration median = of_one[of_one.size() / 2];
    for (const Duration took : of_one) {
      if (took < kNoticed || took < kFar * median) continue;
      if (late_.empty() || took > late_.back()) usual_ = median;
      late_.push_back(took);
    }
  }
  std::ranges::sort(late_);
}

bool SlowTail::IsTheMachines() const {
  return 2 * waited_ >= std::accumulate(late_.begin(), late_.end(), Duration{});
}

std::string SlowTail::ToText() const {
  return "of " + std::to_string(all_) + " answers " + std::to_string(late_.size()) +
         " took more than 50 times as long as half of those to the same request, the longest " +
         Microseconds(late_.back()) + " in place of " + Microseconds(usual_);
}

std::string Microseconds(SlowTail::Duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(duration).count()) +
         " us";
}

}  // namespace pmproof::validator::agent

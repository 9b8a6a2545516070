// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_DEADLINE_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_DEADLINE_H_

#include <algorithm>
#include <chrono>

namespace pmproof::pmda {

// Until when something is waited for, on the clock that no one sets. A value.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr Deadline Never() { return Deadline(Clock::time_point::max()); }

  // Passed already: what can be done without waiting is still done.
  static constexpr Deadline Passed() { return Deadline(Clock::time_point::min()); }

  static Deadline After(Clock::duration wait) {
    const Clock::time_point now = Clock::now();
    return Deadline(wait < Clock::time_point::max() - now ? now + wait : Clock::time_point::max());
  }

  // The sooner of the two.
  static constexpr Deadline Sooner(Deadline a, Deadline b) {
    return Deadline(std::min(a.time_, b.time_));
  }

  constexpr bool never() const { return time_ == Clock::time_point::max(); }
  bool passed() const { return !never() && time_ <= Clock::now(); }

  // Zero once it has passed; the largest duration for Never().
  Clock::duration remaining() const {
    if (never()) return Clock::duration::max();
    const Clock::time_point now = Clock::now();
    return time_ <= now ? Clock::duration::zero() : time_ - now;
  }

 private:
  constexpr explicit Deadline(Clock::time_point time) : time_(time) {}

  Clock::time_point time_;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_DEADLINE_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_CONTEXT_CLOCK_H_
#define PMPROOF_REFERENCE_REPLAY_CONTEXT_CLOCK_H_

#include <cstdint>

#include "reference/core/timestamp.h"

namespace pmproof::replay {

// What each fetch moves the time by (INT-106, INT-107). Both numbers are added by themselves.
struct Delta {
  std::int64_t seconds = 0;
  std::int32_t nanoseconds = 0;
};

// INT-106: from the raw fields, -1 where either is below 0.
inline int DirectionOf(Delta delta) {
  if (delta.seconds < 0 || delta.nanoseconds < 0) return -1;
  return delta.seconds > 0 || delta.nanoseconds > 0 ? 1 : 0;
}

// INT-203: the time of the next fetch. PCP leaves a whole second of nanoseconds standing until the
// next step (INT-204); `normalised` does not (INT-1207).
inline Timestamp Advance(Timestamp time, Delta delta, bool normalised) {
  std::int64_t seconds = time.seconds + delta.seconds;
  std::int64_t nanoseconds = std::int64_t{time.nanoseconds} + delta.nanoseconds;
  while (nanoseconds > 1'000'000'000 || (normalised && nanoseconds == 1'000'000'000)) {
    nanoseconds -= 1'000'000'000;
    ++seconds;
  }
  while (nanoseconds < 0) {
    nanoseconds += 1'000'000'000;
    --seconds;
  }
  return {seconds, static_cast<std::int32_t>(nanoseconds)};
}

// Whether a fetch is outside of the archive (INT-206), in the order of the fetches of a context. A
// value.
class EndOfArchive {
 public:
  // `exact`: of the profile (INT-1206). `end`: INT-207, relative to the start.
  EndOfArchive(bool exact, double end) : exact_(exact), end_(end) {}

  // True where a fetch at `t` is answered PM_ERR_EOL.
  bool IsOutside(double t) {
    if (exact_) return t < 0 || t > end_;
    if (t < -kTolerance) return true;
    if (t <= known_end_ + kTolerance) return false;
    known_end_ = end_;
    is_known_ = true;
    return t > end_;
  }

  // Whether the end was looked at.
  bool is_known() const { return is_known_; }

 private:
  static constexpr double kTolerance = 0.001;
  bool exact_;
  double end_;
  double known_end_ = 0;
  bool is_known_ = false;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_CONTEXT_CLOCK_H_

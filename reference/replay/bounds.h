#ifndef PMPROOF_REFERENCE_REPLAY_BOUNDS_H_
#define PMPROOF_REFERENCE_REPLAY_BOUNDS_H_

#include <cstdint>
#include <span>

#include "reference/core/timestamp.h"
#include "reference/replay/value.h"

namespace pmproof::replay {

// Where a record is: when, and which one in record order (volume by volume, by offset), counted
// over all records.
struct Moment {
  double at = 0;  // INT-201
  Timestamp time;
  std::uint64_t record = 0;

  friend bool operator<(const Moment& a, const Moment& b) {
    return a.at != b.at ? a.at < b.at : a.record < b.record;
  }
};

// A record that has a value of the metric and instance (INT-301).
struct Observation {
  Moment moment;
  Value value;
};

// The prior or next bound of a time: an observation, a mark, or nothing.
struct Bound {
  enum class Kind : std::uint8_t { kNone, kMark, kValue };
  Kind kind = Kind::kNone;
  Moment moment;  // unless kNone
  Value value;    // of kValue

  bool IsValue() const { return kind == Kind::kValue; }
};

struct Bounds {
  Bound prior;
  Bound next;
};

// Finds the bounds of the time `t` (INT-302..306): of all observations of one metric and instance
// and all marks of the archive. Both are in ascending order of their moments, observations before
// the start of the archive left out (INT-305). Of several observations in one record the last
// counts (INT-307). Takes logarithmic time.
Bounds FindBounds(std::span<const Observation> observations, std::span<const Moment> marks,
                  double t);

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_BOUNDS_H_

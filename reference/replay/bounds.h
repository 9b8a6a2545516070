// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_BOUNDS_H_
#define PMPROOF_REFERENCE_REPLAY_BOUNDS_H_

#include <compare>
#include <cstdint>
#include <span>

#include "reference/core/timestamp.h"
#include "reference/core/value.h"

namespace pmproof::replay {

// Where a record is: when, and which one in record order (volume by volume, by offset), counted
// over all records.
struct Moment {
  double at = 0;  // INT-201
  Timestamp time;
  std::uint64_t record = 0;

  friend bool operator==(const Moment& a, const Moment& b) {
    return a.at == b.at && a.record == b.record;
  }
  friend std::partial_ordering operator<=>(const Moment& a, const Moment& b) {
    return a.at != b.at ? a.at <=> b.at : std::partial_ordering(a.record <=> b.record);
  }
};

// The prior or next bound of a time: an observation, a mark, a record that readers refuse and that
// the search for the bound meets first (INT-411, INT-903), or nothing.
struct Bound {
  enum class Kind : std::uint8_t { kNone, kMark, kDamage, kValue };
  Kind kind = Kind::kNone;
  Moment moment;  // unless kNone
  Value value;    // of kValue

  bool IsValue() const { return kind == Kind::kValue; }
};

// A record that has a value of the metric and instance (INT-301); or, as kDamage, one whose values
// of this metric cannot be read (INT-411).
struct Observation {
  Moment moment;
  Value value;
  Bound::Kind kind = Bound::Kind::kValue;
};

struct Bounds {
  Bound prior;
  Bound next;
};

// What no search goes across, whatever the metric: kMark or kDamage.
struct Barrier {
  Moment moment;
  Bound::Kind kind = Bound::Kind::kMark;
};

// Finds the bounds of the time `t` (INT-302..306): of all observations of one metric and instance
// and all barriers of the archive. Both are in ascending order of their moments, observations
// before the start of the archive left out (INT-305). Of several observations in one record the
// last counts (INT-307). Takes logarithmic time.
Bounds FindBounds(std::span<const Observation> observations, std::span<const Barrier> barriers,
                  double t);

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_BOUNDS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_COUNTER_LINE_H_
#define PMPROOF_REFERENCE_REPLAY_COUNTER_LINE_H_

#include <cstdint>

#include "reference/replay/bounds.h"

// The value of a counter between two observations, of one of the six arithmetic types.

namespace pmproof::replay {

// Whether PCP_COUNTER_WRAP is set (INT-802).
enum class CounterWrap : std::uint8_t { kOff, kOn };

// As PCP computes it, bit for bit (INT-601..610, INT-802..807), at the time `t` strictly between
// that of `prior` and `next`, which are values of the same type.
Value PcpLine(const Bound& prior, const Bound& next, double t, CounterWrap wrap);

// What the documents say (INT-611, INT-804, INT-1205): the exact line, integers rounded to nearest
// (half away from zero) and wrapped to their width, floating-point rounded once.
Value ExactLine(const Bound& prior, const Bound& next, Timestamp time, CounterWrap wrap);

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_COUNTER_LINE_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_EMULATION_CELL_H_
#define PMPROOF_REFERENCE_REPLAY_EMULATION_CELL_H_

#include <cstddef>
#include <cstdint>

#include "reference/archive/archive_set.h"
#include "reference/replay/counter_line.h"
#include "reference/replay/emulation/deviation.h"

// What libpcp remembers of one metric and instance (INT-1401), and what it answers from that.

namespace pmproof::replay::emulation {

// The bound that is known on one side.
struct Side {
  double time = -1;
  Bound::Kind kind = Bound::Kind::kNone;
  Value value{};
  bool has_value = false;  // a mark keeps an insitu value, drops others
  bool done = false;       // searched

  void SetMark(double at);
  void SetValue(double at, const Value& of);
};

struct Cell {
  std::size_t metric = 0;
  std::int32_t instance = 0;
  Side lo;
  Side hi;
  double floor = -1;
  double ceil = -1;
  double birth = -1;
  double death = -1;
  bool sought = false;
  bool requested = false;
};

struct EmulatedValue {
  std::int32_t instance = kInstanceNull;
  Value value;
  // How the value was taken, where that is a deviation. The reference may have the same value all
  // the same, and another deviation may be in it, too.
  Deviation deviation = Deviation::kNone;
};

// Step 9 of INT-1406: whether there is an answer.
bool IsValid(const Cell& cell, const Descriptor& descriptor, double t, Mends mends);

struct CellAnswer {
  EmulatedValue value;
  // What PCP destroys by it, if anything.
  Deviation undefined = Deviation::kNone;
};

// Step 10, of a valid cell.
CellAnswer ValueOf(const Cell& cell, const Descriptor& descriptor, double t,
                   archive::PcpVersion version, CounterWrap wrap, Mends mends);

}  // namespace pmproof::replay::emulation

#endif  // PMPROOF_REFERENCE_REPLAY_EMULATION_CELL_H_

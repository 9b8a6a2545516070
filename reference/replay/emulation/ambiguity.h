// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_EMULATION_AMBIGUITY_H_
#define PMPROOF_REFERENCE_REPLAY_EMULATION_AMBIGUITY_H_

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "reference/replay/emulation/deviation.h"
#include "reference/replay/emulation/record_log.h"

namespace pmproof::replay::emulation {

// Where an archive is such that PCP's answer is a matter of where it comes from, as the
// specification says: several observations of one value, or one and a mark, at one time (INT-310,
// INT-704); times that go back (INT-309). A value.
class Ambiguities {
 public:
  // Takes time and memory as the log does.
  explicit Ambiguities(const RecordLog& log);

  // What makes the value of a cell at `t` ambiguous, if anything: a bound of it.
  std::optional<Deviation> At(std::size_t cell, double t) const;

 private:
  struct Event {
    double at = 0;
    bool observed = false;
    bool marked = false;
    bool repeated = false;
  };

  bool goes_back_ = false;
  std::map<std::size_t, std::vector<Event>> events_;  // of the cells that have such a time
};

}  // namespace pmproof::replay::emulation

#endif  // PMPROOF_REFERENCE_REPLAY_EMULATION_AMBIGUITY_H_

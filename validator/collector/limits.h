// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_LIMITS_H_
#define PMPROOF_VALIDATOR_COLLECTOR_LIMITS_H_

#include <chrono>

namespace pmproof::validator::collector {

// The collector's time limits, and how long it is waited for. A value.
struct Limits {
  using Duration = std::chrono::milliseconds;

  Duration reply{5000};      // its time limit for a PDU of a client or an agent (PDU-012, PMD-041)
  Duration lateness{5000};   // how much later than that it may act
  Duration patience{30000};  // for an answer, a closed connection, an agent
};

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_LIMITS_H_

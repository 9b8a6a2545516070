// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_DESCRIPTION_READ_TIME_H_
#define PMPROOF_GENERATORS_DESCRIPTION_READ_TIME_H_

#include "generators/description/node.h"
#include "reference/core/timestamp.h"

namespace pmproof::generators {

// What times are written relative to, and what the archive holds of them.
struct TimeScale {
  Timestamp epoch;
  int version = 3;
};

// Seconds, "10.001" with up to nine decimals or a whole number. Fails for times that the version
// does not hold: of version 2 whole microseconds from 1970 to 2106 (ARC-003, ARC-004).
Timestamp ReadTime(const Node& node, const TimeScale& scale);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_DESCRIPTION_READ_TIME_H_

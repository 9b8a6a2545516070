// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_MOVE_TIMES_H_
#define PMPROOF_GENERATORS_MUTATIONS_MOVE_TIMES_H_

#include <cstdint>

#include "generators/archive_image.h"

namespace pmproof::generators {

// Adds whole seconds to every time in an archive: labels, metadata, data records, index, and the
// events inside of values. What an EVENT cannot hold (ARC-261) becomes the latest that it can:
// ShiftTimes() of transform.h, for archives that are to stay as they were, gives an error there.
void MoveTimes(ArchivePlan& plan, std::int64_t seconds);

// The latest time of a record, 0 without records.
Timestamp LatestTime(const ArchivePlan& plan);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_MOVE_TIMES_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_PLAN_OF_H_
#define PMPROOF_GENERATORS_PLAN_OF_H_

#include "generators/archive_image.h"
#include "reference/archive/archive_model.h"
#include "reference/core/status.h"

namespace pmproof::generators {

// The plan that Encode() turns into the bytes that `archive` was decoded from. Error: kUnsupported,
// with the clause, for what a plan does not express: bytes after the last record (ARC-084), an
// index entry that points to no record nor to the end of a file (ARC-1913, ARC-1917).
Result<ArchivePlan> PlanOf(const archive::ArchiveModel& archive);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_PLAN_OF_H_

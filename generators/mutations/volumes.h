// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_VOLUMES_H_
#define PMPROOF_GENERATORS_MUTATIONS_VOLUMES_H_

#include <cstddef>

#include "generators/archive_image.h"
#include "generators/mutation.h"
#include "generators/random.h"
#include "reference/archive/layout.h"

// Volumes of a plan: other numbers, more of them. The index follows, and so do labels of their own.

namespace pmproof::generators {

// Adds `by` to the number of each volume from `first` on. The numbers must be free.
void Renumber(ArchivePlan& plan, archive::Part first, archive::Part by);

// The ordinal in plan.meta for a new index entry of `time` in front of plan.index[entry]: after
// what earlier records need (ARC-1336), in front of what is later (ARC-1920).
std::size_t MetaRecordFor(const ArchivePlan& plan, std::size_t entry, Timestamp time);

// Divides volumes until there are `count` of them, each with at least one record, as a writer that
// switches volumes would have (ARC-611, ARC-625).
NotApplicable DivideInto(ArchivePlan& plan, std::size_t count, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_VOLUMES_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TRIAGE_NEIGHBOURS_H_
#define PMPROOF_VALIDATOR_TRIAGE_NEIGHBOURS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference/archive/memory_budget.h"
#include "reference/archive/storage.h"
#include "validator/check/report/triaged.h"

// The archives of one directory, which readers open as one (ARC-550): where their spans leave gaps
// or overlap, which metrics some of them lack, and what a damaged one hides.

namespace pmproof::validator {

// `members` in any order. A gap is longer than `gap` nanoseconds. Reads their metadata, of one
// archive at a time within `budget`.
Neighbours FindNeighbours(const archive::Storage& storage, std::string directory,
                          std::vector<Neighbour> members, std::int64_t gap,
                          const archive::MemoryBudget& budget);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TRIAGE_NEIGHBOURS_H_

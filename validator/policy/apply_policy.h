// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_POLICY_APPLY_POLICY_H_
#define PMPROOF_VALIDATOR_POLICY_APPLY_POLICY_H_

#include <cstddef>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/memory_budget.h"
#include "reference/archive/storage.h"
#include "reference/core/timestamp.h"
#include "validator/check/report/report.h"
#include "validator/policy/policy.h"

namespace pmproof::validator::policy {

struct ApplyOptions {
  const archive::Storage& storage;
  const archive::Listings* listings = nullptr;  // may be null (see FindArchive)
  archive::MemoryBudget memory;                 // of each archive
  unsigned jobs = 1;                            // threads
  Timestamp now;                                // whether an entry has expired
};

// A finding of an archive, and the entry that requires what is not so. A line can have several.
struct UnmetEntry {
  std::size_t entry = 0;    // of PolicyUse::entries
  std::size_t archive = 0;  // of Report::archives
  std::size_t finding = 0;  // of its `unmet`
};

// Judges a report of CheckAll() by a policy. Severities, counts and the verdict `conformant`
// change; what is fatal and `readable` do not. A finding does not follow from one any more that has
// become less grave. Archives are held against what is required where there is a verdict; one that
// cannot be read once more gets none. Sets have no host and are held against nothing.
//
// Returns where each finding of ArchiveReport::unmet is from, in the order of the archives.
std::vector<UnmetEntry> ApplyPolicy(const Policy& policy, const ApplyOptions& options,
                                    Report* report);

}  // namespace pmproof::validator::policy

#endif  // PMPROOF_VALIDATOR_POLICY_APPLY_POLICY_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_POLICY_REQUIREMENTS_H_
#define PMPROOF_VALIDATOR_POLICY_REQUIREMENTS_H_

#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/memory_budget.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "validator/check/report/policy_use.h"
#include "validator/policy/policy.h"

namespace pmproof::validator::policy {

// Reads an archive once more, and returns for each of `required` what it does not have of it, a
// finding for each fact. Of a damaged archive, what can be decoded is what it has. `listings` may
// be null (see FindArchive).
//
// Error: why it could not be read: as GatherInfo() says, and where a budget was exceeded.
Result<std::vector<std::vector<PolicyFinding>>> FindUnmet(
    const std::vector<const Require*>& required, const archive::Storage& storage,
    const std::string& name, const archive::Listings* listings,
    const archive::MemoryBudget& memory);

}  // namespace pmproof::validator::policy

#endif  // PMPROOF_VALIDATOR_POLICY_REQUIREMENTS_H_

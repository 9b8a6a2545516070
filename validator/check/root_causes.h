// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_ROOT_CAUSES_H_
#define PMPROOF_VALIDATOR_CHECK_ROOT_CAUSES_H_

#include <functional>
#include <optional>
#include <vector>

#include "reference/archive/layout.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/report/report.h"

namespace pmproof::validator {

// The volume that the index entry of a finding points into; nothing if it is of no entry.
using VolumeOfEntry = std::function<std::optional<archive::Part>(const Finding&)>;

// Sets `follows` of each finding that another one explains, as the rules' `follows` have it: the
// gravest of the candidates, and never one that is less grave. `findings` are those of one archive
// in their order. Takes O(n log n).
void LinkCauses(const Catalogue& catalogue, const VolumeOfEntry& volume_of_entry,
                std::vector<Finding>& findings);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_ROOT_CAUSES_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_SALVAGE_METADATA_H_
#define PMPROOF_VALIDATOR_SALVAGE_SALVAGE_METADATA_H_

#include <memory>

#include "reference/archive/file_set.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/salvage/choose_label.h"
#include "validator/salvage/index_hints.h"
#include "validator/salvage/loss_log.h"
#include "validator/salvage/salvaged_metadata.h"

namespace pmproof::validator {

// Saves the metadata records of an archive whose label is chosen. What cannot be framed, decoded or
// has an error of the rules on metadata is left out, and `log` says so:
//   - A record that contradicts an earlier one (ARC-1311..1314, ARC-1308, ARC-1309, ...) goes.
//   - Entries of an instance domain that readers ignore (ARC-1408, ARC-1415, ARC-1416) go, and the
//     rest of their record stays.
//   - Deltas without the full record that they apply to (ARC-1414) go.
// What went can have been what others rest on, so this is done until no rule is broken any more.
//
// Returns nothing if no descriptor is left, or there is no .meta file. Errors: what is no damage,
// and kBudget.
Result<std::unique_ptr<SalvagedMetadata>> SalvageMetadata(
    const archive::Storage& storage, const archive::FileSet& files, const ChosenLabel& chosen,
    const IndexHints& hints, const Catalogue& catalogue, const CheckOptions& options, LossLog& log);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_SALVAGE_METADATA_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_SALVAGE_DATA_H_
#define PMPROOF_VALIDATOR_SALVAGE_SALVAGE_DATA_H_

#include <cstdint>
#include <optional>

#include "reference/archive/file_set.h"
#include "reference/archive/metadata.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/salvage/choose_label.h"
#include "validator/salvage/index_hints.h"
#include "validator/salvage/loss_log.h"
#include "validator/salvage/salvage.h"
#include "validator/salvage/salvage_writer.h"

namespace pmproof::validator {

// What the data records that were written hold.
struct DataKept {
  std::uint64_t value_sets = 0;
  std::uint64_t values = 0;
  bool ends_early = false;  // of the last records no value set is left
};

// Saves the data records of all volumes into `writer`, in one pass. `metadata` is what was saved.
tl::expected<DataKept, SalvageFailure> SalvageData(
    const archive::Storage& storage, const archive::FileSet& files, const ChosenLabel& chosen,
    const IndexHints& hints, const archive::Metadata& metadata, const Catalogue& catalogue,
    const CheckOptions& options, SalvageWriter& writer, LossLog& log);

// Where there are no metadata: logs what the volumes hold, by metric. Nothing, or why they cannot
// be read.
std::optional<Status> SurveyData(const archive::Storage& storage, const archive::FileSet& files,
                                 const ChosenLabel& chosen, const IndexHints& hints,
                                 const CheckOptions& options, LossLog& log);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_SALVAGE_DATA_H_

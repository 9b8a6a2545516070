// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_SALVAGE_H_
#define PMPROOF_VALIDATOR_SALVAGE_SALVAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/output_storage.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/salvage/salvage_report.h"

namespace pmproof::validator {

struct SalvageOptions {
  CheckOptions check;                      // of what was written; its memory is that of all
  std::vector<std::string> replaced = {};  // files that are in the way and removed
};

// Why there is neither a new archive nor a report.
struct SalvageFailure {
  enum class Cause : std::uint8_t {
    kInput,          // it cannot be read: the operating system's words, or kBudget
    kOutput,         // writing failed
    kNotConformant,  // the check refused what was written, which is a fault of this program
  };
  Cause cause = Cause::kInput;
  Status status;
};

// Writes what can be saved of the archive `in` as the conformant archive `out` ("DIRECTORY/BASE"),
// of the same version, not compressed. `in` is not changed, and need not have an index.
//
//   - The label is chosen among those that can be read (choose_label.h).
//   - Metadata records that cannot be decoded or contradict earlier ones are left out
//     (salvage_metadata.h).
//   - Records that cannot be framed or decoded are left out; what stands after them is found again
//     (resync_reader.h), and a mark is written in their place (salvage_writer.h).
//   - Records whose time is out of order or out of range are left out likewise (time_gate.h).
//   - Value sets that have an error under the metadata that are left are taken out of their records
//     (value_filter.h).
//   - The index is made anew.
//
// What was written is checked before it gets its names: only what is conformant becomes `out`.
// There is no `out` where no label, no descriptor or no data record is left (kNothing); then the
// report says what the volumes hold. Memory is that of the content of .meta, decoded, of a few data
// records and of the losses; beyond the budget there is kBudget and no report.
struct SalvageOutcome {
  std::optional<SalvageFailure> failure;
  SalvageReport report;  // where there is no failure
};
SalvageOutcome Salvage(const archive::Storage& storage, const std::string& in,
                       archive::OutputStorage& output, const std::string& out,
                       const Catalogue& catalogue, const SalvageOptions& options);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_SALVAGE_H_

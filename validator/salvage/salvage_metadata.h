// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_SALVAGE_METADATA_H_
#define PMPROOF_VALIDATOR_SALVAGE_SALVAGE_METADATA_H_

#include <memory>
#include <optional>
#include <string>

#include "reference/archive/archive_label.h"
#include "reference/archive/encode.h"
#include "reference/archive/file_set.h"
#include "reference/archive/metadata.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/salvage/choose_label.h"
#include "validator/salvage/index_hints.h"
#include "validator/salvage/loss_log.h"

namespace pmproof::validator {

// The metadata records that can be saved, as the .meta file of the new archive. A resource: the
// views of metadata() hold as long as it does.
class SalvagedMetadata {
 public:
  // `records` are framed records of `version`, back to back.
  static Result<std::unique_ptr<SalvagedMetadata>> Decode(archive::Buffer records, int version,
                                                          archive::Reporter& reporter,
                                                          std::size_t budget);

  // Offsets in it are those in the new file, after a label of its version.
  const archive::Metadata& metadata() const { return metadata_; }

  // The records, without the label.
  Bytes records() const;

 private:
  SalvagedMetadata() = default;

  archive::MemoryStorage storage_;
  std::unique_ptr<archive::StoredFile> stored_;
  std::unique_ptr<archive::Source> source_;
  archive::Metadata metadata_;
  int version_ = 0;
};

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

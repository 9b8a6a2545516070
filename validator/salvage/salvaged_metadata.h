// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_SALVAGED_METADATA_H_
#define PMPROOF_VALIDATOR_SALVAGE_SALVAGED_METADATA_H_

#include <cstddef>
#include <memory>

#include "reference/archive/encode.h"
#include "reference/archive/metadata.h"
#include "reference/archive/reporter.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"

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

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_SALVAGED_METADATA_H_

// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/salvaged_metadata.h"

#include <string>
#include <utility>

#include "reference/archive/layout.h"

namespace pmproof::validator {

using archive::LayoutOf;

Result<std::unique_ptr<SalvagedMetadata>> SalvagedMetadata::Decode(archive::Buffer records,
                                                                   int version,
                                                                   archive::Reporter& reporter,
                                                                   std::size_t budget) {
  std::unique_ptr<SalvagedMetadata> salvaged(new SalvagedMetadata);
  const std::string name = "meta";
  salvaged->version_ = version;
  archive::Buffer& content = salvaged->storage_.files[name];
  content = std::move(records);
  // A place for the label, so that offsets are those of the file.
  content.insert(content.begin(), LayoutOf(version).label, 0);
  salvaged->stored_ = *salvaged->storage_.Open(name);
  salvaged->source_ = archive::MakeSource(*salvaged->stored_, name, archive::Compression::kNone);
  salvaged->source_->Skip(LayoutOf(version).label);
  Result<archive::Metadata> metadata =
      archive::LoadMetadata(*salvaged->source_, version, reporter, budget);
  if (!metadata) return tl::unexpected(metadata.error());
  salvaged->metadata_ = *std::move(metadata);
  return salvaged;
}

Bytes SalvagedMetadata::records() const {
  return stored_->bytes().subspan(LayoutOf(version_).label);
}

}  // namespace pmproof::validator

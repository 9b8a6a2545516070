// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/output_name.h"

#include <algorithm>
#include <optional>

#include "reference/archive/file_set.h"

namespace pmproof::validator {

std::string RefuseBaseName(const archive::Storage& storage, const std::string& out) {
  const std::string base = out.substr(out.rfind('/') + 1);
  const auto kind = storage.KindOf(out);
  if (base.empty() || (kind && *kind == archive::DirectoryEntry::Kind::kDirectory)) {
    return "is a directory: give the base name of an archive";
  }
  const std::string directory = out.substr(0, out.size() - base.size());
  const auto parent = storage.KindOf(directory.empty() ? "." : directory);
  if (!parent || *parent != archive::DirectoryEntry::Kind::kDirectory)
    return "its directory is not there";
  const std::optional<archive::FileName> name = archive::ParseFileName(base);
  const bool of_archive =
      name && (name->part == archive::kMetaPart || name->part == archive::kIndexPart);
  const bool compressed =
      std::ranges::any_of(archive::kCompressionSuffixes,
                          [&](const auto& known) { return base.ends_with(known.suffix); });
  if (of_archive || compressed || base.find(',') != std::string::npos) {
    return "PCP does not take this for the base name of an archive [ARC-039]";
  }
  return "";
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_REWRITE_H_
#define PMPROOF_REFERENCE_ARCHIVE_REWRITE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/memory_budget.h"
#include "reference/archive/output_storage.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"

namespace pmproof::archive {

struct RewriteOptions {
  std::optional<int> version = {};              // 2 or 3; as the archive is if there is none
  std::optional<Compression> compression = {};  // of every file; as the file is if there is none
  std::vector<std::string> replaced = {};       // files that are in the way and removed
  MemoryBudget memory{};
};

struct RewriteFailure {
  enum class Cause : std::uint8_t {
    kInput,          // it cannot be read: the status is that of reading
    kInexpressible,  // something has no counterpart in the other version
    kOutput,         // writing failed
  };
  Cause cause = Cause::kInput;
  Status status;
};

// Decodes each record of each file and encodes it again as the archive `out` ("DIRECTORY/BASE").
// With no option each file comes out byte for byte (ARC-600). A compressed file is decoded as well,
// and then written as it lies there. Bytes after the last record that readers pass over are kept.
//
// To the other version it is VersionConverter that says what can be expressed. The offsets of the
// index follow the records; an entry that points to no record, nor to the end of one, cannot be
// converted, nor can bytes after the last record. A compressed file is compressed anew, .lzma as
// .xz and .Z as .gz.
//
// Memory does not depend on the size nor the number of the volumes, but on their largest record;
// .meta of a compressed archive, or of one whose version changes, and then its index too, are held
// in memory. What does not fit the budget is kBudget. Nothing is left of `out` after a failure.
std::optional<RewriteFailure> Rewrite(const Storage& storage, const FileSet& files,
                                      OutputStorage& output, const std::string& out,
                                      const RewriteOptions& options);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_REWRITE_H_

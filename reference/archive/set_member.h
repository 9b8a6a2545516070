// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_SET_MEMBER_H_
#define PMPROOF_REFERENCE_ARCHIVE_SET_MEMBER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "reference/archive/addressable_source.h"
#include "reference/archive/archive_label.h"
#include "reference/archive/file_set.h"
#include "reference/archive/memory_budget.h"
#include "reference/archive/metadata.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// One archive as it is opened to be read together with others: its label and its metadata, without
// the data. A resource: the views of `metadata` hold as long as it does.
struct OpenedMember {
  // Why readers cannot open the archive by itself; `code` is PCP's answer, as of 7.2.2. What else
  // could be read is here all the same.
  std::optional<Status> error;
  FileSet files;
  std::optional<ArchiveLabel> label;  // of the lowest-numbered volume
  Metadata metadata;                  // empty if there is an error

  std::unique_ptr<StoredFile> meta_file;
  std::unique_ptr<Source> meta_source;
};

// Opens an archive as readers do: .meta, .index if there is one, the lowest-numbered volume; later
// volumes are not looked at, nor is more of the first one than its label and whether there is
// something after it. `budget` is for the content of a compressed .meta, and for the decoded
// records.
OpenedMember OpenMember(const Storage& storage, const FoundArchive& found,
                        const SourceLimits& limits = {},
                        std::size_t budget = MemoryBudget().Metadata());

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_SET_MEMBER_H_

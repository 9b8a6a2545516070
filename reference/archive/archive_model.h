// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_MODEL_H_
#define PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_MODEL_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/encode.h"
#include "reference/archive/file_set.h"
#include "reference/archive/layout.h"
#include "reference/archive/model.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"

// A whole archive as values, without loss (ARC-600): whatever readers accept comes out of
// EncodeArchive(DecodeArchive()) byte for byte. For archives that fit into memory several times
// over; the others are gone through record by record (decode_model.h).

namespace pmproof::archive {

// One file: its label as it stands (the volume field too), its records or entries in their order,
// and the bytes after the last whole one.
template <typename Record>
struct FileModel {
  LabelModel label;
  std::vector<Record> records;
  std::string rest = {};

  friend bool operator==(const FileModel&, const FileModel&) = default;
};

using MetaFileModel = FileModel<MetaRecordModel>;
using VolumeModel = FileModel<ResultModel>;
using IndexModel = FileModel<IndexEntryModel>;

struct ArchiveModel {
  MetaFileModel meta;
  std::map<Part, VolumeModel> volumes;
  std::optional<IndexModel> index;

  friend bool operator==(const ArchiveModel&, const ArchiveModel&) = default;
};

// The uncompressed content of each file. Each is encoded in the version of its own label.
std::map<Part, Buffer> EncodeArchive(const ArchiveModel& archive);

// Reads the files of an archive. Errors: those of the files; kDamaged with the place and the rule
// for what readers refuse; kNotFound without .meta (ARC-1001) or without a volume (ARC-1002).
Result<ArchiveModel> DecodeArchive(const Storage& storage, const FileSet& files);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_MODEL_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_WRITER_H_
#define PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_WRITER_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "reference/archive/archive_output.h"
#include "reference/archive/index_builder.h"
#include "reference/archive/model.h"
#include "reference/archive/output_storage.h"
#include "reference/archive/source.h"
#include "reference/core/status.h"

namespace pmproof::archive {

struct WriterOptions {
  // Of all files. The volume field is set for each, and the start is the time of the first data
  // record (ARC-106, ARC-610).
  LabelModel label;
  // A data record that would make its volume larger begins the next one (ARC-611). A version 2
  // archive has volumes of at most 0x7fffffff bytes in any case (ARC-086).
  std::uint64_t volume_bytes = std::numeric_limits<std::int64_t>::max();
  // At most so many data records are in a volume.
  std::uint64_t volume_records = std::numeric_limits<std::uint64_t>::max();
  bool has_index = true;
  IndexPolicy index;
  Compression compression = Compression::kNone;  // of every file
};

// Writes an archive record by record, in the manner of pmlogger (ARC-610, ARC-620..627): for one
// result first the metadata that come with it, then the data record. A resource: not copied. Memory
// is that of the records in front of the first data record.
//
// After an error nothing more is taken. What was written does not become an archive, and nothing is
// left of it, unless Finish() succeeded. Errors: those of the storage; kUsage for an archive
// without a data record or without metadata, which cannot be opened (ARC-043), and for a record
// that version 2 has no room for (ARC-086).
class ArchiveWriter {
 public:
  // `storage` outlives the writer. `path` is "DIRECTORY/BASE"; no file of such an archive exists.
  ArchiveWriter(OutputStorage& storage, const std::string& path, WriterOptions options);

  // Adds the files to those of `output`, which outlives the writer and which its owner publishes
  // after Finish(): for what is published together with other files.
  ArchiveWriter(ArchiveOutput& output, const std::string& path, WriterOptions options);

  std::optional<Status> Append(const MetaRecordModel& record);
  std::optional<Status> Append(const ResultModel& result);

  // The next data record begins a volume, unless it is the first one (ARC-611).
  void NextVolume() { next_volume_ = true; }

  // Writes what an orderly exit writes, and publishes the archive, `replaced` being as in
  // ArchiveOutput; nothing is published where somebody else does that.
  std::optional<Status> Finish(const std::vector<std::string>& replaced = {});

  // The volume that is being written.
  Part volume() const { return volume_; }

 private:
  std::optional<Status> Begin(Timestamp start);
  std::optional<Status> BeginVolume();
  std::optional<Status> AddPart(Part part, PartOutput** output);
  std::optional<Status> AddEntry(const std::optional<IndexEntryModel>& entry);
  void PutEntry(const IndexEntryModel& entry);
  std::optional<Status> Fail(Status status);
  std::uint64_t VolumeLimit() const;

  std::unique_ptr<ArchiveOutput> own_;  // null: somebody else publishes
  ArchiveOutput* output_;
  std::string path_;
  std::string base_;
  WriterOptions options_;
  IndexBuilder index_;
  std::optional<Status> failure_;
  bool begun_ = false;
  Buffer early_;   // metadata in front of the first data record
  Buffer record_;  // the data record that is being added
  PartOutput* meta_ = nullptr;
  PartOutput* index_file_ = nullptr;
  PartOutput* data_ = nullptr;
  Part volume_ = 0;
  std::uint64_t records_ = 0;  // in the volume
  bool next_volume_ = false;
  std::uint64_t entries_ = 0;                 // in the index, and the one held back
  std::optional<IndexEntryModel> held_back_;  // until the one after it is written
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_WRITER_H_

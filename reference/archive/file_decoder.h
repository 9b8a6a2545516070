// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_FILE_DECODER_H_
#define PMPROOF_REFERENCE_ARCHIVE_FILE_DECODER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "reference/archive/decode_model.h"
#include "reference/archive/file_set.h"
#include "reference/archive/memory_budget.h"
#include "reference/archive/record_reader.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"

namespace pmproof::archive {

// Goes through one file of an archive from front to back and gives its records as models, in the
// memory of one record (of a compressed .meta: of its whole content). A resource: not copied.
//
// Errors: those of the file; kDamaged with the place and the rule for what readers refuse, a cut
// record (ARC-1102) and a tail of zeros (ARC-1107) among them; kBudget for a record that is larger
// than MemoryBudget::Record(), or a compressed .meta than Metadata().
class FileDecoder {
 public:
  // Opens the file and decodes its label.
  static Result<std::unique_ptr<FileDecoder>> Open(const Storage& storage, const ArchiveFile& file,
                                                   Part part,
                                                   const MemoryBudget& budget = MemoryBudget());

  const LabelModel& label() const { return label_; }

  // The next record or entry, nothing after the last one. Which of the three is right depends on
  // the part: .meta, a volume, .index.
  Result<std::optional<MetaRecordModel>> NextMeta();
  Result<std::optional<ResultModel>> NextResult();
  Result<std::optional<IndexEntryModel>> NextEntry();

  // The offset of the record or entry that was given last; after the last one the end of the
  // records.
  std::uint64_t offset() const { return offset_; }

  // After the last record or entry: the 1 to 3 stray bytes (ARC-1105) or the part of an entry
  // (ARC-1901) that readers pass over.
  Result<std::string> Rest();

  // The file as it lies there, compressed or not.
  Bytes stored() const PMPROOF_LIFETIME_BOUND { return stored_->bytes(); }

  // The whole uncompressed content, where it is in memory or mapped.
  std::optional<Bytes> content() const PMPROOF_LIFETIME_BOUND { return source_->mapped(); }

 private:
  FileDecoder(std::string name, std::unique_ptr<StoredFile> stored, std::unique_ptr<Source> source,
              LabelModel label, Part part, const MemoryBudget& budget);
  Result<std::optional<RecordView>> NextRecord();

  std::unique_ptr<StoredFile> stored_;
  std::unique_ptr<Source> source_;
  LabelModel label_;
  ViolationKeeper violations_;
  RecordReader reader_;
  RecordDecoder decoder_;
  std::string name_;
  MemoryBudget budget_;
  std::uint64_t offset_ = 0;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_FILE_DECODER_H_

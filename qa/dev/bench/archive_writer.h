// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_QA_DEV_BENCH_ARCHIVE_WRITER_H_
#define PMPROOF_QA_DEV_BENCH_ARCHIVE_WRITER_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/archive/model.h"
#include "reference/core/bytes.h"
#include "reference/core/timestamp.h"

namespace pmproof::bench {

// A file that is written from its start to its end. What goes wrong is kept until Close().
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);

  void Write(Bytes bytes);
  std::uint64_t size() const { return size_; }

  // False if any byte could not be written; errno-like text in error().
  bool Close();
  const std::string& error() const { return error_; }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void Fail();

  std::string path_;
  std::string error_;
  std::uint64_t size_ = 0;
  std::vector<char> buffer_;
  std::unique_ptr<std::FILE, Closer> file_;
};

// Writes an archive as pmlogger does: metadata in front of the record that needs it
// first (ARC-620), index entries by ARC-625 and ARC-627. Memory does not grow with the archive.
class ArchiveWriter {
 public:
  enum class Index { kAsPmlogger, kEachRecord };

  // Creates BASE.meta, BASE.index and BASE.0, or empties them.
  ArchiveWriter(const std::string& base, const archive::LabelModel& label, Index index);
  // `label` is that of any file of an archive; its number is put in.
  ArchiveWriter(const std::string& base, int version, Bytes label, Index index);

  int version() const { return version_; }
  std::uint64_t volume_size() const { return volume_->size(); }

  // `record` belongs to the next data record.
  void AddMeta(const archive::MetaRecordModel& record);
  void AddMeta(Bytes record, bool is_indom);
  // `bytes` are a whole data record with that time.
  void AddRecord(Timestamp time, Bytes bytes);
  void AddRecord(const archive::ResultModel& result);
  // Marks get no index entry (ARC-512).
  void AddMark(Timestamp time);
  // What comes next goes to BASE.1, then BASE.2, and so on.
  void NextVolume();
  // Writes the final index entry. False if a file could not be written, see error().
  bool Finish();

  const std::string& error() const { return error_; }
  std::uint64_t records() const { return records_; }
  std::uint64_t marks() const { return marks_; }
  std::uint64_t indom_records() const { return indom_records_; }
  std::uint64_t index_entries() const { return index_entries_; }

 private:
  void WriteLabel(archive::Part part, OutputFile* file);
  void AddEntry(Timestamp time, std::uint64_t meta_offset, std::uint64_t data_offset);

  std::string base_;
  int version_;
  archive::Buffer label_;
  Index index_policy_;
  OutputFile meta_;
  OutputFile index_;
  std::unique_ptr<OutputFile> volume_;
  std::int32_t volume_number_ = 0;
  std::string error_;
  archive::Buffer scratch_;

  std::uint64_t meta_before_ = 0;       // size of .meta before what belongs to the next record
  bool indom_written_ = false;          // since the last record
  std::uint64_t next_entry_ = 100'000;  // F of ARC-625
  Timestamp last_time_;
  std::uint64_t last_offset_ = 0;
  Timestamp last_entry_time_;
  std::uint64_t records_ = 0;
  std::uint64_t marks_ = 0;
  std::uint64_t indom_records_ = 0;
  std::uint64_t index_entries_ = 0;
};

}  // namespace pmproof::bench

#endif  // PMPROOF_QA_DEV_BENCH_ARCHIVE_WRITER_H_

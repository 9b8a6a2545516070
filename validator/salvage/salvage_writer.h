// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_SALVAGE_WRITER_H_
#define PMPROOF_VALIDATOR_SALVAGE_SALVAGE_WRITER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/archive_output.h"
#include "reference/archive/index_builder.h"
#include "reference/archive/metadata.h"
#include "reference/archive/model.h"
#include "reference/core/status.h"
#include "validator/salvage/loss_log.h"
#include "validator/salvage/staged_archive.h"
#include "validator/salvage/time_gate.h"

namespace pmproof::validator {

// Writes the new archive: .meta as it was saved, the data records in volumes numbered from 0, each
// of them begun where one of the broken archive begins, and an index of its own (ARC-620..627). The
// bytes of a record are written as they are.
//
// Where records were lost a mark is written, one millisecond after the record before (ARC-511), or
// at the time of the next record where that is sooner (ARC-1724). None is written where the
// records on both sides have the same time, where a mark is there already, and before the first
// record or after the last (ARC-512). Marks before the first data record are left out.
class SalvageWriter {
 public:
  // All outlive this. `out` is "DIRECTORY/BASE".
  SalvageWriter(archive::OutputStorage& output, const std::string& out, archive::LabelModel label,
                const archive::Metadata& metadata, Bytes records, LossLog& log);

  // The files begin with the first data record, with this start in their labels; without one, with
  // the time of that record.
  void SetStart(std::optional<Timestamp> start) { start_ = start; }

  // Records come in order of time. `file` is where a mark is from.
  std::optional<Status> Data(const SalvagedRecord& record);
  void Mark(SalvagedRecord record, const std::string& file);
  // Records are lost before the next one.
  void Hole() { hole_ = true; }
  // There is no next one yet.
  bool ends_in_hole() const { return hole_; }

  // Writes what ends the archive, and closes its files. Nothing is published. Requires begun().
  std::optional<Status> Close();

  bool begun() const { return meta_ != nullptr; }
  // Under which name each file lies now, by the path that it is to have.
  const std::map<std::string, std::string>& staged() const { return staged_; }
  std::optional<Status> Publish(const std::vector<std::string>& replaced) {
    return output_.Publish(replaced);
  }

  std::uint64_t records() const { return records_; }
  std::uint64_t marks() const { return marks_; }                  // of the broken archive
  std::uint64_t marks_written() const { return marks_written_; }  // for what was lost
  std::uint64_t volumes() const { return static_cast<std::uint64_t>(volume_) + 1; }
  std::uint64_t bytes() const { return bytes_; }  // after Close()
  std::optional<Timestamp> first() const { return first_; }
  std::optional<Timestamp> last() const { return last_; }

 private:
  std::optional<Status> Begin(Timestamp first);
  std::optional<Status> Add(archive::Part part, archive::PartOutput** output);
  std::optional<Status> PutMarks(Timestamp until);
  std::optional<Status> Put(Bytes record, Timestamp time, bool mark);
  std::optional<Status> MakeRoom(std::size_t size);
  std::optional<Status> AddEntry(const std::optional<archive::IndexEntryModel>& entry);
  void LoseMark(const SalvagedRecord& mark, const std::string& file, Clause clause,
                const char* message);
  std::uint64_t MetaEndAt(Timestamp time);

  NamedOutput named_;
  archive::ArchiveOutput output_;
  std::string out_;
  archive::LabelModel label_;
  const archive::Metadata& metadata_;
  Bytes meta_records_;
  LossLog& log_;
  archive::IndexBuilder index_;
  std::optional<Timestamp> start_;
  std::map<std::string, std::string> staged_;
  std::vector<archive::PartOutput*> parts_;
  archive::PartOutput* meta_ = nullptr;
  archive::PartOutput* index_file_ = nullptr;
  archive::PartOutput* data_ = nullptr;
  archive::Part volume_ = -1;
  archive::Part source_part_ = 0;  // whose records the volume has
  std::size_t next_position_ = 0;  // in metadata_.positions: the first one later than the data
  struct WaitingMark {
    SalvagedRecord record;
    std::string file;
  };
  std::vector<WaitingMark> waiting_;  // until it is known what follows them
  bool hole_ = false;
  std::optional<Timestamp> first_;
  std::optional<Timestamp> last_;  // of the data record that was written last
  std::uint64_t records_ = 0;
  std::uint64_t marks_ = 0;
  std::uint64_t marks_written_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_SALVAGE_WRITER_H_

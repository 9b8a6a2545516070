// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/salvage_writer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "reference/archive/file_set.h"

namespace pmproof::validator {
namespace {

using archive::kIndexPart;
using archive::kMetaPart;
using archive::LayoutOf;
using archive::Part;
using archive::RecordType;

constexpr std::uint64_t kLargestOffsetV2 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMarkAfter = 1'000'000;  // nanoseconds (ARC-511)
// Marks in a row that are kept. Nobody writes more than a few.
constexpr std::size_t kMostMarksInARow = 64;
constexpr const char* kNotBetween = "the mark does not lie between the records around it";

bool IsIndom(RecordType type) {
  return type == RecordType::kIndomV2 || type == RecordType::kIndom ||
         type == RecordType::kIndomDelta;
}

// What the index builder needs to know of a record.
archive::ResultModel Outline(Timestamp time, bool mark) {
  archive::ResultModel result;
  result.time = time;
  if (!mark) result.sets.resize(1);
  return result;
}

}  // namespace

SalvageWriter::SalvageWriter(archive::OutputStorage& output, const std::string& out,
                             archive::LabelModel label, const archive::Metadata& metadata,
                             Bytes records, LossLog& log)
    : named_(output),
      output_(named_, out),
      out_(out),
      label_(std::move(label)),
      metadata_(metadata),
      meta_records_(records),
      log_(log),
      index_(label_.version, {}) {}

std::optional<Status> SalvageWriter::Data(const SalvagedRecord& record) {
  if (!begun()) {
    source_part_ = record.part;
    if (auto error = Begin(record.time)) return error;
  }
  if (auto error = PutMarks(record.time)) return error;
  if (volume_ >= 0 && record.part != source_part_) {
    if (auto error = data_->Close()) return error;
    data_ = nullptr;
  }
  source_part_ = record.part;
  if (auto error = Put(record.bytes, record.time, /*mark=*/false)) return error;
  ++records_;
  if (!first_) first_ = record.time;
  last_ = record.time;
  return std::nullopt;
}

void SalvageWriter::Mark(SalvagedRecord record, const std::string& file) {
  if (!last_) {
    // It would stand before what the first entry of the index is for (ARC-1921).
    LoseMark(record, file, "ARC-1723"_clause, "no data record is left before the mark");
    return;
  }
  if (record.time <= *last_) {
    // One that is written for what is lost takes its place.
    LoseMark(record, file, "ARC-1724"_clause, kNotBetween);
    hole_ = true;
    return;
  }
  if (waiting_.size() == kMostMarksInARow ||
      (!waiting_.empty() && record.time < waiting_.back().record.time)) {
    LoseMark(record, file, "ARC-1724"_clause, kNotBetween);
    return;
  }
  waiting_.push_back({std::move(record), file});
}

// The marks between the last data record and the one of time `until`.
std::optional<Status> SalvageWriter::PutMarks(Timestamp until) {
  bool any = false;
  for (WaitingMark& mark : std::exchange(waiting_, {})) {
    if (mark.record.time > until) {
      LoseMark(mark.record, mark.file, "ARC-1724"_clause, kNotBetween);
      hole_ = true;
      continue;
    }
    if (auto error = Put(mark.record.bytes, mark.record.time, /*mark=*/true)) return error;
    ++marks_;
    any = true;
  }
  if (!std::exchange(hole_, false)) return std::nullopt;
  log_.times().AddRecords({last_.value_or(TimeSpan::kBegin), until});
  if (any || !last_ || *last_ >= until) return std::nullopt;
  const Timestamp time = std::min(*last_ + kMarkAfter, until);
  archive::Buffer bytes;
  archive::AppendResult(Outline(time, /*mark=*/true), label_.version, &bytes);
  if (auto error = Put(bytes, time, /*mark=*/true)) return error;
  ++marks_written_;
  return std::nullopt;
}

std::optional<Status> SalvageWriter::Put(Bytes record, Timestamp time, bool mark) {
  if (auto error = MakeRoom(record.size())) return error;
  const std::uint64_t begin = data_->position();
  data_->buffer()->insert(data_->buffer()->end(), record.begin(), record.end());
  const std::uint64_t meta_end = mark ? 0 : MetaEndAt(time);
  const auto entry =
      index_.NoteResult(Outline(time, mark), volume_, begin, data_->position(), meta_end);
  if (auto error = data_->Settle()) return error;
  return AddEntry(entry);
}

// A volume to write to. Those of version 2 have a largest size (ARC-086).
std::optional<Status> SalvageWriter::MakeRoom(std::size_t size) {
  if (data_ != nullptr && label_.version == 2 && data_->position() + size > kLargestOffsetV2) {
    if (auto error = data_->Close()) return error;
    data_ = nullptr;
  }
  if (data_ != nullptr) return std::nullopt;
  ++volume_;
  return Add(volume_, &data_);
}

std::optional<Status> SalvageWriter::Begin(Timestamp first) {
  label_.start = start_.value_or(first);
  label_.fraction.reset();
  if (auto error = Add(kIndexPart, &index_file_)) return error;
  if (auto error = Add(kMetaPart, &meta_)) return error;
  if (auto error = meta_->Write(meta_records_)) return error;
  return std::nullopt;
}

std::optional<Status> SalvageWriter::Add(Part part, archive::PartOutput** output) {
  auto added = output_.Add(part, "", archive::Compression::kNone);
  if (!added) return added.error();
  *output = *added;
  parts_.push_back(*added);
  staged_[out_ + "." + archive::PartSuffix(part)] = named_.created();
  archive::LabelModel label = label_;
  label.volume = part;
  archive::AppendLabel(label, (*output)->buffer());
  return std::nullopt;
}

// Where .meta ends as of a time: what a logger would have written up to then.
std::uint64_t SalvageWriter::MetaEndAt(Timestamp time) {
  const auto& positions = metadata_.positions;
  while (next_position_ < positions.size() &&
         (!positions[next_position_].time || *positions[next_position_].time <= time)) {
    if (IsIndom(positions[next_position_].type)) index_.NoteIndom();
    ++next_position_;
  }
  return next_position_ == 0 ? LayoutOf(label_.version).label : positions[next_position_ - 1].end();
}

std::optional<Status> SalvageWriter::AddEntry(
    const std::optional<archive::IndexEntryModel>& entry) {
  if (!entry) return std::nullopt;
  archive::AppendIndexEntry(*entry, label_.version, index_file_->buffer());
  return index_file_->Settle();
}

std::optional<Status> SalvageWriter::Close() {
  if (std::exchange(hole_, false)) log_.times().AddRecords({*last_, TimeSpan::kEnd});
  for (WaitingMark& mark : std::exchange(waiting_, {})) {
    if (auto error = Put(mark.record.bytes, mark.record.time, /*mark=*/true)) return error;
    ++marks_;
  }
  if (auto error = AddEntry(index_.Last())) return error;
  for (archive::PartOutput* const output : parts_) {
    bytes_ += output->position();
    if (auto error = output->Close()) return error;
  }
  return std::nullopt;
}

void SalvageWriter::LoseMark(const SalvagedRecord& mark, const std::string& file, Clause clause,
                             const char* message) {
  log_.times().AddOutOfOrder(mark.time);
  log_.Add({.kind = Loss::Kind::kMarks,
            .clause = clause,
            .file = file,
            .part = mark.part,
            .offset = mark.offset,
            .length = mark.bytes.size(),
            .count = 1,
            .from = mark.time,
            .until = mark.time,
            .message = message});
}

}  // namespace pmproof::validator

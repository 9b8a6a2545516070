// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/archive_writer.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "reference/archive/compressing_output.h"
#include "reference/archive/encode.h"
#include "reference/archive/layout.h"

namespace pmproof::archive {
namespace {

constexpr std::uint64_t kLargestOffsetV2 = std::numeric_limits<std::int32_t>::max();

}  // namespace

ArchiveWriter::ArchiveWriter(OutputStorage& storage, const std::string& path, WriterOptions options)
    : own_(std::make_unique<ArchiveOutput>(storage, path)),
      output_(own_.get()),
      path_(path),
      base_(path.substr(path.rfind('/') + 1)),
      options_(std::move(options)),
      index_(options_.label.version, options_.index) {}

ArchiveWriter::ArchiveWriter(ArchiveOutput& output, const std::string& path, WriterOptions options)
    : output_(&output),
      path_(path),
      base_(path.substr(path.rfind('/') + 1)),
      options_(std::move(options)),
      index_(options_.label.version, options_.index) {}

std::optional<Status> ArchiveWriter::Fail(Status status) {
  failure_ = std::move(status);
  return failure_;
}

std::uint64_t ArchiveWriter::VolumeLimit() const {
  return options_.label.version == 2 ? std::min(options_.volume_bytes, kLargestOffsetV2)
                                     : options_.volume_bytes;
}

std::optional<Status> ArchiveWriter::Append(const MetaRecordModel& record) {
  if (failure_) return failure_;
  const int version = options_.label.version;
  Buffer* buffer = begun_ ? meta_->buffer() : &early_;
  AppendMetaRecord(record, version, buffer);
  if (std::holds_alternative<IndomModel>(record)) index_.NoteIndom();
  if (!begun_) return std::nullopt;
  if (version == 2 && meta_->position() > kLargestOffsetV2) {
    return Fail({Status::Kind::kUsage, path_, meta_->position(), "ARC-086"_clause,
                 "the metadata are larger than version 2 can hold", ErrorCode::kOk});
  }
  if (auto error = meta_->Settle()) return Fail(*std::move(error));
  return std::nullopt;
}

std::optional<Status> ArchiveWriter::Append(const ResultModel& result) {
  if (failure_) return failure_;
  const int version = options_.label.version;
  if (!begun_) {
    if (auto error = Begin(result.time)) return Fail(*std::move(error));
  }
  record_.clear();
  AppendResult(result, version, &record_);
  const bool full = data_->position() + record_.size() > VolumeLimit() ||
                    records_ >= options_.volume_records || next_volume_;
  next_volume_ = false;
  if (records_ > 0 && full) {
    if (auto error = data_->Close()) return Fail(*std::move(error));
    ++volume_;
    if (auto error = BeginVolume()) return Fail(*std::move(error));
  }
  const std::uint64_t begin = data_->position();
  if (version == 2 && begin + record_.size() > kLargestOffsetV2) {
    return Fail({Status::Kind::kUsage, path_, begin, "ARC-086"_clause,
                 "the data record is larger than a volume of version 2 can hold", ErrorCode::kOk});
  }
  data_->buffer()->insert(data_->buffer()->end(), record_.begin(), record_.end());
  ++records_;
  const auto entry =
      index_.NoteResult(result, volume_, begin, data_->position(), meta_->position());
  if (auto error = data_->Settle()) return Fail(*std::move(error));
  return AddEntry(entry);
}

std::optional<Status> ArchiveWriter::Finish(const std::vector<std::string>& replaced) {
  if (failure_) return failure_;
  if (!begun_ || meta_->position() == LayoutOf(options_.label.version).label) {
    return Fail({Status::Kind::kUsage, path_, std::nullopt, "ARC-043"_clause,
                 begun_ ? "an archive without metadata cannot be opened"
                        : "an archive without a data record cannot be opened",
                 ErrorCode::kOk});
  }
  if (auto error = AddEntry(index_.Last())) return error;
  if (held_back_) PutEntry(*std::exchange(held_back_, std::nullopt));
  if (own_ != nullptr) {
    if (auto error = own_->Publish(replaced)) return Fail(*std::move(error));
  }
  failure_ = Status{Status::Kind::kUsage,      path_,         std::nullopt, {},
                    "the archive is finished", ErrorCode::kOk};
  return std::nullopt;
}

// The files in the order in which pmlogger begins them (ARC-610).
std::optional<Status> ArchiveWriter::Begin(Timestamp start) {
  options_.label.start = start;
  if (options_.has_index) {
    if (auto error = AddPart(kIndexPart, &index_file_)) return error;
  }
  if (auto error = AddPart(kMetaPart, &meta_)) return error;
  meta_->buffer()->insert(meta_->buffer()->end(), early_.begin(), early_.end());
  early_ = {};
  begun_ = true;
  return BeginVolume();
}

std::optional<Status> ArchiveWriter::BeginVolume() {
  records_ = 0;
  return AddPart(volume_, &data_);
}

std::optional<Status> ArchiveWriter::AddPart(Part part, PartOutput** output) {
  Result<PartOutput*> added =
      output_->AddFile(base_ + "." + PartSuffix(part) + std::string(SuffixOf(options_.compression)),
                       options_.compression);
  if (!added) return added.error();
  *output = *added;
  LabelModel label = options_.label;
  label.volume = part;
  AppendLabel(label, (*output)->buffer());
  return std::nullopt;
}

std::optional<Status> ArchiveWriter::AddEntry(const std::optional<IndexEntryModel>& entry) {
  if (!entry || index_file_ == nullptr) return std::nullopt;
  if (options_.index.swapped == entries_++) {
    held_back_ = *entry;
    return std::nullopt;
  }
  PutEntry(*entry);
  if (held_back_) PutEntry(*std::exchange(held_back_, std::nullopt));
  if (auto error = index_file_->Settle()) return Fail(*std::move(error));
  return std::nullopt;
}

void ArchiveWriter::PutEntry(const IndexEntryModel& entry) {
  AppendIndexEntry(entry, options_.label.version, index_file_->buffer());
}

}  // namespace pmproof::archive

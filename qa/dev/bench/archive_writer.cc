// SPDX-License-Identifier: Apache-2.0
#include "qa/dev/bench/archive_writer.h"

#include <cerrno>
#include <cstring>
#include <variant>

namespace pmproof::bench {

OutputFile::OutputFile(const std::string& path) : path_(path), buffer_(1 << 20) {
  file_.reset(std::fopen(path.c_str(), "wb"));
  if (file_ == nullptr) {
    Fail();
  } else {
    std::setvbuf(file_.get(), buffer_.data(), _IOFBF, buffer_.size());
  }
}

void OutputFile::Fail() {
  if (error_.empty()) error_ = path_ + ": " + std::strerror(errno);
}

void OutputFile::Write(Bytes bytes) {
  size_ += bytes.size();
  if (!error_.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) Fail();
}

bool OutputFile::Close() {
  if (file_ != nullptr && std::fclose(file_.release()) != 0) Fail();
  return error_.empty();
}

namespace {

archive::Buffer Encoded(const archive::LabelModel& label) {
  archive::Buffer bytes;
  archive::AppendLabel(label, &bytes);
  return bytes;
}

}  // namespace

ArchiveWriter::ArchiveWriter(const std::string& base, const archive::LabelModel& label, Index index)
    : ArchiveWriter(base, label.version, Encoded(label), index) {}

ArchiveWriter::ArchiveWriter(const std::string& base, int version, Bytes label, Index index)
    : base_(base),
      version_(version),
      label_(label.begin(), label.end()),
      index_policy_(index),
      meta_(base + ".meta"),
      index_(base + ".index"),
      volume_(std::make_unique<OutputFile>(base + ".0")) {
  WriteLabel(archive::kIndexPart, &index_);
  WriteLabel(archive::kMetaPart, &meta_);
  WriteLabel(0, volume_.get());
  meta_before_ = meta_.size();
}

void ArchiveWriter::WriteLabel(archive::Part part, OutputFile* file) {
  const std::size_t field = 12 + archive::LayoutOf(version_).timestamp;  // ARC-100, ARC-101
  StoreU32(label_.data() + field, static_cast<std::uint32_t>(part));
  file->Write(label_);
}

void ArchiveWriter::NextVolume() {
  if (!volume_->Close() && error_.empty()) error_ = volume_->error();
  ++volume_number_;
  volume_ = std::make_unique<OutputFile>(base_ + "." + std::to_string(volume_number_));
  WriteLabel(volume_number_, volume_.get());
  next_entry_ = 0;
}

void ArchiveWriter::AddMeta(const archive::MetaRecordModel& record) {
  scratch_.clear();
  archive::AppendMetaRecord(record, version_, &scratch_);
  AddMeta(scratch_, std::holds_alternative<archive::IndomModel>(record));
}

void ArchiveWriter::AddMeta(Bytes record, bool is_indom) {
  if (is_indom) {
    indom_written_ = true;
    ++indom_records_;
  }
  meta_.Write(record);
}

void ArchiveWriter::AddRecord(Timestamp time, Bytes bytes) {
  last_time_ = time;
  last_offset_ = volume_->size();
  volume_->Write(bytes);
  const bool due = records_ == 0 || indom_written_ || volume_->size() > next_entry_;
  if (due || index_policy_ == Index::kEachRecord) {
    AddEntry(time, meta_before_, last_offset_);
    next_entry_ = volume_->size() + 100'000;
  }
  ++records_;
  indom_written_ = false;
  meta_before_ = meta_.size();
}

void ArchiveWriter::AddRecord(const archive::ResultModel& result) {
  archive::Buffer bytes;
  archive::AppendResult(result, version_, &bytes);
  AddRecord(result.time, bytes);
}

void ArchiveWriter::AddMark(Timestamp time) {
  scratch_.clear();
  archive::AppendResult({time, {}}, version_, &scratch_);
  volume_->Write(scratch_);
  ++marks_;
}

void ArchiveWriter::AddEntry(Timestamp time, std::uint64_t meta_offset, std::uint64_t data_offset) {
  scratch_.clear();
  archive::AppendIndexEntry({time, volume_number_, meta_offset, data_offset}, version_, &scratch_);
  index_.Write(scratch_);
  last_entry_time_ = time;
  ++index_entries_;
}

bool ArchiveWriter::Finish() {
  if (records_ > 0 && last_entry_time_ != last_time_) {
    AddEntry(last_time_, meta_.size(), last_offset_);
  }
  for (OutputFile* file : {&meta_, &index_, volume_.get()}) {
    if (!file->Close() && error_.empty()) error_ = file->error();
  }
  return error_.empty();
}

}  // namespace pmproof::bench

// SPDX-License-Identifier: Apache-2.0
#include "qa/dev/bench/archive_writer.h"

#include <cerrno>
#include <cstring>
#include <variant>

#include "reference/archive/layout.h"

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

ArchiveWriter::ArchiveWriter(const std::string& base, const archive::LabelModel& label, Index index)
    : version_(label.version),
      index_policy_(index),
      meta_(base + ".meta"),
      index_(base + ".index"),
      volume_(base + ".0") {
  archive::LabelModel copy = label;
  const auto write = [&](archive::Part part, OutputFile* file) {
    copy.volume = part;
    scratch_.clear();
    archive::AppendLabel(copy, &scratch_);
    file->Write(scratch_);
  };
  write(archive::kIndexPart, &index_);
  write(archive::kMetaPart, &meta_);
  write(0, &volume_);
  meta_before_ = meta_.size();
}

void ArchiveWriter::AddMeta(const archive::MetaRecordModel& record) {
  if (std::holds_alternative<archive::IndomModel>(record)) {
    indom_written_ = true;
    ++indom_records_;
  }
  scratch_.clear();
  archive::AppendMetaRecord(record, version_, &scratch_);
  meta_.Write(scratch_);
}

void ArchiveWriter::AddRecord(Timestamp time, Bytes bytes) {
  last_time_ = time;
  last_offset_ = volume_.size();
  volume_.Write(bytes);
  const bool due = records_ == 0 || indom_written_ || volume_.size() > next_entry_;
  if (due || index_policy_ == Index::kEachRecord) {
    AddEntry(time, meta_before_, last_offset_);
    next_entry_ = volume_.size() + 100'000;
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
  volume_.Write(scratch_);
  ++marks_;
}

void ArchiveWriter::AddEntry(Timestamp time, std::uint64_t meta_offset, std::uint64_t data_offset) {
  scratch_.clear();
  archive::AppendIndexEntry({time, 0, meta_offset, data_offset}, version_, &scratch_);
  index_.Write(scratch_);
  last_entry_time_ = time;
  ++index_entries_;
}

bool ArchiveWriter::Finish() {
  if (records_ > 0 && last_entry_time_ != last_time_) {
    AddEntry(last_time_, meta_.size(), last_offset_);
  }
  for (OutputFile* file : {&meta_, &index_, &volume_}) {
    if (!file->Close() && error_.empty()) error_ = file->error();
  }
  return error_.empty();
}

}  // namespace pmproof::bench

// SPDX-License-Identifier: Apache-2.0
// Repeats a recorded archive until it is large: repeat_archive [--volumes N] --bytes N FROM TO
//
// Each repetition is later than the one before it, after a mark, as an archive that was extended
// after each restart of its logger. Records are as they were recorded but for their times; events
// keep theirs. Descriptors, texts and labels stand once, and so do instance domains that never
// changed. FROM is sound and not compressed. Prints what it wrote as one JSON object.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "qa/dev/bench/archive_writer.h"
#include "reference/archive/layout.h"

namespace pmproof::bench {
namespace {

using archive::RecordType;

struct Record {
  std::vector<std::uint8_t> bytes;
  bool has_time = false;
  bool again = false;  // in each repetition
  bool is_indom = false;
  Timestamp time;
};

class Recorded {
 public:
  // Reads BASE.meta and volumes from BASE.0 on.
  explicit Recorded(const std::string& base) {
    const std::vector<std::uint8_t> meta = Read(base + ".meta");
    if (meta.size() < 8) return;
    version_ = static_cast<int>(LoadU32(meta.data() + 4) & 0xff);
    const archive::Layout& layout = archive::LayoutOf(version_);
    label_.assign(meta.begin(), meta.begin() + static_cast<std::ptrdiff_t>(layout.label));
    Split(meta, [&](Record record) { AddMeta(std::move(record)); });
    for (int volume = 0;; ++volume) {
      const std::vector<std::uint8_t> data = Read(base + "." + std::to_string(volume));
      if (data.empty()) break;
      Split(data, [&](Record record) {
        record.time = archive::LoadTimestamp(record.bytes.data() + archive::kLengthWord, version_);
        size_ += record.bytes.size();
        data_.push_back(std::move(record));
      });
    }
    for (Record& record : meta_) {
      if (record.is_indom) record.again = records_of_[Domain(record)] > 1;
    }
  }

  bool usable() const { return data_.size() > 1; }
  int version() const { return version_; }
  Bytes label() const { return label_; }
  const std::vector<Record>& meta() const { return meta_; }
  const std::vector<Record>& data() const { return data_; }
  std::uint64_t size() const { return size_; }  // of the data records
  std::int64_t seconds() const { return data_.back().time.seconds - data_.front().time.seconds; }
  bool IsMark(const Record& record) const {
    return record.bytes.size() == archive::LayoutOf(version_).mark;
  }

 private:
  static std::vector<std::uint8_t> Read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  template <typename Take>
  void Split(const std::vector<std::uint8_t>& file, Take take) const {
    std::size_t at = archive::LayoutOf(version_).label;
    while (at + archive::kMinRecord <= file.size()) {
      const std::size_t length = LoadU32(file.data() + at);
      if (length < archive::kMinRecord || length > file.size() - at) return;
      Record record;
      record.bytes.assign(file.begin() + static_cast<std::ptrdiff_t>(at),
                          file.begin() + static_cast<std::ptrdiff_t>(at + length));
      take(std::move(record));
      at += length;
    }
  }

  std::uint32_t Domain(const Record& record) const {
    return LoadU32(record.bytes.data() + 8 + archive::LayoutOf(version_).timestamp);
  }

  void AddMeta(Record record) {
    const auto type = static_cast<RecordType>(LoadI32(record.bytes.data() + archive::kLengthWord));
    record.is_indom = type == RecordType::kIndomV2 || type == RecordType::kIndom ||
                      type == RecordType::kIndomDelta;
    record.has_time = record.is_indom || type == RecordType::kLabelV2 || type == RecordType::kLabel;
    if (record.has_time) record.time = archive::LoadTimestamp(record.bytes.data() + 8, version_);
    if (record.is_indom) ++records_of_[Domain(record)];
    meta_.push_back(std::move(record));
  }

  int version_ = 2;
  std::vector<std::uint8_t> label_;
  std::vector<Record> meta_;
  std::vector<Record> data_;
  std::map<std::uint32_t, int> records_of_;  // by instance domain
  std::uint64_t size_ = 0;
};

// One repetition, `shift` seconds later than it was recorded.
void Repeat(const Recorded& from, std::int64_t shift, ArchiveWriter* to) {
  archive::Buffer bytes;
  const auto shifted = [&](const Record& record, std::size_t field) {
    bytes.assign(record.bytes.begin(), record.bytes.end());
    Timestamp time = record.time;
    time.seconds += shift;
    archive::StoreTimestamp(bytes.data() + field, time, from.version());
    return time;
  };
  if (shift > 0) {
    Timestamp time = from.data().front().time;
    time.seconds += shift - 1;
    to->AddMark(time);
  }
  auto meta = from.meta().begin();
  for (const Record& record : from.data()) {
    for (; meta != from.meta().end() && !(meta->has_time && record.time < meta->time); ++meta) {
      if (shift > 0 && !meta->again) continue;
      if (meta->has_time) {
        shifted(*meta, 8);
        to->AddMeta(bytes, meta->is_indom);
      } else {
        to->AddMeta(meta->bytes, false);
      }
    }
    const Timestamp time = shifted(record, archive::kLengthWord);
    if (from.IsMark(record)) {
      to->AddMark(time);
    } else {
      to->AddRecord(time, bytes);
    }
  }
}

int Main(int argc, char** argv) {
  CLI::App app("Repeats a recorded archive, later each time.", "repeat_archive");
  std::uint64_t bytes = 0;
  std::uint64_t volumes = 1;
  std::string from_base;
  std::string to_base;
  // Version 2 cannot address more (ARC-086).
  app.add_option("--bytes", bytes, "of data records, about")
      ->required()
      ->check(CLI::Range(std::uint64_t{1'000}, std::uint64_t{2'000'000'000}));
  app.add_option("--volumes", volumes)->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000}));
  app.add_option("FROM", from_base, "base name of a sound archive")->required();
  app.add_option("TO", to_base, "base name of the new one")->required();
  CLI11_PARSE(app, argc, argv);

  const Recorded from(from_base);
  if (!from.usable()) {
    std::fprintf(stderr, "repeat_archive: %s: no archive of two records\n", from_base.c_str());
    return 1;
  }
  ArchiveWriter to(to_base, from.version(), from.label(), ArchiveWriter::Index::kAsPmlogger);
  const std::uint64_t times = std::max<std::uint64_t>(volumes, bytes / from.size());
  for (std::uint64_t i = 0; i < times; ++i) {
    if (i > 0 && i * volumes / times != (i - 1) * volumes / times) to.NextVolume();
    Repeat(from, static_cast<std::int64_t>(i) * (from.seconds() + 60), &to);
  }
  if (!to.Finish()) {
    std::fprintf(stderr, "repeat_archive: %s\n", to.error().c_str());
    return 1;
  }
  std::printf(
      "{\"records\": %llu, \"marks\": %llu, \"indom_records\": %llu, \"index_entries\": %llu}\n",
      static_cast<unsigned long long>(to.records()), static_cast<unsigned long long>(to.marks()),
      static_cast<unsigned long long>(to.indom_records()),
      static_cast<unsigned long long>(to.index_entries()));
  return 0;
}

}  // namespace
}  // namespace pmproof::bench

int main(int argc, char** argv) { return pmproof::bench::Main(argc, argv); }

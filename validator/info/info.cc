// SPDX-License-Identifier: Apache-2.0
#include "validator/info/info.h"

#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "reference/archive/addressable_source.h"
#include "reference/archive/data_record.h"
#include "reference/archive/index.h"
#include "reference/archive/loss_watch.h"
#include "reference/archive/metadata.h"
#include "reference/archive/record_reader.h"
#include "validator/check/data_walk.h"
#include "validator/check/rules/gap_finder.h"

namespace pmproof::validator {
namespace {

using archive::kIndexPart;
using archive::kMetaPart;
using archive::Part;

// Damage of one file is named at most so often.
constexpr std::size_t kMostProblems = 16;

class Gatherer {
 public:
  Gatherer(const archive::Storage& storage, const archive::MemoryBudget& budget,
           const MetadataVisitor& on_metadata)
      : storage_(storage), budget_(budget), on_metadata_(on_metadata) {}

  ArchiveInfo Run(const std::string& name, const archive::Listings* listings) {
    info_.archive = name;
    Result<archive::FileSet> files = archive::FindArchive(storage_, name, ignore_, listings);
    if (!files) {
      info_.failure = files.error();
      return std::move(info_);
    }
    files_ = std::move(*files);
    info_.archive = files_.Name();
    for (const Status& unreadable : files_.unreadable) AddProblem(unreadable, unreadable.file);
    for (const Part part : {kMetaPart, kIndexPart}) {
      if (files_.parts.contains(part)) ReadFile(part);
    }
    for (const auto& [part, file] : files_.parts) {
      if (part >= 0) ReadFile(part);
    }
    Finish();
    return std::move(info_);
  }

 private:
  struct OpenFile {
    std::unique_ptr<archive::StoredFile> stored;
    std::unique_ptr<archive::Source> source;
    int version = 0;
  };

  void AddProblem(Status status, const std::string& file) {
    if (status.file.empty()) status.file = file;
    if (info_.problems.size() < kMostProblems) info_.problems.push_back(std::move(status));
  }

  void ReadFile(Part part) {
    const archive::ArchiveFile& file = files_.parts.at(part);
    FileInfo& shown = info_.files.emplace_back();
    shown.part = part;
    shown.name = files_.FileName(part);
    shown.compression = file.compression;
    info_.volumes += part >= 0 ? 1U : 0U;
    std::optional<OpenFile> open = Open(part, file, &shown);
    if (!open) return;
    if (part == kMetaPart) {
      ReadMetadata(*open, shown.name);
    } else if (part == kIndexPart) {
      ReadIndex(*open, shown.name);
    } else {
      ReadVolume(*open, part, shown.name);
    }
    const Result<std::uint64_t> size = SizeToTheEnd(*open->source);
    if (size) {
      shown.uncompressed = *size;
    } else if (info_.problems.empty() || info_.problems.back().file != shown.name) {
      AddProblem(size.error(), shown.name);
    }
  }

  // Opens a file and reads its label; nothing if that cannot be done.
  std::optional<OpenFile> Open(Part part, const archive::ArchiveFile& file, FileInfo* shown) {
    Result<std::unique_ptr<archive::StoredFile>> stored = storage_.Open(file.path);
    if (!stored) {
      AddProblem(stored.error(), shown->name);
      return std::nullopt;
    }
    shown->stored = (*stored)->bytes().size();
    OpenFile open;
    open.stored = std::move(*stored);
    open.source =
        archive::MakeSource(*open.stored, shown->name, file.compression, budget_.Reading());
    if (part < 0) {
      Result<std::unique_ptr<archive::Source>> addressable =
          archive::MakeAddressable(std::move(open.source), shown->name, budget_.Metadata());
      if (!addressable) {
        AddProblem(addressable.error(), shown->name);
        return std::nullopt;
      }
      open.source = std::move(*addressable);
    }
    // No clock: what is in the future is shown as it is.
    const Timestamp never{std::numeric_limits<std::int64_t>::max(), 0};
    Result<archive::ArchiveLabel> label =
        archive::ReadLabel(*open.source, part, shown->name, never, ignore_);
    if (!label) {
      if (label.error().kind != Status::Kind::kNotAnArchive) any_archive_ = true;
      AddProblem(label.error(), shown->name);
      return std::nullopt;
    }
    any_archive_ = true;
    open.version = label->version;
    if (!info_.label || (part >= 0 && label_part_ < 0)) {
      label_part_ = part;
      info_.label = std::move(*label);
    }
    return open;
  }

  void ReadMetadata(OpenFile& open, const std::string& file) {
    const Result<archive::Metadata> metadata =
        archive::LoadMetadata(*open.source, open.version, ignore_, budget_.Metadata());
    if (!metadata) return AddProblem(metadata.error(), file);
    MetadataCounts& counts = info_.metadata;
    counts.descriptors = metadata->descs.size();
    counts.undecoded = metadata->undecoded;
    std::set<Pmid> metrics;
    for (const archive::DescRecord& desc : metadata->descs) {
      if (!metrics.insert(desc.descriptor.pmid).second) continue;
      ++counts.types[desc.descriptor.type];
      ++counts.semantics[desc.descriptor.semantics];
      counts.names += desc.name_count;
    }
    counts.metrics = metrics.size();
    std::set<Indom> indoms;
    for (const archive::IndomRecord& indom : metadata->indoms) {
      indoms.insert(indom.indom);
      ++(indom.delta ? counts.delta_records : counts.full_records);
    }
    counts.indoms = indoms.size();
    for (const archive::LabelRecord& labels : metadata->labels) ++counts.labels[labels.label_class];
    for (const archive::TextRecord& text : metadata->texts) ++counts.texts[text.type];
    NoteLost(metadata->lost, file);
    if (on_metadata_) on_metadata_(*metadata);
  }

  void ReadIndex(OpenFile& open, const std::string& file) {
    const Result<Bytes> entries = open.source->Window(~std::size_t{0});
    if (!entries) return AddProblem(entries.error(), file);
    info_.index_entries = archive::IndexView(*entries, open.version).size();
  }

  void ReadVolume(OpenFile& open, Part part, const std::string& file) {
    archive::RecordReader reader(*open.source, part, open.version, ignore_);
    while (true) {
      const Result<std::optional<archive::RecordView>> record = reader.Next();
      if (!record) AddProblem(record.error(), file);
      if (!record || !*record) break;
      OnRecord(**record, open.version);
    }
    NoteLost(reader.lost(), file);
  }

  void NoteLost(const std::optional<std::uint64_t>& lost, const std::string& file) {
    if (!lost) return;
    AddProblem({.kind = Status::Kind::kDamaged,
                .offset = lost,
                .message = "the records end here, before the file does"},
               file);
  }

  void OnRecord(const archive::RecordView& view, int version) {
    const std::optional<archive::DataRecord> record =
        archive::DecodeDataRecord(view, version, ignore_);
    DataCounts& counts = info_.data;
    if (!record) {
      ++counts.undecoded;
      return;
    }
    const Timestamp time = record->time.Normalised();
    if (!counts.first || time < *counts.first) counts.first = time;
    if (!counts.last || time > *counts.last) counts.last = time;
    if (record->IsMark()) return OnMark(time);
    ++counts.records;
    counts.value_sets += record->set_count;
    record->ForEachSet([&](const archive::ValueSet& set) { counts.values += set.count(); });
    if (last_data_ && time < *last_data_) gaps_.Break();
    gaps_.Add(time, GapFinder::KindOf(record->set_count, LoadU32(view.bytes.data() + record->sets)),
              view.Whole());
    for (; unfinished_marks_ > 0; --unfinished_marks_) {
      info_.marks[info_.marks.size() - unfinished_marks_].after = time;
    }
    NoteDistance(time);
    last_data_ = time;
  }

  void NoteDistance(Timestamp time) {
    if (!last_data_ || time <= *last_data_) return;
    const std::int64_t distance = NanosecondsBetween(*last_data_, time);
    if (info_.longest_distance && distance <= info_.longest_distance->nanoseconds) return;
    info_.longest_distance = GapInfo{*last_data_, time, distance};
  }

  void OnMark(Timestamp time) {
    ++info_.data.marks;
    gaps_.Break();
    if (info_.marks.size() == ArchiveInfo::kMostMarks) return;
    info_.marks.push_back({time, last_data_, std::nullopt});
    ++unfinished_marks_;
  }

  void Finish() {
    if (std::optional<Status> loss = storage_.loss()) {
      ArchiveInfo nothing;
      nothing.archive = std::move(info_.archive);
      nothing.failure = std::move(loss);
      info_ = std::move(nothing);
      return;
    }
    info_.median_interval = gaps_.Typical();
    for (const GapFinder::Gap& gap : gaps_.Gaps()) {
      info_.gaps.push_back({gap.from, gap.from + gap.nanoseconds, gap.nanoseconds});
    }
    if (any_archive_) return;
    if (!info_.problems.empty()) {
      info_.failure = info_.problems.front();
    } else {
      info_.failure = Status{.kind = Status::Kind::kNotFound,
                             .file = info_.archive,
                             .message = "no file of the archive can be read"};
    }
  }

  const archive::LossWatch storage_;
  archive::MemoryBudget budget_;
  const MetadataVisitor& on_metadata_;
  archive::IgnoringReporter ignore_;
  archive::FileSet files_;
  ArchiveInfo info_;
  bool any_archive_ = false;  // some file is one of an archive
  Part label_part_ = kMetaPart;
  GapFinder gaps_;
  std::optional<Timestamp> last_data_;
  std::size_t unfinished_marks_ = 0;  // at the end of marks: those after last_data_
};

}  // namespace

const char* CompressionName(archive::Compression compression) {
  switch (compression) {
    case archive::Compression::kNone:
      return "none";
    case archive::Compression::kXz:
      return "xz";
    case archive::Compression::kLzma:
      return "lzma";
    case archive::Compression::kBzip2:
      return "bz2";
    case archive::Compression::kGzip:
      return "gz";
    case archive::Compression::kCompress:
      return "compress";
    case archive::Compression::kZstd:
      return "zstd";
  }
  return "?";
}

std::string HelpTextName(std::uint32_t type) {
  switch (static_cast<TextType>(type)) {
    case TextType::kMetricOneLine:
      return "metric one-line";
    case TextType::kMetricHelp:
      return "metric help";
    case TextType::kIndomOneLine:
      return "indom one-line";
    case TextType::kIndomHelp:
      return "indom help";
  }
  return "type-" + std::to_string(type);
}

ArchiveInfo GatherInfo(const archive::Storage& storage, const std::string& name,
                       const archive::Listings* listings, const archive::MemoryBudget& budget,
                       const MetadataVisitor& on_metadata) {
  return Gatherer(storage, budget, on_metadata).Run(name, listings);
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/set_member.h"

#include <limits>
#include <map>
#include <utility>

#include "reference/archive/set_metrics.h"

namespace pmproof::archive {
namespace {

// What readers answer where a rule is broken (column "Effect on readers" of section 14); kOk where
// opening does not depend on it.
ErrorCode AnswerTo(Clause rule, Gravity gravity) {
  const bool grave = gravity == Gravity::kAsCatalogued || gravity == Gravity::kFatal;
  switch (rule.number()) {
    case 1001:
    case 1002:
      return ErrorCode::kLogFile;
    case 1011:
    case 1016:
      return ErrorCode::kNoEntry;
    case 1004:
      return ErrorCode::kNoData;
    case 1201:
    case 1202:
    case 1203:
    case 1204:
    case 1205:
    case 1206:
    case 1207:
    case 1208:
      return ErrorCode::kLabel;
    case 1101:
    case 1102:
    case 1103:
    case 1104:
    case 1107:
    case 1109:
      return ErrorCode::kLogRecord;
    case 1301:
      return ErrorCode::kRecordType;
    case 1601:
    case 1602:
      return grave ? ErrorCode::kRecordType : ErrorCode::kOk;
    default:
      return ErrorCode::kOk;
  }
}

// Remembers the first violation that keeps readers from opening the archive.
class FirstRefusal final : public Reporter {
 public:
  std::optional<Status> refusal;
  Part part = kWholeArchive;   // of which it is
  std::uint64_t odd_text = 0;  // the last text record of a kind that readers can live with

 protected:
  bool Count(Clause rule, const Location& where, Gravity gravity) override {
    const bool of_text = rule == "ARC-1601"_clause || rule == "ARC-1602"_clause;
    if (of_text && gravity == Gravity::kError) odd_text = where.record;
    return !refusal && AnswerTo(rule, gravity) != ErrorCode::kOk;
  }
  void Keep(Clause rule, const Location& where, Gravity gravity, Details details) override {
    refusal = Status{.offset = where.offset,
                     .clause = rule,
                     .message = std::move(details.message),
                     .code = AnswerTo(rule, gravity)};
    part = where.part;
  }
};

class Opener {
 public:
  Opener(const Storage& storage, const SourceLimits& limits, std::size_t budget)
      : storage_(storage), limits_(limits), budget_(budget) {}

  OpenedMember Open(const FoundArchive& found) {
    found.ReportTo(refusals_);
    if (found.error()) {
      Fail(*found.error());
      return std::move(member_);
    }
    member_.files = found.files();
    if (!member_.files.unreadable.empty()) Fail(member_.files.unreadable.front());
    TakeRefusal();
    ReadVolumeLabel();
    ReadIndexLabel();
    ReadMeta();
    return std::move(member_);
  }

 private:
  void Fail(Status status) {
    if (status.code == ErrorCode::kOk) {
      const bool missing =
          status.kind == Status::Kind::kNotFound || status.kind == Status::Kind::kUnreadable;
      status.code = missing ? ErrorCode::kNoEntry : ErrorCode::kLogRecord;
    }
    if (!member_.error) member_.error = std::move(status);
  }

  void TakeRefusal() {
    if (!refusals_.refusal) return;
    refusals_.refusal->file = member_.files.FileName(refusals_.part);
    Fail(*std::exchange(refusals_.refusal, std::nullopt));
  }

  // ARC-1005.
  void FailEmpty(Part part, std::uint64_t size) {
    Fail({.file = member_.files.FileName(part),
          .offset = size,
          .clause = "ARC-1005"_clause,
          .message = "the file holds nothing but its label",
          .code = ErrorCode::kNoData});
  }

  struct OpenFile {
    std::unique_ptr<StoredFile> stored;
    std::unique_ptr<Source> source;
    ArchiveLabel label;
  };

  // Opens a file up to its label; nothing if that cannot be done, which is noted.
  std::optional<OpenFile> ReadFileLabel(Part part) {
    const ArchiveFile& file = member_.files.parts.at(part);
    Result<std::unique_ptr<StoredFile>> stored = storage_.Open(file.path);
    if (!stored) {
      Fail(stored.error());
      return std::nullopt;
    }
    const std::string name = member_.files.FileName(part);
    OpenFile open;
    open.stored = std::move(*stored);
    open.source = MakeSource(*open.stored, name, file.compression, limits_);
    if (part == kMetaPart) {
      Result<std::unique_ptr<Source>> addressable =
          MakeAddressable(std::move(open.source), name, budget_);
      if (!addressable) {
        Fail(addressable.error());
        return std::nullopt;
      }
      open.source = std::move(*addressable);
    }
    // No clock: times do not keep an archive from being opened.
    const Timestamp never{std::numeric_limits<std::int64_t>::max(), 0};
    Result<ArchiveLabel> label = ReadLabel(*open.source, part, name, never, refusals_);
    TakeRefusal();
    if (!label) {
      Fail(label.error());
      return std::nullopt;
    }
    open.label = std::move(*label);
    if (member_.label && part < 0) {
      CompareLabels(*member_.label, open.label, part, refusals_);
      TakeRefusal();
    }
    const Result<Bytes> more = open.source->Window(1);
    if (!more) {
      Fail(more.error());
    } else if (more->empty()) {
      FailEmpty(part, open.source->position());
    }
    return open;
  }

  void ReadVolumeLabel() {
    const auto volume = member_.files.parts.lower_bound(0);
    if (volume == member_.files.parts.end()) return;
    if (std::optional<OpenFile> open = ReadFileLabel(volume->first)) {
      member_.label = std::move(open->label);
    }
  }

  void ReadIndexLabel() {
    if (member_.files.parts.contains(kIndexPart)) ReadFileLabel(kIndexPart);
  }

  void ReadMeta() {
    if (!member_.files.parts.contains(kMetaPart)) return;
    std::optional<OpenFile> open = ReadFileLabel(kMetaPart);
    if (!open || member_.error) return;
    Result<Metadata> metadata =
        LoadMetadata(*open->source, open->label.version, refusals_, budget_);
    TakeRefusal();
    if (!metadata) {
      Fail(metadata.error());
    } else if (metadata->lost || metadata->undecoded > (PassesOverLast(*metadata) ? 1U : 0U)) {
      Fail({.file = member_.files.FileName(kMetaPart),
            .clause = "ARC-523"_clause,
            .message = "there are metadata records that cannot be decoded",
            .code = ErrorCode::kLogRecord});
    } else {
      CheckRepeated(*metadata);
    }
    if (member_.error) return;
    member_.metadata = std::move(*metadata);
    member_.meta_file = std::move(open->stored);
    member_.meta_source = std::move(open->source);
  }

  // ARC-432: a text of no kind does no harm at the end of the file.
  bool PassesOverLast(const Metadata& metadata) const {
    if (metadata.positions.empty()) return false;
    const RecordPosition& last = metadata.positions.back();
    const bool decoded =
        !metadata.texts.empty() && metadata.texts.back().record.offset == last.offset;
    return last.type == RecordType::kText && !decoded && last.ordinal == refusals_.odd_text;
  }

  // ARC-307.
  void CheckRepeated(const Metadata& metadata) {
    std::map<Pmid, const DescRecord*> first;
    for (const DescRecord& desc : metadata.descs) {
      const auto [entry, added] = first.emplace(desc.descriptor.pmid, &desc);
      if (added) continue;
      const ErrorCode change =
          DescriptorChange(entry->second->descriptor, desc.descriptor, /*extra_unit=*/true);
      if (change == ErrorCode::kOk) continue;
      return Fail(
          {.file = member_.files.FileName(kMetaPart),
           .offset = desc.record.offset,
           .clause = "ARC-307"_clause,
           .message = "the descriptors of metric " + ToText(desc.descriptor.pmid) + " differ",
           .code = change});
    }
  }

  const Storage& storage_;
  const SourceLimits& limits_;
  std::size_t budget_;
  FirstRefusal refusals_;
  OpenedMember member_;
};

}  // namespace

OpenedMember OpenMember(const Storage& storage, const FoundArchive& found,
                        const SourceLimits& limits, std::size_t budget) {
  return Opener(storage, limits, budget).Open(found);
}

}  // namespace pmproof::archive

// SPDX-License-Identifier: Apache-2.0
#include "validator/dump/dump_archive.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "reference/archive/addressable_source.h"
#include "reference/archive/file_set.h"
#include "reference/archive/loss_watch.h"
#include "reference/archive/record_reader.h"
#include "validator/check/rules/metric_table.h"

namespace pmproof::validator {
namespace {

using archive::Part;
using archive::RecordView;

// Of bytes that belong to no record this many are shown.
constexpr std::size_t kUnframedShown = 4096;

// Notes which rules a record breaks.
class RuleNotes final : public archive::Reporter {
 public:
  std::vector<std::string> Take() { return std::exchange(rules_, {}); }
  Clause first() const {
    return rules_.empty() ? Clause() : Clause::Parse(rules_.front()).value_or(Clause());
  }

 protected:
  bool Count(Clause rule, const archive::Location&, archive::Gravity) override {
    std::string text = rule.ToString();
    if (std::ranges::find(rules_, text) == rules_.end()) rules_.push_back(std::move(text));
    return false;
  }
  void Keep(Clause, const archive::Location&, archive::Gravity, archive::Details) override {}

 private:
  std::vector<std::string> rules_;
};

class Dump {
 public:
  Dump(const archive::Storage& storage, archive::FileSet files, Quoting quoting,
       const archive::MemoryBudget& budget, DumpWriter& writer)
      : storage_(storage),
        files_(std::move(files)),
        quoting_(quoting),
        budget_(budget),
        writer_(writer) {}

  Result<std::vector<Status>> Run() {
    problems_ = files_.unreadable;
    DumpMetadata();
    const MetricTable table(metadata_, metadata_.Complete());
    MetricNames names(metadata_, table, quoting_);
    for (const auto& [part, file] : files_.parts) {
      if (part >= 0) DumpVolume(part, names);
    }
    DumpIndex();
    if (std::optional<Status> loss = storage_.loss()) return tl::unexpected(*std::move(loss));
    return std::move(problems_);
  }

 private:
  // One file, open and after its label.
  struct Open {
    std::unique_ptr<archive::StoredFile> stored;
    std::unique_ptr<archive::Source> source;
    int version = 2;
    Bytes
        content{};  // of .meta and .index; of damaged compressed data what comes before the damage
  };

  void Problem(Part part, std::optional<std::uint64_t> offset, std::string message,
               Clause clause = {}) {
    problems_.push_back({Status::Kind::kDamaged, files_.parts.at(part).path, offset, clause,
                         std::move(message), ErrorCode::kOk});
  }

  // Opens a file and dumps its label; nothing if there is no label to go on from.
  std::optional<Open> OpenFile(Part part) {
    const auto file = files_.parts.find(part);
    if (file == files_.parts.end()) return std::nullopt;
    const std::string& name = file->second.path;
    writer_.BeginFile(name, part);
    Result<std::unique_ptr<archive::StoredFile>> stored = storage_.Open(file->second.path);
    if (!stored) return GiveUp(part, stored.error());
    Open open{.stored = std::move(*stored), .source = nullptr};
    open.source =
        archive::MakeSource(*open.stored, name, file->second.compression, budget_.Reading());
    if (part < 0) {
      Result<std::unique_ptr<archive::Source>> addressable =
          archive::MakeAddressable(std::move(open.source), name, budget_.Metadata());
      if (!addressable) return GiveUp(part, addressable.error());
      open.source = std::move(*addressable);
    }
    if (part < 0) open.content = open.source->Window(1).value_or(Bytes());
    const Result<Bytes> begin = open.source->Window(archive::kLayoutV3.label);
    if (!begin) return GiveUp(part, begin.error());
    const std::vector<std::uint8_t> bytes(
        begin->begin(), begin->begin() + static_cast<std::ptrdiff_t>(
                                             std::min(begin->size(), archive::kLayoutV3.label)));
    RuleNotes notes;
    const Result<archive::ArchiveLabel> label =
        archive::ReadLabel(*open.source, part, name, {}, notes);
    if (!label) {
      Problem(part, 0, label.error().message, label.error().clause);
      Rest(part, *open.source, 0, label.error().message);
      return std::nullopt;
    }
    open.version = label->version;
    const std::size_t size = std::min<std::size_t>(bytes.size(), open.source->position());
    writer_.Label(*label, Bytes(bytes).first(size));
    return open;
  }

  std::optional<Open> GiveUp(Part part, const Status& status) {
    Problem(part, status.offset, status.message, status.clause);
    problems_.back().kind = status.kind;
    writer_.Unframed(0, 0, {}, status.message);
    return std::nullopt;
  }

  // What is left of the file from `offset` on, where the source stands or after it.
  void Rest(Part part, archive::Source& source, std::uint64_t offset, const std::string& because,
            Clause clause = {}) {
    std::vector<std::uint8_t> shown;
    std::uint64_t end = source.position();
    while (true) {
      const Result<Bytes> window = source.Window(1);
      if (!window) {
        Problem(part, window.error().offset, window.error().message);
        break;
      }
      if (window->empty()) break;
      if (end + window->size() > offset && shown.size() < kUnframedShown) {
        const std::size_t skip = offset > end ? static_cast<std::size_t>(offset - end) : 0;
        const Bytes part_of =
            window->subspan(skip, std::min(window->size() - skip, kUnframedShown - shown.size()));
        shown.insert(shown.end(), part_of.begin(), part_of.end());
      }
      end += window->size();
      source.Skip(window->size());
    }
    if (end > offset) {
      std::string text = because;
      if (end - offset > shown.size())
        text += " (the first " + std::to_string(shown.size()) + " bytes are shown)";
      writer_.Unframed(offset, end - offset, shown, text);
      if (offset != 0)
        Problem(part, offset, std::to_string(end - offset) + " bytes belong to no record", clause);
    }
    writer_.EndFile(end);
  }

  // What is left of the metadata from `begin` on.
  void Unframed(Bytes content, std::uint64_t begin, const std::string& because) {
    const Bytes rest = content.subspan(static_cast<std::size_t>(begin));
    writer_.Unframed(begin, rest.size(), rest.first(std::min(rest.size(), kUnframedShown)),
                     because + (rest.size() > kUnframedShown ? " (cut)" : ""));
  }

  void DumpMetadata() {
    std::optional<Open> open = OpenFile(archive::kMetaPart);
    if (!open) return;
    const Bytes content = open->content;
    const std::uint64_t begin = open->source->position();
    archive::IgnoringReporter ignore;
    Result<archive::Metadata> metadata =
        archive::LoadMetadata(*open->source, open->version, ignore, budget_.Metadata());
    if (!metadata) {
      Problem(archive::kMetaPart, metadata.error().offset, metadata.error().message);
      problems_.back().kind = metadata.error().kind;
      // The source may have been read beyond its beginning.
      if (begin < content.size()) Unframed(content, begin, metadata.error().message);
      writer_.EndFile(content.size());
      return;
    }
    metadata_ = std::move(*metadata);
    for (const archive::RecordPosition& position : metadata_.positions) {
      if (!writer_.Wants()) return;
      const RecordView record{content.subspan(position.offset, position.length), position.offset,
                              position.ordinal, archive::kMetaPart};
      RuleNotes notes;
      if (!DumpMetaRecord(record, position, notes)) {
        Problem(archive::kMetaPart, position.offset, "the record cannot be decoded", notes.first());
        writer_.Undecoded(record, notes.Take());
      }
    }
    if (metadata_.end < content.size()) {
      Unframed(content, metadata_.end, "no whole record");
      Problem(archive::kMetaPart, metadata_.end,
              std::to_string(content.size() - metadata_.end) + " bytes belong to no record");
    }
    TellOfDamage(archive::kMetaPart, *open);
    writer_.EndFile(content.size());
    meta_ = std::move(open);
  }

  // Of compressed data that end in damage, where all before it has been shown.
  void TellOfDamage(Part part, const Open& open) {
    open.source->Skip(open.content.size() - open.source->position());
    const Result<Bytes> rest = open.source->Window(1);
    if (!rest) Problem(part, rest.error().offset, rest.error().message, rest.error().clause);
  }

  bool DumpMetaRecord(const RecordView& record, const archive::RecordPosition& position,
                      RuleNotes& notes) {
    switch (position.type) {
      case archive::RecordType::kDesc:
        if (const auto desc = archive::DecodeDesc(record, notes)) return writer_.Desc(*desc), true;
        return false;
      case archive::RecordType::kIndomV2:
      case archive::RecordType::kIndom:
      case archive::RecordType::kIndomDelta:
        if (const auto indom = archive::DecodeIndom(
                record, position.type == archive::RecordType::kIndomV2 ? 2 : 3, notes)) {
          return writer_.InstanceDomain(*indom), true;
        }
        return false;
      case archive::RecordType::kLabelV2:
      case archive::RecordType::kLabel:
        if (const auto labels = archive::DecodeLabels(
                record, position.type == archive::RecordType::kLabelV2 ? 2 : 3, notes)) {
          return writer_.Labels(*labels), true;
        }
        return false;
      case archive::RecordType::kText:
        if (const auto text = archive::DecodeText(
                record, record.offset + record.bytes.size() == metadata_.end, notes)) {
          return writer_.HelpText(*text), true;
        }
        return false;
    }
    return false;
  }

  void DumpVolume(Part part, MetricNames& names) {
    std::optional<Open> open = OpenFile(part);
    if (!open) return;
    RuleNotes framing;
    archive::RecordReader reader(*open->source, part, open->version, framing);
    while (writer_.Wants()) {
      const Result<std::optional<RecordView>> next = reader.Next();
      if (!next) {
        Problem(part, next.error().offset, next.error().message, next.error().clause);
        break;
      }
      if (!*next) break;
      // The reader goes on where only one of the length words is wrong; what is in the record is
      // shown.
      if (!framing.first().empty()) {
        Problem(part, (*next)->offset, "the record is not framed as it should be", framing.first());
      }
      framing.Take();
      RuleNotes notes;
      if (const auto record = archive::DecodeDataRecord(**next, open->version, notes)) {
        writer_.Result(*record, names);
      } else {
        Problem(part, (*next)->offset, "the record cannot be decoded", notes.first());
        writer_.Undecoded(**next, notes.Take());
      }
    }
    if (!writer_.Wants()) return;
    std::string because = "no whole record";
    const Clause clause = framing.first();
    for (const std::string& rule : framing.Take()) because += " " + rule;
    Rest(part, *open->source, reader.position(), because, clause);
  }

  void DumpIndex() {
    std::optional<Open> open = OpenFile(archive::kIndexPart);
    if (!open) return;
    const std::uint64_t begin = open->source->position();
    const Bytes content = open->content;
    const archive::IndexView index(content.subspan(begin), open->version);
    const std::size_t entry = archive::LayoutOf(open->version).index_entry;
    for (std::size_t i = 0; i < index.size() && writer_.Wants(); ++i) {
      writer_.IndexEntry(index[i], begin + i * entry, content.subspan(begin + i * entry, entry));
    }
    if (index.partial_bytes() > 0) {
      const std::uint64_t at = begin + index.size() * entry;
      writer_.Unframed(at, index.partial_bytes(), content.subspan(at), "part of an entry ARC-1901");
      Problem(archive::kIndexPart, at, "the index ends inside an entry");
    }
    TellOfDamage(archive::kIndexPart, *open);
    writer_.EndFile(content.size());
  }

  const archive::LossWatch storage_;
  archive::FileSet files_;
  Quoting quoting_;
  archive::MemoryBudget budget_;
  DumpWriter& writer_;
  std::optional<Open> meta_;  // metadata_ points into it
  archive::Metadata metadata_;
  std::vector<Status> problems_;
};

}  // namespace

Result<std::vector<Status>> DumpArchive(const archive::Storage& storage, const std::string& name,
                                        Quoting quoting, DumpWriter& writer,
                                        const archive::MemoryBudget& budget,
                                        const archive::Listings* listings) {
  archive::IgnoringReporter ignore;
  Result<archive::FileSet> files = archive::FindArchive(storage, name, ignore, listings);
  if (!files) return tl::unexpected(files.error());
  return Dump(storage, std::move(*files), quoting, budget, writer).Run();
}

}  // namespace pmproof::validator

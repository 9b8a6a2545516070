// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/salvage_metadata.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "reference/archive/addressable_source.h"
#include "reference/archive/decode_model.h"
#include "validator/check/rules/descriptor_rules.h"
#include "validator/check/rules/help_text_rules.h"
#include "validator/check/rules/instance_domain_rules.h"
#include "validator/check/rules/label_set_rules.h"
#include "validator/salvage/error_watch.h"
#include "validator/salvage/metadata_subject.h"
#include "validator/salvage/resync_reader.h"

namespace pmproof::validator {
namespace {

using archive::Buffer;
using archive::IndomRecord;
using archive::kMetaPart;
using archive::LayoutOf;
using archive::Metadata;
using archive::RecordView;

// Of one round; what is beyond comes in the next.
constexpr std::size_t kMostErrors = 10000;
// Each round takes away what the one before left wrong. Domains that are wrong after so many lose
// all of their deltas; after as many again nothing more is done.
constexpr int kRounds = 8;

// A record as it is to be written, and where it was.
struct Piece {
  std::uint64_t offset = 0;  // in the broken file
  std::uint64_t length = 0;
  std::uint64_t now = 0;  // in the new file
  Buffer bytes;           // of one that is not written as it was; else empty
};

// What a round takes from one record.
struct Cut {
  Clause clause;
  std::string message;
  bool whole = true;
  std::set<std::uint32_t> entries;  // of an instance domain, if it is not the whole record
};

bool IsAboutEntry(Clause rule) {
  return rule == "ARC-1408"_clause || rule == "ARC-1415"_clause || rule == "ARC-1416"_clause;
}

class Salvaging {
 public:
  Salvaging(const archive::FileSet& files, const ChosenLabel& chosen, const IndexHints& hints,
            const Catalogue& catalogue, const CheckOptions& options, LossLog& log)
      : chosen_(chosen),
        hints_(hints),
        options_(options),
        log_(log),
        version_(chosen.label->version),
        name_(files.FileName(kMetaPart)),
        watch_(catalogue, kMostErrors),
        accept_watch_(catalogue, 2) {}

  Result<std::unique_ptr<SalvagedMetadata>> Run(const archive::StoredFile& stored,
                                                archive::Compression compression) {
    if (auto error = Frame(stored, compression)) return tl::unexpected(*error);
    for (int round = 0; !pieces_.empty(); ++round) {
      auto salvaged = Decode();
      if (!salvaged) return salvaged;
      Judge((*salvaged)->metadata());
      std::map<std::size_t, Cut> cuts = CutsFor((*salvaged)->metadata());
      if (cuts.empty() || round == 2 * kRounds) {
        if ((*salvaged)->metadata().descs.empty()) return nullptr;
        return salvaged;
      }
      if (round >= kRounds) TakeDeltas((*salvaged)->metadata(), cuts);
      Apply((*salvaged)->metadata(), cuts);
    }
    return nullptr;
  }

 private:
  std::size_t Share() const { return options_.memory.Metadata() / 2; }

  // Finds the records.
  std::optional<Status> Frame(const archive::StoredFile& stored, archive::Compression compression) {
    auto source = archive::MakeAddressable(
        archive::MakeSource(stored, name_, compression, LimitsOf(options_)), name_, Share());
    if (!source) return source.error();
    source_ = *std::move(source);
    if (source_->mapped() && source_->mapped()->size() > Share()) {
      return archive::BeyondBudget(name_);
    }
    ResyncReader reader(*source_, kMetaPart, version_, std::numeric_limits<std::size_t>::max(),
                        [this](const RecordView& record, bool) { return Accept(record); });
    const ChosenLabel::Member& member = chosen_.members.at(kMetaPart);
    if (!member.end) {
      reader.BeginDamaged(member.clause, member.message);
    } else if (source_->Window(*member.end)) {
      source_->Skip(*member.end);
    }
    log_.ForgetTime();
    bool ends_in_damage = false;
    while (true) {
      Result<std::optional<ResyncReader::Item>> item = reader.Next();
      if (!item) return item.error();
      if (!*item) break;
      ends_in_damage = std::holds_alternative<DamagedStretch>(**item);
      if (const auto* record = std::get_if<RecordView>(&**item)) {
        pieces_.push_back({record->offset, record->bytes.size(), 0, {}});
        content_.push_back(record->bytes);
        NoteTime(*record);
      } else {
        LoseBytes(std::get<DamagedStretch>(**item));
      }
    }
    const std::uint64_t end = source_->position();
    if (!ends_in_damage && hints_.meta_end > end) {
      LoseBytes({end, 0, "ARC-1911"_clause,
                 "the index knows of " + std::to_string(hints_.meta_end - end) +
                     " bytes of metadata after the end of the file"});
    }
    log_.ForgetTime();
    return std::nullopt;
  }

  // A record that stands after damage has to be sound by itself.
  bool Accept(const RecordView& record) {
    accept_watch_.Clear();
    const Bytes bytes = record.bytes;
    Buffer copy(bytes.begin(), bytes.end());
    const auto decoded =
        SalvagedMetadata::Decode(std::move(copy), version_, accept_watch_, Share());
    return decoded && (*decoded)->metadata().undecoded == 0 &&
           std::ranges::all_of(accept_watch_.errors(), [](const ErrorWatch::Error& error) {
             return error.rule == "ARC-1332"_clause;  // one record alone describes no metric
           });
  }

  void NoteTime(const RecordView& record) {
    if (const auto time = TimeOfMetadata(record.bytes, version_)) log_.NoteTime(*time);
  }

  void LoseBytes(const DamagedStretch& stretch) {
    log_.times().metadata.any_domain = true;
    log_.Add({.kind = Loss::Kind::kBytes,
              .clause = stretch.clause,
              .file = name_,
              .part = kMetaPart,
              .offset = stretch.offset,
              .length = stretch.length,
              .message = stretch.message});
  }

  Bytes BytesOf(std::size_t i) const {
    return pieces_[i].bytes.empty() ? content_[i] : Bytes(pieces_[i].bytes);
  }

  Result<std::unique_ptr<SalvagedMetadata>> Decode() {
    Buffer records;
    std::size_t size = 0;
    for (std::size_t i = 0; i < pieces_.size(); ++i) size += BytesOf(i).size();
    records.reserve(size);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      pieces_[i].now = LayoutOf(version_).label + records.size();
      const Bytes bytes = BytesOf(i);
      records.insert(records.end(), bytes.begin(), bytes.end());
    }
    watch_.Clear();
    auto salvaged = SalvagedMetadata::Decode(std::move(records), version_, watch_, Share());
    if (!salvaged) salvaged.error().file = name_;
    return salvaged;
  }

  void Judge(const Metadata& metadata) {
    Usage usage;
    usage.complete = false;
    CheckDescriptors(metadata, usage, watch_);
    CheckInstanceDomains(metadata, version_, watch_);
    CheckLabelSets(metadata, *chosen_.label, usage, watch_);
    CheckHelpTexts(metadata, watch_);
  }

  // The piece that a place of the new file lies in.
  std::optional<std::size_t> PieceAt(std::uint64_t offset) const {
    const auto after =
        std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                         [](std::uint64_t at, const Piece& piece) { return at < piece.now; });
    if (after == pieces_.begin()) return std::nullopt;
    return static_cast<std::size_t>(after - pieces_.begin()) - 1;
  }

  static const IndomRecord* IndomAt(const Metadata& metadata, std::uint64_t offset) {
    const auto found = std::lower_bound(
        metadata.indoms.begin(), metadata.indoms.end(), offset,
        [](const IndomRecord& record, std::uint64_t at) { return record.record.offset < at; });
    return found == metadata.indoms.end() || found->record.offset != offset ? nullptr : &*found;
  }

  std::map<std::size_t, Cut> CutsFor(const Metadata& metadata) const {
    std::map<std::size_t, Cut> cuts;
    for (const ErrorWatch::Error& error : watch_.errors()) {
      const std::optional<std::size_t> i = PieceAt(error.where.offset);
      if (!i || error.where.part != kMetaPart) continue;
      const auto [cut, is_new] = cuts.try_emplace(*i, Cut{error.rule, error.message, false, {}});
      const IndomRecord* const indom = IndomAt(metadata, pieces_[*i].now);
      const bool entry = indom != nullptr && !indom->tangled() && IsAboutEntry(error.rule);
      const std::uint64_t first = entry ? pieces_[*i].now + indom->identifiers : 0;
      if (entry && error.where.offset >= first &&
          error.where.offset < first + 4 * std::uint64_t{indom->count}) {
        cut->second.entries.insert(static_cast<std::uint32_t>((error.where.offset - first) / 4));
      } else if (!cut->second.whole) {
        cut->second = {error.rule, error.message, true, {}};
      }
    }
    return cuts;
  }

  // The last resort: of each domain that is still wrong, all deltas.
  void TakeDeltas(const Metadata& metadata, std::map<std::size_t, Cut>& cuts) const {
    std::map<Indom, Cut> wrong;
    for (const auto& [i, cut] : cuts) {
      const IndomRecord* const indom = IndomAt(metadata, pieces_[i].now);
      if (indom != nullptr) wrong.try_emplace(indom->indom, cut);
    }
    for (const IndomRecord& record : metadata.indoms) {
      const auto found = wrong.find(record.indom);
      if (found == wrong.end() || !record.delta) continue;
      const auto i = PieceAt(record.record.offset);
      if (i) cuts[*i] = {found->second.clause, found->second.message, true, {}};
    }
  }

  void Apply(const Metadata& metadata, const std::map<std::size_t, Cut>& cuts) {
    std::vector<Piece> kept;
    std::vector<Bytes> content;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const auto found = cuts.find(i);
      if (found != cuts.end()) {
        Lose(i, found->second);
        if (found->second.whole || !Trim(metadata, i, found->second.entries)) continue;
      }
      kept.push_back(std::move(pieces_[i]));
      content.push_back(content_[i]);
    }
    pieces_ = std::move(kept);
    content_ = std::move(content);
  }

  // Takes entries out of an instance domain. False if nothing is left of it.
  bool Trim(const Metadata& metadata, std::size_t i, const std::set<std::uint32_t>& entries) {
    const IndomRecord& record = *IndomAt(metadata, pieces_[i].now);
    archive::IndomModel model = archive::ToModel(record);
    std::uint32_t at = 0;
    std::erase_if(model.instances,
                  [&](const archive::InstanceModel&) { return entries.contains(at++); });
    if (model.instances.empty()) return false;
    Buffer bytes;
    archive::AppendMetaRecord(std::move(model), version_, &bytes);
    pieces_[i].bytes = std::move(bytes);
    return true;
  }

  void Lose(std::size_t i, const Cut& cut) {
    NoteLost(BytesOf(i), version_, log_.times().metadata);
    log_.Add({.kind = Loss::Kind::kMetadata,
              .clause = cut.clause,
              .file = name_,
              .part = kMetaPart,
              .offset = pieces_[i].offset,
              .length = pieces_[i].length,
              .count = cut.whole ? 1 : cut.entries.size(),
              .from = TimeOfMetadata(BytesOf(i), version_),
              .subject = SubjectOfMetadata(BytesOf(i), version_, !cut.whole),
              .message = cut.message});
  }

  const ChosenLabel& chosen_;
  const IndexHints& hints_;
  const CheckOptions& options_;
  LossLog& log_;
  int version_;
  std::string name_;
  ErrorWatch watch_;
  ErrorWatch accept_watch_;
  std::unique_ptr<archive::Source> source_;
  std::vector<Piece> pieces_;
  std::vector<Bytes> content_;  // of each piece, as it was
};

}  // namespace

Result<std::unique_ptr<SalvagedMetadata>> SalvageMetadata(
    const archive::Storage& storage, const archive::FileSet& files, const ChosenLabel& chosen,
    const IndexHints& hints, const Catalogue& catalogue, const CheckOptions& options,
    LossLog& log) {
  const auto meta = files.parts.find(kMetaPart);
  if (meta == files.parts.end()) return nullptr;
  const auto stored = storage.Open(meta->second.path);
  if (!stored) return tl::unexpected(stored.error());
  return Salvaging(files, chosen, hints, catalogue, options, log)
      .Run(**stored, meta->second.compression);
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/check/archive_check.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "reference/archive/addressable_source.h"
#include "validator/check/content_digest.h"
#include "validator/check/described_names.h"
#include "validator/check/disclosure/find_disclosures.h"
#include "validator/check/draw_picture.h"
#include "validator/check/root_causes.h"
#include "validator/check/rules/descriptor_rules.h"
#include "validator/check/rules/help_text_rules.h"
#include "validator/check/rules/instance_domain_rules.h"
#include "validator/check/rules/label_set_rules.h"
#include "validator/check/rules/metadata_time_rules.h"
#include "validator/check/rules/metric_table.h"
#include "validator/check/rules/order_rules.h"
#include "validator/check/survival.h"

namespace pmproof::validator {

using archive::kIndexPart;
using archive::kMetaPart;
using archive::kWholeArchive;
using archive::Part;

namespace {

// Whether the selection has rules about data, or single rules, which may need any file.
bool NeedsData(const RuleSelection& rules) {
  return rules.only.empty() || !rules.added.empty() ||
         std::ranges::count(rules.only, RulePart::kData) > 0;
}

// To the first record of a volume whose label was read before.
void PassLabel(archive::Source& source, std::uint64_t end) {
  // Bytes that cannot be shown any more are met as an error by whoever reads the records.
  if (source.Window(end)) source.Skip(end);
}

// Volumes begin with a label.
bool NeedsVolumeLabels(const RuleSelection& rules) {
  return NeedsData(rules) || std::ranges::count(rules.only, RulePart::kLabel) > 0;
}

}  // namespace

ArchiveCheck::ArchiveCheck(const archive::Storage& storage, const archive::FoundArchive& found,
                           const Catalogue& catalogue, const CheckOptions& options,
                           ProgressSink* progress)
    : storage_(storage),
      catalogue_(catalogue),
      options_(options),
      limits_(LimitsOf(options)),
      metadata_budget_(options.memory.Metadata()),
      progress_(progress),
      collector_(catalogue, options.profile, options.rules, options.max_findings,
                 options.by_metric),
      found_(found),
      files_(found.files()) {}

ArchiveReport ArchiveCheck::Run(const std::string& name) {
  report_.archive = name;
  found_.ReportTo(collector_);
  if (found_.error()) {
    Fail(*found_.error());
    Finish();
    return std::move(report_);
  }
  report_.archive = files_.Name();
  for (const Status& unreadable : files_.unreadable) {
    Fail(unreadable);
    NotChecked(unreadable.file, unreadable.message);
  }
  OpenFiles();
  ReadLabels();
  ReadMetadata();
  ReadIndex();
  ReadData();
  CheckMetadata();
  Finish();
  return std::move(report_);
}

std::string ArchiveCheck::NameOf(Part part) const {
  return part == kWholeArchive ? files_.Name() : files_.FileName(part);
}

void ArchiveCheck::NotChecked(std::string what, std::string because) {
  report_.not_checked.push_back({std::move(what), std::move(because)});
}

// There is no verdict, whatever else was found. A budget that is exceeded is named before others.
void ArchiveCheck::Fail(const Status& status) {
  const auto is_budget = [](const Status& one) { return one.kind == Status::Kind::kBudget; };
  if (!report_.failure || (is_budget(status) && !is_budget(*report_.failure)))
    report_.failure = status;
}

void ArchiveCheck::OpenFiles() {
  for (const auto& [part, file] : files_.parts) {
    Result<std::unique_ptr<archive::StoredFile>> stored = storage_.Open(file.path);
    if (!stored) {
      Fail(stored.error());
      NotChecked(NameOf(part), stored.error().message);
      continue;
    }
    // Whoever keeps a verdict compares content with this to see whether it still holds. So it is of
    // what lay there before the check: a file that changes meanwhile has another one afterwards.
    if (options_.contents) {
      report_.contents.push_back(
          {file.path.substr(file.path.rfind('/') + 1), ContentDigest((*stored)->bytes())});
    }
    OpenFile& open = open_[part];
    if (part >= 0) continue;
    open.stored = std::move(*stored);
    OpenInMemory(part, open);
  }
  report_.summary.files = open_.size();
  report_.summary.volumes = static_cast<std::uint64_t>(
      std::count_if(open_.begin(), open_.end(), [](const auto& open) { return open.first >= 0; }));
}

void ArchiveCheck::OpenInMemory(Part part, OpenFile& open) {
  const archive::Compression compression = files_.parts.at(part).compression;
  Result<std::unique_ptr<archive::Source>> addressable = archive::MakeAddressable(
      archive::MakeSource(*open.stored, NameOf(part), compression, limits_), NameOf(part),
      metadata_budget_);
  if (!addressable) {
    NoteEnd(part, 0, addressable.error(), std::nullopt);
    open_.erase(part);
    return;
  }
  open.source = std::move(*addressable);
  if (compression != archive::Compression::kNone) {
    metadata_budget_ -= std::min(metadata_budget_, open.source->mapped().value_or(Bytes()).size());
  }
}

bool ArchiveCheck::OpenVolumeFile(Part part, OpenFile* open) {
  const archive::ArchiveFile& file = files_.parts.at(part);
  Result<std::unique_ptr<archive::StoredFile>> stored = storage_.Open(file.path);
  if (!stored) {
    Fail(stored.error());
    NotChecked(NameOf(part), stored.error().message);
    return false;
  }
  open->stored = std::move(*stored);
  open->source = archive::MakeSource(*open->stored, NameOf(part), file.compression, limits_);
  return true;
}

void ArchiveCheck::ReadLabels() {
  for (auto& [part, file] : open_) {
    if (part >= 0 && !NeedsVolumeLabels(options_.rules)) continue;
    OpenFile volume;
    if (part >= 0 && !OpenVolumeFile(part, &volume)) continue;
    const OpenFile& open = part >= 0 ? volume : file;
    Result<archive::ArchiveLabel> label = archive::ReadLabel(
        *open.source, part, NameOf(part), options_.now, collector_, options_.zones);
    if (label) {
      file.label = std::move(*label);
      file.label_end = open.source->position();
      continue;
    }
    if (!label_failure_) label_failure_ = label.error();
    NoteEnd(part, 0, label.error(), std::nullopt);
    if (label.error().clause == "ARC-1009"_clause) continue;
    if (part >= 0 && !NeedsData(options_.rules)) continue;
    // A damaged compressed file can show itself as a wrong label first.
    const Result<std::uint64_t> size = SizeToTheEnd(*open.source);
    if (!size) NoteEnd(part, 0, size.error(), std::nullopt);
  }
  for (const auto& [part, open] : open_) {
    if (part >= 0 && open.label && first_label_ == nullptr) first_label_ = &*open.label;
  }
  if (first_label_ == nullptr) {
    for (const auto& [part, open] : open_) {
      if (open.label) first_label_ = &*open.label;
    }
  }
  if (options_.zones == nullptr) {
    NotChecked("whether the names of time zones exist (ARC-1223)", "there is no tz database here");
  }
  if (first_label_ == nullptr) {
    if (label_failure_) Fail(*label_failure_);
    return;
  }
  report_.archive_version = first_label_->version;
  report_.label = *first_label_;
  report_.summary.start = first_label_->start;
  for (const auto& [part, open] : open_) {
    if (open.label && &*open.label != first_label_) {
      archive::CompareLabels(*first_label_, *open.label, part, collector_);
    }
  }
}

ArchiveCheck::OpenFile* ArchiveCheck::WithLabel(Part part) {
  const auto found = open_.find(part);
  return found == open_.end() || !found->second.label ? nullptr : &found->second;
}

std::optional<Timestamp> ArchiveCheck::LabelStart() const {
  if (first_label_ == nullptr ||
      !archive::FractionInRange(first_label_->fraction, first_label_->version)) {
    return std::nullopt;
  }
  return first_label_->start;
}

void ArchiveCheck::ReadMetadata() {
  OpenFile* meta = WithLabel(kMetaPart);
  if (meta == nullptr) {
    NotChecked("rules on metadata, and on values against metadata",
               "there is no .meta file that can be read");
    return;
  }
  Result<archive::Metadata> metadata =
      archive::LoadMetadata(*meta->source, meta->label->version, collector_, metadata_budget_);
  if (!metadata) {
    NoteEnd(kMetaPart, meta->source->position(), metadata.error(), std::nullopt);
    return;
  }
  metadata_ = std::move(*metadata);
  has_metadata_ = metadata_.records > 0;
  const Result<std::uint64_t> size = SizeToTheEnd(*meta->source);
  meta_extent_.end = metadata_.end;
  if (size) meta_extent_.size = *size;
  if (metadata_.descs.empty()) {
    NotChecked("rules on metadata, and on values against metadata", "no metric is described");
  } else if (!metadata_.Complete()) {
    NotChecked("whether values have a descriptor, and their instances a domain",
               "some metadata cannot be read");
  }
  NoteEnd(kMetaPart, metadata_.end, size ? std::nullopt : std::optional(size.error()),
          metadata_.lost);
  CheckEmptiness(kMetaPart, metadata_.records, meta_extent_);
  CheckSize(kMetaPart, meta->label->version, meta_extent_.size.value_or(metadata_.end));
  report_.summary.bytes += meta_extent_.size.value_or(metadata_.end);
}

std::vector<Part> ArchiveCheck::VolumesForIndex() const {
  std::set<Part> volumes;
  for (const auto& [part, file] : files_.parts) {
    if (part >= 0) volumes.insert(part);
  }
  for (const Part part : files_.refused) {
    if (part >= 0) volumes.insert(part);
  }
  return {volumes.begin(), volumes.end()};
}

// What an index of version 2 can address (ARC-086).
void ArchiveCheck::CheckSize(Part part, int version, std::uint64_t size) {
  constexpr std::uint64_t kLimit = std::numeric_limits<std::int32_t>::max();
  if (version != 2 || size <= kLimit) return;
  collector_.Report("ARC-1110"_clause, {part, kLimit, size - kLimit, 0}, [&] {
    return archive::Details{"file", std::to_string(size) + " bytes", "at most 2147483647 bytes",
                            "the index cannot address all of this file"};
  });
}

void ArchiveCheck::ReadIndex() {
  OpenFile* index = WithLabel(kIndexPart);
  if (index == nullptr) {
    if (files_.parts.contains(kIndexPart))
      NotChecked("rules on the index", "the .index file cannot be read");
    return;
  }
  const int version = index->label->version;
  const std::uint64_t begin = index->source->position();
  const Result<Bytes> entries = index->source->Window(~std::size_t{0});
  if (!entries) {
    NoteEnd(kIndexPart, begin, entries.error(), std::nullopt);
    return;
  }
  index_ = archive::IndexView(*entries, version);
  report_.summary.index_entries = index_->size();
  report_.summary.bytes += begin + entries->size();
  CheckEmptiness(kIndexPart, entries->size(), {begin, begin + entries->size()});
  if (first_label_->version != version) {
    NotChecked("rules on the index", "it is of another version than the archive (ARC-1205)");
    return;
  }
  // One violation gives one finding: an entry for a volume that ARC-1002, ARC-1006 or ARC-1016
  // reports is not ARC-1903's as well.
  index_rules_.emplace(*index_,
                       IndexRules::Archive{version, LabelStart(), VolumesForIndex(),
                                           !files_.HasAllVolumes(), options_.memory.Index()},
                       collector_);
}

// A finished or live archive can begin with nothing but a label in its last volume only (ARC-042,
// ARC-043).
void ArchiveCheck::CheckEmptiness(Part part, std::uint64_t records, const ReadExtent& extent) {
  if (records != 0 || !extent.Whole()) return;
  Clause rule = "ARC-1005"_clause;
  if (part >= 0 && part != files_.parts.lower_bound(0)->first) {
    rule = part == files_.parts.rbegin()->first ? "ARC-1014"_clause : "ARC-1015"_clause;
  }
  collector_.Report(rule, {part, 0, extent.end, 0}, [] {
    return archive::Details{"file", "a label", "a label and more",
                            "the file holds nothing but its label"};
  });
}

// What is after the place where reading ended was not checked.
void ArchiveCheck::NoteEnd(Part part, std::uint64_t offset, const std::optional<Status>& error,
                           const std::optional<std::uint64_t>& lost) {
  if (lost)
    NotChecked(NameOf(part) + " from offset " + std::to_string(*lost),
               "the framing of records is lost there");
  if (!error) return;
  const std::uint64_t at = error->offset.value_or(offset);
  NotChecked(NameOf(part) + " from offset " + std::to_string(at), error->message);
  if (error->kind == Status::Kind::kBudget || error->kind == Status::Kind::kUnsupported) {
    Status failure = *error;
    if (failure.file.empty()) failure.file = NameOf(part);
    Fail(failure);
  } else if (error->clause == "ARC-1009"_clause) {
    collector_.Report("ARC-1009"_clause, {part, at, 0, 0}, [&] {
      return archive::Details{"compressed data", "", "", error->message};
    });
  }
}

void ArchiveCheck::ReadData() {
  const MetricTable metrics(metadata_, metadata_.Complete() && !metadata_.descs.empty());
  report_.summary.metrics = metrics.metric_count();
  report_.summary.indoms = metrics.domain_count();
  const int version = first_label_ == nullptr ? 2 : first_label_->version;
  OrderRules order(LabelStart(), version, collector_);
  std::optional<MetadataTimeRules> times;
  if (has_metadata_) times.emplace(LabelStart(), version, metadata_.positions, collector_);

  DataWalk walk(metrics,
                {order, index_rules_ ? &*index_rules_ : nullptr, times ? &*times : nullptr},
                collector_, options_.jobs, options_.stretch, progress_);
  const bool reads = NeedsData(options_.rules);
  if (!reads) NotChecked("the data volumes", "--only leaves out data: they are not read");
  bool complete = reads && files_.HasAllVolumes();
  const auto refused = files_.refused.lower_bound(0);
  Part expected = refused == files_.refused.end() ? std::numeric_limits<Part>::max() : *refused;
  for (const auto& [part, file] : files_.parts) {
    if (part < 0) continue;
    if (part > expected) walk.OnVolumeLost();
    expected = part == std::numeric_limits<Part>::max() ? part : part + 1;
    const OpenFile* volume = reads ? WithLabel(part) : nullptr;
    OpenFile open;
    if (volume == nullptr || !OpenVolumeFile(part, &open)) {
      complete = false;
      walk.OnVolumeLost();
      continue;
    }
    PassLabel(*open.source, volume->label_end);
    const DataWalk::VolumeOutcome outcome =
        walk.Walk(*open.source, part, volume->label->version,
                  std::shared_ptr<const archive::StoredFile>(std::move(open.stored)));
    complete = complete && outcome.extent.Whole();
    report_.summary.bytes += outcome.extent.size.value_or(outcome.extent.end);
    NoteEnd(part, outcome.extent.end, outcome.error, outcome.lost);
    CheckEmptiness(part, outcome.records, outcome.extent);
    CheckSize(part, volume->label->version, outcome.extent.size.value_or(outcome.extent.end));
  }
  walk.Finish(complete);
  order.OnEnd(walk.totals().values() > 0 || walk.refused() > 0, complete);
  if (index_rules_) {
    index_rules_->OnEnd(metadata_.positions, meta_extent_, complete);
    NoteEnd(kIndexPart, archive::LayoutOf(version).label, index_rules_->failure(), std::nullopt);
    if (const auto because = index_rules_->NotChecked())
      NotChecked("entries of the index against the files", *because);
  }
  if (times) times->OnEnd(complete);
  if (walk.totals().not_compared() > 0) {
    NotChecked(
        "ARC-1805 and ARC-1806 for " + std::to_string(walk.totals().not_compared()) + " value sets",
        "the times of their records are out of order or out of range");
  }

  report_.summary.records = walk.outcome().records;
  report_.summary.marks = walk.outcome().marks;
  report_.summary.values = walk.totals().values();
  report_.summary.finish = walk.outcome().latest;
  refused_records_ = walk.refused();
  usage_.metrics = walk.totals().Metrics();
  usage_.first_record = walk.outcome().first;
  usage_.complete =
      complete && report_.summary.records > 0 && walk.refused() == 0 && metadata_.Complete();
}

void ArchiveCheck::CheckMetadata() {
  if (!has_metadata_ || first_label_ == nullptr) return;
  if (index_rules_) {
    for (auto& [pmid, usage] : usage_.metrics) {
      usage.meta_offset_bound = index_rules_->MetaOffsetAfter(usage.first_use);
    }
  }
  CheckDescriptors(metadata_, usage_, collector_);
  CheckInstanceDomains(metadata_, first_label_->version, collector_);
  CheckLabelSets(metadata_, *first_label_, usage_, collector_);
  CheckHelpTexts(metadata_, collector_);
}

// What was found of a file that is not what it was any more means nothing.
void ArchiveCheck::GiveUp(const Status& loss) {
  ArchiveReport report;
  report.archive = std::move(report_.archive);
  report.contents = std::move(report_.contents);
  report.failure = loss;
  report.not_checked.push_back({report.archive, loss.message});
  report_ = std::move(report);
}

void ArchiveCheck::Finish() {
  std::vector<validator::NotChecked> own = std::move(report_.not_checked);
  report_.not_checked.clear();
  const DescribedNames names(metadata_.descs);
  collector_.Finish([this](Part part) { return NameOf(part); },
                    [&names](Pmid metric) { return names.Of(metric); }, report_);
  LinkCauses(
      catalogue_,
      [this](const Finding& finding) -> std::optional<Part> {
        if (finding.part != kIndexPart || !index_ || finding.record == 0 ||
            finding.record > index_->size()) {
          return std::nullopt;
        }
        return (*index_)[finding.record - 1].volume;
      },
      report_.findings);
  report_.not_checked.insert(report_.not_checked.begin(), std::make_move_iterator(own.begin()),
                             std::make_move_iterator(own.end()));
  if (const std::optional<Status> loss = storage_.loss()) GiveUp(*loss);
  if (report_.failure) {
    report_.readable = false;
    report_.conformant = false;
  } else if (!report_.readable) {
    FindWhatSurvives();
  }
  if (options_.disclose && !report_.failure) {
    FindWhatIsDisclosed();
    if (const std::optional<Status> loss = storage_.loss()) GiveUp(*loss);
  }
  if (options_.picture && !report_.failure) {
    DrawIt();
    if (const std::optional<Status> loss = storage_.loss()) GiveUp(*loss);
  }
  if (progress_ != nullptr) progress_->ArchiveDone();
}

// The volumes are read a second time: where the first one stopped shows only when all is read.
void ArchiveCheck::FindWhatSurvives() {
  DamagedArchive damaged{.name = report_.archive,
                         .volumes = {},
                         .all_volumes = files_.HasAllVolumes(),
                         .findings = report_.findings,
                         .refused_records = refused_records_,
                         .last_index_entry = std::nullopt};
  if (index_ && index_->size() > 0) damaged.last_index_entry = (*index_)[index_->size() - 1].time;
  for (const auto& [part, file] : files_.parts) {
    if (part < 0) continue;
    VolumeToSearch& volume = damaged.volumes.emplace_back();
    volume.part = part;
    volume.name = NameOf(part);
    const OpenFile* known = WithLabel(part);
    if (known != nullptr) volume.version = known->label->version;
    volume.open = [this, number = Part{part}] { return OpenAgain(number); };
  }
  report_.survival = FindSurvival(std::move(damaged));
}

OpenVolume ArchiveCheck::OpenAgain(Part part) {
  const OpenFile* known = WithLabel(part);
  OpenFile open;
  if (known == nullptr || !OpenVolumeFile(part, &open)) return {};
  PassLabel(*open.source, known->label_end);
  return {std::move(open.stored), std::move(open.source)};
}

void ArchiveCheck::FindWhatIsDisclosed() {
  SearchedArchive searched{.labels = {},
                           .metadata = metadata_,
                           .name = [this](Part part) { return NameOf(part); },
                           .open = [this](Part part) { return OpenAgain(part); }};
  for (const auto& [part, open] : open_) {
    if (open.label) searched.labels.emplace(part, &*open.label);
  }
  report_.disclosures = FindDisclosures(searched);
}

void ArchiveCheck::DrawIt() {
  std::vector<DrawnFile> drawn;
  for (const auto& [part, file] : files_.parts) {
    const auto open = open_.find(part);
    const bool has_label = open != open_.end() && open->second.label;
    drawn.push_back({.part = part,
                     .name = NameOf(part),
                     .version = has_label ? open->second.label->version : 0,
                     .label_end = has_label ? open->second.label_end : 0,
                     .open = [this, number = Part{part}]() -> OpenVolume {
                       OpenFile again;
                       if (!OpenVolumeFile(number, &again)) return {};
                       return {std::move(again.stored), std::move(again.source)};
                     }});
  }
  report_.picture = DrawPicture(drawn, report_.findings);
}

}  // namespace pmproof::validator

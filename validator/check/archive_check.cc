// SPDX-License-Identifier: Apache-2.0
#include "validator/check/archive_check.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "validator/check/described_names.h"
#include "validator/check/disclosure/find_disclosures.h"
#include "validator/check/draw_picture.h"
#include "validator/check/letting_go.h"
#include "validator/check/metadata_ahead.h"
#include "validator/check/root_causes.h"
#include "validator/check/rules/descriptor_rules.h"
#include "validator/check/rules/label_set_rules.h"
#include "validator/check/rules/metadata_time_rules.h"
#include "validator/check/rules/metric_table.h"
#include "validator/check/rules/order_rules.h"
#include "validator/check/survival.h"
#include "validator/check/volumes_in_turn.h"

namespace pmproof::validator {

using archive::kIndexPart;
using archive::kMetaPart;
using archive::kWholeArchive;
using archive::Part;

ArchiveCheck::ArchiveCheck(const archive::Storage& storage, const archive::FoundArchive& found,
                           const Catalogue& catalogue, const CheckOptions& options,
                           ProgressSink* progress)
    : storage_(storage),
      catalogue_(catalogue),
      options_(options),
      progress_(progress),
      collector_(catalogue, options.profile, options.rules, options.max_findings,
                 options.by_metric),
      found_(found),
      files_(found.files()),
      shortfall_(files_, collector_),
      opened_(storage_, files_, options, shortfall_),
      pool_(std::max(options.jobs, 1U) - 1) {}

ArchiveReport ArchiveCheck::Run(const std::string& name) {
  report_.archive = name;
  found_.ReportTo(collector_);
  if (found_.error()) {
    shortfall_.Fail(*found_.error());
    Finish();
    return std::move(report_);
  }
  report_.archive = files_.Name();
  for (const Status& unreadable : files_.unreadable) {
    shortfall_.Fail(unreadable);
    shortfall_.NotChecked(unreadable.file, unreadable.message);
  }
  opened_.Open(&report_);
  opened_.ReadLabels(collector_, &report_);
  ReadMetadata();
  if (has_metadata_ && opened_.first_label() != nullptr && pool_.threads() > 0) {
    ahead_.emplace(metadata_, opened_.first_label()->version, collector_);
    pool_.Put(&*ahead_, WorkPool::Length::kLong);
  }
  ReadIndex();
  ReadData();
  CheckMetadata();
  {
    std::optional<LettingGo> metadata;
    if (const CheckedFiles::OpenFile* meta = opened_.WithLabel(kMetaPart))
      metadata.emplace(pool_, *meta->stored);
    pool_.Close();
    Finish();
  }
  return std::move(report_);
}

std::string ArchiveCheck::NameOf(Part part) const {
  return part == kWholeArchive ? files_.Name() : files_.FileName(part);
}

void ArchiveCheck::ReadMetadata() {
  CheckedFiles::OpenFile* meta = opened_.WithLabel(kMetaPart);
  if (meta == nullptr) {
    shortfall_.NotChecked("rules on metadata, and on values against metadata",
                          "there is no .meta file that can be read");
    return;
  }
  const bool compressed = files_.parts.at(kMetaPart).compression != archive::Compression::kNone;
  Result<archive::Metadata> metadata = LoadMetadataAhead(
      pool_, {meta->source.get(), compressed ? nullptr : meta->stored.get(), meta->label->version},
      options_.stretch, collector_, opened_.metadata_budget());
  if (!metadata) {
    shortfall_.NoteEnd(kMetaPart, meta->source->position(), metadata.error());
    return;
  }
  metadata_ = std::move(*metadata);
  has_metadata_ = metadata_.records > 0;
  const Result<std::uint64_t> size = SizeToTheEnd(*meta->source);
  meta_extent_.end = metadata_.end;
  if (size) meta_extent_.size = *size;
  if (metadata_.descs.empty()) {
    shortfall_.NotChecked("rules on metadata, and on values against metadata",
                          "no metric is described");
  } else if (!metadata_.Complete()) {
    shortfall_.NotChecked("whether values have a descriptor, and their instances a domain",
                          "some metadata cannot be read");
  }
  shortfall_.NoteEnd(kMetaPart, metadata_.end, size ? std::nullopt : std::optional(size.error()),
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
  CheckedFiles::OpenFile* index = opened_.WithLabel(kIndexPart);
  if (index == nullptr) {
    if (files_.parts.contains(kIndexPart))
      shortfall_.NotChecked("rules on the index", "the .index file cannot be read");
    return;
  }
  const int version = index->label->version;
  const std::uint64_t begin = index->source->position();
  const Result<Bytes> entries = index->source->Window(~std::size_t{0});
  if (!entries) {
    shortfall_.NoteEnd(kIndexPart, begin, entries.error());
    return;
  }
  index_ = archive::IndexView(*entries, version);
  report_.summary.index_entries = index_->size();
  report_.summary.bytes += begin + entries->size();
  CheckEmptiness(kIndexPart, entries->size(), {begin, begin + entries->size()});
  if (opened_.first_label()->version != version) {
    shortfall_.NotChecked("rules on the index",
                          "it is of another version than the archive (ARC-1205)");
    return;
  }
  // One violation gives one finding: an entry for a volume that ARC-1002, ARC-1006 or ARC-1016
  // reports is not ARC-1903's as well.
  index_rules_.emplace(*index_,
                       IndexRules::Archive{version, opened_.LabelStart(), VolumesForIndex(),
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

void ArchiveCheck::ReadData() {
  const MetricTable metrics(metadata_, metadata_.Complete() && !metadata_.descs.empty());
  report_.summary.metrics = metrics.metric_count();
  report_.summary.indoms = metrics.domain_count();
  const int version = opened_.first_label() == nullptr ? 2 : opened_.first_label()->version;
  OrderRules order(opened_.LabelStart(), version, collector_);
  std::optional<MetadataTimeRules> times;
  if (has_metadata_) times.emplace(opened_.LabelStart(), version, metadata_.positions, collector_);

  VolumesInTurn volumes(opened_, files_, DataWalk::LeastBegunEarly(options_.stretch));
  DataWalk walk(
      metrics, {order, index_rules_ ? &*index_rules_ : nullptr, times ? &*times : nullptr},
      collector_, pool_, options_.stretch, opened_.LabelStart().value_or(Timestamp()), progress_);
  const bool reads = NeedsData(options_.rules);
  if (!reads) {
    shortfall_.NotChecked("the data volumes", "--only leaves out data: they are not read");
  }
  bool complete = reads && files_.HasAllVolumes();
  const auto refused = files_.refused.lower_bound(0);
  Part expected = refused == files_.refused.end() ? std::numeric_limits<Part>::max() : *refused;
  for (const auto& [part, file] : files_.parts) {
    if (part < 0) continue;
    if (part > expected) walk.OnVolumeLost();
    expected = part == std::numeric_limits<Part>::max() ? part : part + 1;
    const DataWalk::Volume* volume = reads ? volumes.Open(part) : nullptr;
    if (volume == nullptr) {
      complete = false;
      walk.OnVolumeLost();
      continue;
    }
    const DataWalk::VolumeOutcome outcome =
        walk.Walk(*volume, pool_.threads() > 0 ? volumes.OpenNext() : nullptr);
    complete = complete && outcome.extent.Whole();
    report_.summary.bytes += outcome.extent.size.value_or(outcome.extent.end);
    shortfall_.NoteEnd(part, outcome.extent.end, outcome.error, outcome.lost);
    CheckEmptiness(part, outcome.records, outcome.extent);
    CheckSize(part, volume->version, outcome.extent.size.value_or(outcome.extent.end));
  }
  walk.Finish(complete);
  order.OnEnd(walk.totals().values() > 0 || walk.refused() > 0, complete);
  if (index_rules_) {
    index_rules_->OnEnd(metadata_.positions, meta_extent_, complete);
    shortfall_.NoteEnd(kIndexPart, archive::LayoutOf(version).label, index_rules_->failure());
    if (const auto because = index_rules_->NotChecked())
      shortfall_.NotChecked("entries of the index against the files", *because);
  }
  if (times) times->OnEnd(complete);
  if (walk.totals().not_compared() > 0) {
    shortfall_.NotChecked(
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
  if (!has_metadata_ || opened_.first_label() == nullptr) return;
  if (index_rules_) {
    for (auto& [pmid, usage] : usage_.metrics) {
      usage.meta_offset_bound = index_rules_->MetaOffsetAfter(usage.first_use);
    }
  }
  CheckDescriptors(metadata_, usage_, collector_);
  const bool ahead = ahead_ && pool_.Finish(&*ahead_);
  if (!ahead) ahead_.reset();  // there was no memory for it beside the volumes
  if (ahead) {
    collector_.Merge(std::move(ahead_->domains()));
  } else {
    CheckInstanceDomains(metadata_, opened_.first_label()->version, collector_);
  }
  CheckLabelSets(metadata_, *opened_.first_label(), usage_, collector_);
  if (ahead) {
    collector_.Merge(std::move(ahead_->help_texts()));
  } else {
    CheckHelpTexts(metadata_, collector_);
  }
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

void ArchiveCheck::TakeShortfall() {
  if (shortfall_.failure()) report_.failure = shortfall_.failure();
  std::ranges::move(shortfall_.TakeNotChecked(), std::back_inserter(report_.not_checked));
}

void ArchiveCheck::Finish() {
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
  std::vector<NotChecked> rules = std::exchange(report_.not_checked, {});
  TakeShortfall();
  std::ranges::move(rules, std::back_inserter(report_.not_checked));
  if (const std::optional<Status> loss = storage_.loss()) GiveUp(*loss);
  if (report_.failure) {
    report_.readable = false;
    report_.conformant = false;
  } else if (!report_.readable) {
    FindWhatSurvives();
    TakeShortfall();
  }
  if (options_.disclose && !report_.failure) {
    FindWhatIsDisclosed();
    TakeShortfall();
    if (const std::optional<Status> loss = storage_.loss()) GiveUp(*loss);
  }
  if (options_.picture && !report_.failure) {
    DrawIt();
    TakeShortfall();
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
    const CheckedFiles::OpenFile* known = opened_.WithLabel(part);
    if (known != nullptr) volume.version = known->label->version;
    volume.open = [this, number = Part{part}] { return opened_.OpenAfterLabel(number); };
  }
  report_.survival = FindSurvival(std::move(damaged));
}

void ArchiveCheck::FindWhatIsDisclosed() {
  SearchedArchive searched{.labels = {},
                           .metadata = metadata_,
                           .name = [this](Part part) { return NameOf(part); },
                           .open = [this](Part part) { return opened_.OpenAfterLabel(part); }};
  for (const auto& [part, open] : opened_.all()) {
    if (open.label) searched.labels.emplace(part, &*open.label);
  }
  report_.disclosures = FindDisclosures(searched);
}

void ArchiveCheck::DrawIt() {
  std::vector<DrawnFile> drawn;
  for (const auto& [part, file] : files_.parts) {
    const auto open = opened_.all().find(part);
    const bool has_label = open != opened_.all().end() && open->second.label;
    drawn.push_back({.part = part,
                     .name = NameOf(part),
                     .version = has_label ? open->second.label->version : 0,
                     .label_end = has_label ? open->second.label_end : 0,
                     .open = [this, number = Part{part}]() -> OpenVolume {
                       CheckedFiles::OpenFile again;
                       if (!opened_.OpenAgain(number, &again)) return {};
                       return {std::move(again.stored), std::move(again.source)};
                     }});
  }
  report_.picture = DrawPicture(drawn, report_.findings);
}

}  // namespace pmproof::validator

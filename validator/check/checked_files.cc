// SPDX-License-Identifier: Apache-2.0
#include "validator/check/checked_files.h"

#include <algorithm>
#include <string>
#include <utility>

#include "reference/archive/addressable_source.h"
#include "validator/check/content_digest.h"
#include "validator/check/data_walk.h"

namespace pmproof::validator {

using archive::Part;

namespace {

// Volumes begin with a label.
bool NeedsVolumeLabels(const RuleSelection& rules) {
  return NeedsData(rules) || std::ranges::count(rules.only, RulePart::kLabel) > 0;
}

}  // namespace

bool NeedsData(const RuleSelection& rules) {
  return rules.only.empty() || !rules.added.empty() ||
         std::ranges::count(rules.only, RulePart::kData) > 0;
}

void PassLabel(archive::Source& source, std::uint64_t end) {
  // Bytes that cannot be shown any more are met as an error by whoever reads the records.
  if (source.Window(end)) source.Skip(end);
}

void CheckedFiles::Open(ArchiveReport* report) {
  for (const auto& [part, file] : files_.parts) {
    Result<std::unique_ptr<archive::StoredFile>> stored = storage_.Open(file.path);
    if (!stored) {
      shortfall_.Fail(stored.error());
      shortfall_.NotChecked(files_.FileName(part), stored.error().message);
      continue;
    }
    // Whoever keeps a verdict compares content with this to see whether it still holds. So it is of
    // what lay there before the check: a file that changes meanwhile has another one afterwards.
    if (options_.contents) {
      report->contents.push_back(
          {file.path.substr(file.path.rfind('/') + 1), ContentDigest((*stored)->bytes())});
    }
    OpenFile& open = open_[part];
    open.size = (*stored)->bytes().size();
    if (part >= 0) continue;
    open.stored = std::move(*stored);
    OpenInMemory(part, open);
  }
  report->summary.files = open_.size();
  report->summary.volumes = static_cast<std::uint64_t>(
      std::count_if(open_.begin(), open_.end(), [](const auto& open) { return open.first >= 0; }));
}

void CheckedFiles::OpenInMemory(Part part, OpenFile& open) {
  const archive::Compression compression = files_.parts.at(part).compression;
  const std::string name = files_.FileName(part);
  Result<std::unique_ptr<archive::Source>> addressable = archive::MakeAddressable(
      archive::MakeSource(*open.stored, name, compression, limits_), name, metadata_budget_);
  if (!addressable) {
    shortfall_.NoteEnd(part, 0, addressable.error());
    open_.erase(part);
    return;
  }
  open.source = std::move(*addressable);
  if (compression != archive::Compression::kNone) {
    metadata_budget_ -= std::min(metadata_budget_, open.source->mapped().value_or(Bytes()).size());
  }
}

bool CheckedFiles::OpenAgain(Part part, OpenFile* open) {
  const std::optional<Status> failure = TryToOpen(part, open);
  if (!failure) return true;
  shortfall_.Fail(*failure);
  shortfall_.NotChecked(files_.FileName(part), failure->message);
  return false;
}

std::optional<Status> CheckedFiles::TryToOpen(Part part, OpenFile* open) const {
  const archive::ArchiveFile& file = files_.parts.at(part);
  Result<std::unique_ptr<archive::StoredFile>> stored = storage_.Open(file.path);
  if (!stored) return stored.error();
  open->stored = std::move(*stored);
  open->source =
      archive::MakeSource(*open->stored, files_.FileName(part), file.compression, limits_);
  return std::nullopt;
}

OpenVolume CheckedFiles::OpenAfterLabel(Part part) {
  const OpenFile* known = WithLabel(part);
  OpenFile open;
  if (known == nullptr || !OpenAgain(part, &open)) return {};
  PassLabel(*open.source, known->label_end);
  return {std::move(open.stored), std::move(open.source)};
}

void CheckedFiles::ReadLabels(archive::Reporter& reporter, ArchiveReport* report) {
  std::optional<Status> failure;
  for (auto& [part, file] : open_) {
    if (part >= 0 && !NeedsVolumeLabels(options_.rules)) continue;
    OpenFile volume;
    if (part >= 0 && !OpenAgain(part, &volume)) continue;
    const OpenFile& open = part >= 0 ? volume : file;
    Result<archive::ArchiveLabel> label = archive::ReadLabel(
        *open.source, part, files_.FileName(part), options_.now, reporter, options_.zones);
    if (label) {
      file.label = std::move(*label);
      file.label_end = open.source->position();
      continue;
    }
    if (!failure) failure = label.error();
    shortfall_.NoteEnd(part, 0, label.error());
    if (label.error().clause == "ARC-1009"_clause) continue;
    if (part >= 0 && !NeedsData(options_.rules)) continue;
    // A damaged compressed file can show itself as a wrong label first.
    const Result<std::uint64_t> size = SizeToTheEnd(*open.source);
    if (!size) shortfall_.NoteEnd(part, 0, size.error());
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
    shortfall_.NotChecked("whether the names of time zones exist (ARC-1223)",
                          "there is no tz database here");
  }
  if (first_label_ == nullptr) {
    if (failure) shortfall_.Fail(*failure);
    return;
  }
  report->archive_version = first_label_->version;
  report->label = *first_label_;
  report->summary.start = first_label_->start;
  for (const auto& [part, open] : open_) {
    if (open.label && &*open.label != first_label_) {
      archive::CompareLabels(*first_label_, *open.label, part, reporter);
    }
  }
}

CheckedFiles::OpenFile* CheckedFiles::WithLabel(Part part) {
  const auto found = open_.find(part);
  return found == open_.end() || !found->second.label ? nullptr : &found->second;
}

std::optional<Timestamp> CheckedFiles::LabelStart() const {
  if (first_label_ == nullptr ||
      !archive::FractionInRange(first_label_->fraction, first_label_->version)) {
    return std::nullopt;
  }
  return first_label_->start;
}

}  // namespace pmproof::validator

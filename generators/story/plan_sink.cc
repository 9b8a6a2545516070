// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <variant>

#include "generators/story/composer.h"
#include "reference/archive/encode.h"
#include "reference/archive/layout.h"

namespace pmproof::generators {

PlanSink::PlanSink(int version, archive::IndexPolicy policy)
    : version_(version), builder_(version, policy), meta_end_(archive::LayoutOf(version).label) {
  meta_at_.emplace(meta_end_, 0);
}

std::optional<Status> PlanSink::Take(const archive::MetaRecordModel& record) {
  archive::Buffer bytes;
  archive::AppendMetaRecord(record, version_, &bytes);
  meta_end_ += bytes.size();
  plan_.meta.push_back(record);
  meta_at_.emplace(meta_end_, plan_.meta.size());
  if (std::holds_alternative<archive::IndomModel>(record)) builder_.NoteIndom();
  return std::nullopt;
}

std::optional<Status> PlanSink::Take(const archive::ResultModel& result) {
  if (plan_.volumes.empty()) start_ = result.time;
  if (std::exchange(next_volume_, false) && !plan_.volumes.empty()) ++volume_;
  std::vector<archive::ResultModel>& volume = plan_.volumes[volume_];
  if (volume.empty()) {
    data_at_.clear();
    data_end_ = archive::LayoutOf(version_).label;
  }
  archive::Buffer bytes;
  archive::AppendResult(result, version_, &bytes);
  const std::uint64_t begin = data_end_;
  data_at_.emplace(begin, volume.size());
  data_end_ += bytes.size();
  volume.push_back(result);
  Add(builder_.NoteResult(result, volume_, begin, data_end_, meta_end_));
  return std::nullopt;
}

void PlanSink::NextVolume() { next_volume_ = true; }

void PlanSink::Add(const std::optional<archive::IndexEntryModel>& entry) {
  if (!entry) return;
  plan_.index.push_back({entry->time, entry->volume, meta_at_.at(entry->meta_offset),
                         data_at_.at(entry->data_offset)});
}

ArchivePlan PlanSink::Finish(archive::LabelModel label) && {
  Add(builder_.Last());
  plan_.label = std::move(label);
  plan_.label.start = start_;
  return std::move(plan_);
}

ArchivePlan Compose(const Story& story, archive::IndexPolicy policy) {
  PlanSink sink(story.setup.version == 2 ? 2 : 3, policy);
  Composer composer(story.setup, sink);
  // The sink takes everything.
  for (const Step& step : story.steps) composer.Take(step);
  composer.Finish();
  return std::move(sink).Finish(composer.Label());
}

}  // namespace pmproof::generators

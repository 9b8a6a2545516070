// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/find.h"

#include <utility>
#include <variant>

namespace pmproof::generators {

archive::ResultModel& At(ArchivePlan& plan, const ResultPlace& place) {
  return plan.volumes.at(place.volume).at(place.record);
}

archive::ValueSetModel& At(ArchivePlan& plan, const SetPlace& place) {
  return At(plan, place.result).sets.at(place.set);
}

std::vector<ResultPlace> Results(const ArchivePlan& plan) {
  std::vector<ResultPlace> found;
  for (const auto& [volume, results] : plan.volumes) {
    for (std::size_t i = 0; i < results.size(); ++i) found.push_back({volume, i});
  }
  return found;
}

std::vector<SetPlace> Sets(
    const ArchivePlan& plan,
    const std::function<bool(const archive::ResultModel&, const archive::ValueSetModel&)>& wanted) {
  std::vector<SetPlace> found;
  for (const auto& [volume, results] : plan.volumes) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      for (std::size_t k = 0; k < results[i].sets.size(); ++k) {
        if (wanted(results[i], results[i].sets[k])) found.push_back({{volume, i}, k});
      }
    }
  }
  return found;
}

bool IsAtEnd(const ArchivePlan& plan, const PlannedIndexEntry& entry) {
  const auto volume = plan.volumes.find(entry.volume);
  if (volume == plan.volumes.end()) return false;
  const std::vector<archive::ResultModel>& results = volume->second;
  const std::size_t record = entry.data_record;
  return record > 0 && record < results.size() && results[record].time != entry.time &&
         results[record - 1].time == entry.time;
}

bool HasEntriesAtEnds(const ArchivePlan& plan) {
  for (std::size_t i = 0; i + 1 < plan.index.size(); ++i) {
    if (IsAtEnd(plan, plan.index[i])) return true;
  }
  return false;
}

archive::DescModel* DescOf(ArchivePlan& plan, Pmid pmid) {
  for (archive::MetaRecordModel& record : plan.meta) {
    auto* desc = std::get_if<archive::DescModel>(&record);
    if (desc != nullptr && desc->descriptor.pmid == pmid) return desc;
  }
  return nullptr;
}

void InsertMeta(ArchivePlan& plan, std::size_t position, archive::MetaRecordModel record,
                bool behind_entries) {
  plan.meta.insert(plan.meta.begin() + static_cast<std::ptrdiff_t>(position), std::move(record));
  for (PlannedIndexEntry& entry : plan.index) {
    if (entry.meta_record > position || (entry.meta_record == position && behind_entries)) {
      ++entry.meta_record;
    }
  }
}

void EraseMeta(ArchivePlan& plan, std::size_t position) {
  plan.meta.erase(plan.meta.begin() + static_cast<std::ptrdiff_t>(position));
  for (PlannedIndexEntry& entry : plan.index) {
    if (entry.meta_record > position) --entry.meta_record;
  }
}

void InsertResult(ArchivePlan& plan, const ResultPlace& place, archive::ResultModel result) {
  auto& results = plan.volumes.at(place.volume);
  results.insert(results.begin() + static_cast<std::ptrdiff_t>(place.record), std::move(result));
  for (PlannedIndexEntry& entry : plan.index) {
    if (entry.volume == place.volume && entry.data_record >= place.record) ++entry.data_record;
  }
}

void EraseResult(ArchivePlan& plan, const ResultPlace& place) {
  auto& results = plan.volumes.at(place.volume);
  results.erase(results.begin() + static_cast<std::ptrdiff_t>(place.record));
  std::erase_if(plan.index, [&place](const PlannedIndexEntry& entry) {
    return entry.volume == place.volume && entry.data_record == place.record;
  });
  for (PlannedIndexEntry& entry : plan.index) {
    if (entry.volume == place.volume && entry.data_record > place.record) --entry.data_record;
  }
}

}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/volumes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"

namespace pmproof::generators {
namespace {

using archive::Part;

// Where a volume can end: in front of a record with values that is later than the one before, and
// for which the index has no entry but its own.
std::vector<ResultPlace> Divisions(const ArchivePlan& plan) {
  std::map<std::pair<Part, std::size_t>, std::vector<Timestamp>> pointing;
  std::map<Timestamp, std::size_t> with_time;
  for (const PlannedIndexEntry& entry : plan.index) {
    pointing[{entry.volume, entry.data_record}].push_back(entry.time);
    ++with_time[entry.time];
  }
  std::vector<ResultPlace> places;
  std::size_t next = 0;  // the first entry for this record or one after it
  for (const auto& [volume, results] : plan.volumes) {
    for (std::size_t i = 1; i < results.size(); ++i) {
      const archive::ResultModel& result = results[i];
      while (next < plan.index.size() &&
             std::pair(plan.index[next].volume, plan.index[next].data_record) <
                 std::pair(volume, i))
        ++next;
      if (result.sets.empty() || result.fraction || result.time <= results[i - 1].time) continue;
      const auto entries = pointing.find({volume, i});
      // An entry that is added must have its place in time (ARC-1908).
      const bool none = entries == pointing.end() && !with_time.contains(result.time) &&
                        (next == 0 || plan.index[next - 1].time < result.time) &&
                        (next == plan.index.size() || plan.index[next].time > result.time);
      const bool own = entries != pointing.end() && entries->second.size() == 1 &&
                       entries->second.front() == result.time && with_time[result.time] == 1;
      if (none || own) places.push_back({volume, i});
    }
  }
  return places;
}

void AddEntry(ArchivePlan& plan, Part volume) {
  const Timestamp time = plan.volumes.at(volume).front().time;
  const auto place =
      std::find_if(plan.index.begin(), plan.index.end(),
                   [&](const PlannedIndexEntry& entry) { return entry.volume >= volume; });
  if (place != plan.index.end() && place->volume == volume && place->data_record == 0) return;
  const auto entry = static_cast<std::size_t>(place - plan.index.begin());
  plan.index.insert(place, {time, volume, MetaRecordFor(plan, entry, time), 0});
}

void Divide(ArchivePlan& plan, const ResultPlace& place) {
  const Part next = place.volume + 1;
  if (plan.volumes.contains(next)) Renumber(plan, next, 1);
  std::vector<archive::ResultModel>& results = plan.volumes.at(place.volume);
  const auto from = results.begin() + static_cast<std::ptrdiff_t>(place.record);
  plan.volumes[next].assign(std::make_move_iterator(from), std::make_move_iterator(results.end()));
  results.erase(from, results.end());
  for (PlannedIndexEntry& entry : plan.index) {
    if (entry.volume != place.volume || entry.data_record < place.record) continue;
    entry.volume = next;
    entry.data_record -= place.record;
  }
  if (const auto own = plan.labels.find(place.volume); own != plan.labels.end()) {
    plan.labels[next] = own->second;
    plan.labels[next].volume = next;
  }
  if (plan.has_index) AddEntry(plan, next);
}

}  // namespace

void Renumber(ArchivePlan& plan, Part first, Part by) {
  decltype(plan.volumes) volumes;
  for (auto& [number, results] : plan.volumes)
    volumes[number < first ? number : number + by] = std::move(results);
  plan.volumes = std::move(volumes);
  decltype(plan.labels) labels;
  for (auto& [part, label] : plan.labels) {
    if (part < 0 || part < first) {
      labels[part] = std::move(label);
    } else {
      label.volume = part + by;
      labels[part + by] = std::move(label);
    }
  }
  plan.labels = std::move(labels);
  for (PlannedIndexEntry& entry : plan.index) {
    if (entry.volume >= first) entry.volume += by;
  }
}

std::size_t MetaRecordFor(const ArchivePlan& plan, std::size_t entry, Timestamp time) {
  std::size_t meta = entry == 0 ? 0 : plan.index[entry - 1].meta_record;
  const std::size_t end =
      entry == plan.index.size() ? plan.meta.size() : plan.index[entry].meta_record;
  while (meta < end && TimeOf(plan.meta[meta]).value_or(time) <= time) ++meta;
  return meta;
}

NotApplicable DivideInto(ArchivePlan& plan, std::size_t count, Random& random) {
  while (plan.volumes.size() < count) {
    const std::vector<ResultPlace> places = Divisions(plan);
    if (places.empty()) return "it has too few records for " + std::to_string(count) + " volumes";
    Divide(plan, random.Pick(places));
  }
  return std::nullopt;
}

}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/new_records.h"

#include <algorithm>
#include <map>
#include <utility>

#include "generators/mutations/fresh.h"
#include "generators/mutations/gaps.h"

namespace pmproof::generators {
namespace {

using archive::ResultModel;
using archive::ValueSetModel;

// So many rooms are tried: in an archive of a steady rhythm the first one suits.
constexpr std::size_t kMostTries = 64;

// An index entry that points to the end of a record (ARC-454) would point to the end of the new one
// if that were put at `place`.
bool EntryForEnd(const ArchivePlan& plan, const ResultPlace& place, const Timestamp* behind) {
  return std::any_of(plan.index.begin(), plan.index.end(), [&](const PlannedIndexEntry& entry) {
    return entry.volume == place.volume && entry.data_record >= place.record &&
           (behind == nullptr || (entry.data_record == place.record && entry.time != *behind));
  });
}

// Times of `count` records between two, in whole microseconds; nothing if there is no room for
// them. As far apart as can be, but for a random part of the step.
std::vector<Timestamp> TimesBetween(Timestamp before, Timestamp behind, std::size_t count,
                                    Random& random) {
  const Timestamp whole = before + -std::int64_t{before.nanoseconds % kTimeStep};
  const auto parts = static_cast<std::int64_t>(count) + 1;
  const std::int64_t step = NanosecondsBetween(whole, behind) / kTimeStep / parts;
  if (step < 1) return {};
  std::vector<Timestamp> times;
  for (std::int64_t i = 1; i < parts; ++i) {
    const std::int64_t earlier = random.Between(0, step / 4);
    times.push_back(whole + kTimeStep * (i * step - earlier));
  }
  return times.back() < behind ? times : std::vector<Timestamp>();
}

// All rooms, with times yet to be found. What follows a record that went back in time has no time
// of its own, and what follows a mark would make a gap of the outage that it stands for (ARC-510).
// The last data record, which may have a mark after it, stays the last one (ARC-1922).
std::vector<Room> Rooms(const ArchivePlan& plan) {
  std::vector<Room> rooms;
  const ResultModel* last = nullptr;
  Timestamp latest = plan.label.start;
  for (auto volume = plan.volumes.begin(); volume != plan.volumes.end(); ++volume) {
    const std::vector<ResultModel>& results = volume->second;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const ResultModel& before = results[i];
      const bool steady = !before.fraction && before.time >= latest;
      if (!before.fraction) latest = std::max(latest, before.time);
      if (!before.sets.empty()) last = &before;
      const bool own = i + 1 < results.size();
      const auto next = std::next(volume);
      if (!own && (next == plan.volumes.end() || next->second.empty())) continue;
      const ResultModel& behind = own ? results[i + 1] : next->second.front();
      const ResultPlace place{volume->first, i + 1};
      if (!steady || before.sets.empty() || behind.fraction ||
          NanosecondsBetween(before.time, behind.time) <= kTimeStep ||
          EntryForEnd(plan, place, own ? &behind.time : nullptr)) {
        continue;
      }
      rooms.push_back({place, &before, &behind, {}, own});
    }
  }
  std::erase_if(rooms, [last](const Room& room) { return room.before == last; });
  return rooms;
}

// The ordinal of a record in the order of the files.
std::size_t Ordinal(const ArchivePlan& plan, const ResultPlace& place) {
  std::size_t ordinal = place.record;
  for (const auto& [number, results] : plan.volumes) {
    if (number < place.volume) ordinal += results.size();
  }
  return ordinal;
}

// The value set that a new metric gets, with as many values as it has instances.
ValueSetModel SetOf(const Descriptor& metric, std::size_t instances, Timestamp time,
                    std::optional<Pmid> parameter) {
  if (instances == 0) return ValueOf(metric, time, kInstanceNull, parameter);
  ValueSetModel set = ValueOf(metric, time, 0, parameter);
  for (std::size_t i = 1; i < instances; ++i) {
    set.values.push_back(set.values.front());
    set.values.back().instance = static_cast<std::int32_t>(i);
  }
  return set;
}

// True if each value is stored as the type asks for (ARC-205, ARC-206, ARC-233): in old archives
// there are others, and no rule says more of these.
bool IsStoredSoundly(const Descriptor& metric, const ValueSetModel& set) {
  const MetricType type = metric.type;
  const bool small = type == MetricType::k32 || type == MetricType::kU32;
  return std::all_of(set.values.begin(), set.values.end(), [&](const archive::ValueModel& value) {
    const auto* block = std::get_if<archive::BlockModel>(&value.value);
    if (block == nullptr) return small || type == MetricType::kFloat;
    return !small && block->type == static_cast<std::uint8_t>(type);
  });
}

// Puts the sets at the end of a record that is there, as long as that makes no gap.
std::optional<SetPlace> AppendSets(
    ArchivePlan& plan, Random& random,
    const std::function<std::vector<ValueSetModel>(Timestamp)>& sets) {
  std::vector<ResultPlace> places = Results(plan);
  std::erase_if(places, [&plan](const ResultPlace& place) {
    const ResultModel& result = At(plan, place);
    return result.sets.empty() || result.fraction || IsLogue(result);
  });
  const std::vector<Moment> moments = MomentsOf(plan);
  const bool had_gap = HasGap(moments, plan.label.start);
  for (std::size_t i = 0; i < kMostTries && !places.empty(); ++i) {
    const auto chosen = places.begin() + static_cast<std::ptrdiff_t>(random.Below(places.size()));
    const ResultPlace place = *chosen;
    places.erase(chosen);
    ResultModel& result = At(plan, place);
    std::vector<ValueSetModel> added = sets(result.time);
    std::vector<Moment> changed = moments;
    changed[Ordinal(plan, place)].set_count += added.size();
    if (!had_gap && HasGap(changed, plan.label.start)) continue;
    const SetPlace first{place, result.sets.size()};
    for (ValueSetModel& set : added) result.sets.push_back(std::move(set));
    result.block_order.clear();
    return first;
  }
  return std::nullopt;
}

}  // namespace

bool IsLogue(const ResultModel& result) {
  return std::any_of(result.sets.begin(), result.sets.end(),
                     [](const ValueSetModel& set) { return set.pmid == Pmid::Of(2, 3, 3); });
}

std::optional<ResultPlace> InsertRecords(
    ArchivePlan& plan, Random& random, std::size_t count,
    const std::function<std::vector<ResultModel>(const Room&)>& make) {
  std::vector<Room> rooms = Rooms(plan);
  const std::vector<Moment> moments = MomentsOf(plan);
  const bool had_gap = HasGap(moments, plan.label.start);
  for (std::size_t i = 0; i < kMostTries && !rooms.empty(); ++i) {
    const auto chosen = rooms.begin() + static_cast<std::ptrdiff_t>(random.Below(rooms.size()));
    Room room = *chosen;
    rooms.erase(chosen);
    room.times = TimesBetween(room.before->time, room.behind->time, count, random);
    if (room.times.empty() && count > 0) continue;
    std::vector<ResultModel> records = make(room);
    if (records.empty()) continue;
    std::vector<Moment> changed = moments;
    const std::size_t at = Ordinal(plan, room.place);
    for (std::size_t k = 0; k < records.size(); ++k) {
      changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at + k), MomentOf(records[k]));
    }
    if (!had_gap && HasGap(changed, plan.label.start)) continue;
    for (std::size_t k = 0; k < records.size(); ++k) {
      InsertResult(plan, {room.place.volume, room.place.record + k}, std::move(records[k]));
    }
    return room.place;
  }
  return std::nullopt;
}

std::optional<SetPlace> AddSets(ArchivePlan& plan, Random& random,
                                const std::function<std::vector<ValueSetModel>(Timestamp)>& sets) {
  const auto place = InsertRecords(plan, random, 1, [&sets](const Room& room) {
    return std::vector{ResultModel{room.times[0], sets(room.times[0])}};
  });
  return place ? std::optional(SetPlace{*place, 0}) : AppendSets(plan, random, sets);
}

std::optional<std::vector<SetPlace>> AddNewMetric(ArchivePlan& plan, Random& random,
                                                  const NewMetric& metric) {
  archive::DescModel desc = FreshDesc(plan, random);
  desc.descriptor.type = metric.type;
  desc.descriptor.semantics = metric.semantics;
  if (metric.semantics == Semantics::kCounter) desc.descriptor.units = Units{0x00100000};
  if (metric.instances > 0) {
    desc.descriptor.indom = FreshIndom(plan, random, desc.descriptor.pmid.domain());
  }
  std::optional<archive::DescModel> parameter;
  if (IsEvent(metric.type)) {
    parameter = FreshDesc(plan, random);
    while (parameter->descriptor.pmid == desc.descriptor.pmid) {
      parameter->descriptor.pmid = FreshPmid(plan, random);
    }
    while (parameter->names == desc.names) parameter->names = {FreshName(plan, random)};
    parameter->descriptor.type = MetricType::kU32;
    parameter->descriptor.semantics = Semantics::kInstant;
  }
  const auto sets_at = [&](Timestamp time) {
    const std::optional<Pmid> pmid =
        parameter ? std::optional(parameter->descriptor.pmid) : std::nullopt;
    std::vector<ValueSetModel> sets = {SetOf(desc.descriptor, metric.instances, time, pmid)};
    // Whatever becomes of the events, the metric of their parameters has a use (ARC-1333).
    if (parameter) sets.push_back(ValueOf(parameter->descriptor, time));
    return sets;
  };
  std::vector<SetPlace> places;
  if (metric.records == 1) {
    const std::optional<SetPlace> place = AddSets(plan, random, sets_at);
    if (!place) return std::nullopt;
    places.push_back(*place);
  } else {
    const auto place = InsertRecords(plan, random, metric.records, [&](const Room& room) {
      std::vector<ResultModel> records;
      for (const Timestamp time : room.times) records.push_back({time, sets_at(time)});
      return records;
    });
    if (!place) return std::nullopt;
    for (std::size_t k = 0; k < metric.records; ++k) {
      places.push_back({{place->volume, place->record + k}, 0});
    }
  }
  const Timestamp first_use = At(plan, places.front().result).time;
  if (parameter) InsertDesc(plan, *parameter, first_use, random);
  if (metric.instances == 0) {
    InsertDesc(plan, desc, first_use, random);
    return places;
  }
  archive::IndomModel indom{first_use, desc.descriptor.indom, {}, false};
  for (std::size_t i = 0; i < metric.instances; ++i) {
    indom.instances.push_back({static_cast<std::int32_t>(i), "fresh" + std::to_string(i)});
  }
  InsertTimedMeta(plan, first_use, {desc, indom}, random);
  return places;
}

std::optional<SetPlace> AddNewSet(ArchivePlan& plan, Random& random, const NewMetric& metric) {
  const std::optional<std::vector<SetPlace>> places = AddNewMetric(plan, random, metric);
  return places ? std::optional(places->front()) : std::nullopt;
}

std::optional<SetPlace> FindOrAddSet(
    ArchivePlan& plan, Random& random, const NewMetric& metric,
    const std::function<bool(const Descriptor&, const ValueSetModel&)>& wanted) {
  std::map<Pmid, const Descriptor*> descriptors;  // the first one of each metric counts (ARC-307)
  for (const archive::MetaRecordModel& record : plan.meta) {
    const auto* desc = std::get_if<archive::DescModel>(&record);
    if (desc != nullptr) descriptors.try_emplace(desc->descriptor.pmid, &desc->descriptor);
  }
  const std::vector<SetPlace> found =
      Sets(plan, [&](const ResultModel& result, const ValueSetModel& set) {
        const auto descriptor = descriptors.find(set.pmid);
        return !set.values.empty() && descriptor != descriptors.end() &&
               IsStoredSoundly(*descriptor->second, set) && wanted(*descriptor->second, set) &&
               !IsLogue(result);
      });
  if (!found.empty()) return random.Pick(found);
  return AddNewSet(plan, random, metric);
}

}  // namespace pmproof::generators

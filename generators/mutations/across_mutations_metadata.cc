// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.11 on the times of metadata.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "generators/mutations/across_mutations.h"
#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/move_times.h"

namespace pmproof::generators {
namespace {

using archive::IndomModel;
using archive::LabelRecordModel;

constexpr std::int64_t kMicrosecond = 1'000;
constexpr std::int64_t kSecond = 1'000'000'000;

constexpr char kNoDomain[] = "it has no instance domain of which this can be told";

// Of the whole archive, without labels: right for every archive.
LabelRecordModel ContextLabels(Timestamp time) {
  return {time,
          static_cast<std::uint32_t>(LabelClass::kContext),
          0xffffffff,
          {{kInstanceNull, "{}", {}, 0}}};
}

// The times of the context labels that are there: no other record may have one of them (ARC-1525).
std::set<Timestamp> TimesOfContextLabels(const ArchivePlan& plan) {
  std::set<Timestamp> times;
  for (const archive::MetaRecordModel& record : plan.meta) {
    const auto* labels = std::get_if<LabelRecordModel>(&record);
    if (labels != nullptr &&
        labels->label_class == static_cast<std::uint32_t>(LabelClass::kContext))
      times.insert(labels->time);
  }
  return times;
}

// A time that is earlier than the start, but not before 1970.
std::optional<Timestamp> BeforeTheStart(const ArchivePlan& plan, Random& random) {
  if (plan.label.start.seconds < 1) return std::nullopt;
  const std::int64_t most = std::min<std::int64_t>(plan.label.start.seconds, 1000);
  return Timestamp{plan.label.start.seconds - random.Between(1, most),
                   plan.label.start.nanoseconds};
}

std::optional<Timestamp> AfterTheEnd(const ArchivePlan& plan, Random& random) {
  const Timestamp time = LatestTime(plan) + random.Between(1, 1000) * kSecond;
  if (plan.label.version == 2 && time.seconds > std::numeric_limits<std::int32_t>::max())
    return std::nullopt;
  return time;
}

// The record with one instance more, which no record of its domain has.
std::optional<IndomModel> Enlarged(const ArchivePlan& plan, std::size_t position, Timestamp time) {
  auto enlarged = std::get<IndomModel>(plan.meta[position]);
  std::int32_t most = -1;
  std::set<std::string> first_words;
  for (const std::size_t i : MetaRecords<IndomModel>(plan)) {
    const auto& other = std::get<IndomModel>(plan.meta[i]);
    if (other.indom != enlarged.indom) continue;
    for (const archive::InstanceModel& instance : other.instances) {
      most = std::max(most, instance.id);
      if (instance.name) first_words.insert(instance.name->substr(0, instance.name->find(' ')));
    }
  }
  if (most == std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  std::string name = "another";
  while (first_words.contains(name)) name += '_';
  enlarged.instances.push_back({most + 1, name});
  enlarged.time = time;
  return enlarged;
}

// A full record, and how long the instance domain is as it says: until the time of the next record
// of it, which may be in front of it in the file.
struct Full {
  std::size_t position = 0;
  Timestamp from;
  std::optional<Timestamp> until;
};

std::vector<Full> FullRecords(const ArchivePlan& plan) {
  std::vector<Full> found;
  for (const std::size_t i :
       MetaRecords<IndomModel>(plan, [](const IndomModel& record) { return !record.delta; })) {
    const auto& record = std::get<IndomModel>(plan.meta[i]);
    Full full{i, record.time, std::nullopt};
    bool only = !record.instances.empty();
    for (const std::size_t k : MetaRecords<IndomModel>(plan)) {
      const auto& other = std::get<IndomModel>(plan.meta[k]);
      if (k == i || other.indom != record.indom) continue;
      only = only && other.time != record.time;
      if (other.time > record.time && (!full.until || other.time < *full.until))
        full.until = other.time;
    }
    if (only) found.push_back(full);
  }
  return found;
}

// The times that more than one record has: what follows one of these may be its metadata.
std::set<Timestamp> TimesOfSeveral(const ArchivePlan& plan) {
  std::set<Timestamp> all;
  std::set<Timestamp> several;
  for (const ResultPlace& place : Results(plan)) {
    const archive::ResultModel& result = plan.volumes.at(place.volume)[place.record];
    if (!result.sets.empty() && !all.insert(result.time).second) several.insert(result.time);
  }
  return several;
}

}  // namespace

NotApplicable LabelsBeforeTheStart(ArchivePlan& plan, Random& random) {
  const std::optional<Timestamp> time = BeforeTheStart(plan, random);
  if (!time) return "it begins with 1970";
  InsertMeta(plan, random.Below(plan.meta.size() + 1), ContextLabels(*time));
  return std::nullopt;
}

// The first record of all that have a time, so that none is in front of it.
NotApplicable DomainBeforeTheStart(ArchivePlan& plan, Random& random) {
  const std::optional<Timestamp> time = BeforeTheStart(plan, random);
  if (!time) return "it begins with 1970";
  for (archive::MetaRecordModel& record : plan.meta) {
    auto* indom = std::get_if<IndomModel>(&record);
    if (indom == nullptr) continue;
    if (indom->delta) break;
    indom->time = *time;
    return std::nullopt;
  }
  return kNoDomain;
}

NotApplicable LabelsAfterTheEnd(ArchivePlan& plan, Random& random) {
  const std::optional<Timestamp> time = AfterTheEnd(plan, random);
  if (!time) return "it reaches up to the end of time";
  // The first labels of all would be late (ARC-1527).
  if (TimesOfContextLabels(plan).empty())
    InsertTimedMeta(plan, plan.label.start, {ContextLabels(plan.label.start)}, random);
  InsertMeta(plan, plan.meta.size(), ContextLabels(*time));
  return std::nullopt;
}

// A domain gets another instance when nothing is recorded any more.
NotApplicable DomainAfterTheEnd(ArchivePlan& plan, Random& random) {
  const std::optional<Timestamp> time = AfterTheEnd(plan, random);
  if (!time) return "it reaches up to the end of time";
  std::vector<Full> records = FullRecords(plan);
  std::erase_if(records, [](const Full& full) { return full.until.has_value(); });
  if (records.empty()) return kNoDomain;
  const auto enlarged = Enlarged(plan, random.Pick(records).position, *time);
  if (!enlarged) return kNoDomain;
  InsertMeta(plan, plan.meta.size(), *enlarged);
  return std::nullopt;
}

// Labels after metadata that is later; where none is, after other labels.
NotApplicable LabelsOutOfOrder(ArchivePlan& plan, Random& random) {
  std::set<Timestamp> taken = TimesOfContextLabels(plan);
  std::vector<Timestamp> later = DataTimes(plan);
  std::erase_if(later, [&](Timestamp time) { return time <= plan.label.start; });
  if (later.empty()) return "all its records have one time";
  // Earlier than any time that it has, but for the start, as long as labels were there.
  const bool first = taken.empty();
  const Timestamp early =
      first ? plan.label.start : plan.label.start + kMicrosecond * random.Between(0, 9);
  if (taken.contains(early) || (!first && early < *taken.begin()) || early >= later.front())
    return "its first labels have the time that others would need";
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < plan.meta.size(); ++i) {
    const std::optional<Timestamp> time = TimeOf(plan.meta[i]);
    if (time && *time > early) places.push_back(i + 1);
  }
  if (places.empty()) {
    InsertTimedMeta(plan, later.back(), {ContextLabels(later.back())}, random);
    places.push_back(plan.meta.size());
  }
  InsertMeta(plan, random.Pick(places), ContextLabels(early));
  return std::nullopt;
}

// Labels right in front of an instance domain that is earlier, but not after an index entry that
// is earlier than they are (ARC-1920).
NotApplicable LabelsInFrontOfDomain(ArchivePlan& plan, Random& random) {
  const std::set<Timestamp> taken = TimesOfContextLabels(plan);
  if (taken.empty()) return "it has no context labels";
  struct Place {
    std::size_t position;
    Timestamp time;
  };
  std::vector<Place> places;
  const std::vector<Timestamp> times = DataTimes(plan);
  if (times.empty()) return "it has no data record";
  const Timestamp end = times.back();  // marks do not count (ARC-2002)
  for (const std::size_t i : MetaRecords<IndomModel>(plan)) {
    const Timestamp time =
        std::get<IndomModel>(plan.meta[i]).time + kMicrosecond * random.Between(1, 9);
    const bool behind_entries =
        std::all_of(plan.index.begin(), plan.index.end(), [&](const PlannedIndexEntry& entry) {
          return entry.meta_record <= i || entry.time >= time;
        });
    if (behind_entries && time < end && time > *taken.begin() && !taken.contains(time))
      places.push_back({i, time});
  }
  if (places.empty()) return kNoDomain;
  const Place place = random.Pick(places);
  InsertMeta(plan, place.position, ContextLabels(place.time));
  return std::nullopt;
}

// A domain gets another instance between two data records.
NotApplicable DomainBetweenRecords(ArchivePlan& plan, Random& random) {
  struct Place {
    std::size_t position;
    Timestamp from;
    std::int64_t room;  // in microseconds
  };
  std::vector<Place> places;
  const std::vector<Timestamp> times = DataTimes(plan);
  const std::set<Timestamp> several = TimesOfSeveral(plan);
  for (const Full& full : FullRecords(plan)) {
    for (std::size_t i = 1; i < times.size(); ++i) {
      const Timestamp whole = times[i - 1] + -std::int64_t{times[i - 1].nanoseconds % kMicrosecond};
      const std::int64_t room = (NanosecondsBetween(whole, times[i]) - 1) / kMicrosecond;
      if (!several.contains(times[i - 1]) && times[i - 1] >= full.from &&
          (!full.until || times[i] <= *full.until) && room > 0)
        places.push_back({full.position, whole, room});
    }
  }
  if (places.empty()) return kNoDomain;
  const Place place = random.Pick(places);
  const Timestamp time = place.from + kMicrosecond * random.Between(1, place.room);
  for (const ResultPlace& result : Results(plan)) {
    if (At(plan, result).time == time) return "a mark has the time chosen";
  }
  const auto enlarged = Enlarged(plan, place.position, time);
  if (!enlarged) return kNoDomain;
  InsertTimedMeta(plan, time, {*enlarged}, random, place.position + 1);
  return std::nullopt;
}

// A domain changes a little before the record for which it does.
NotApplicable DomainAheadOfItsRecord(ArchivePlan& plan, Random& random) {
  struct Place {
    std::size_t position;
    Timestamp time;
  };
  std::vector<Place> places;
  const std::set<Timestamp> several = TimesOfSeveral(plan);
  std::set<Timestamp> times = {plan.label.start};
  for (const ResultPlace& place : Results(plan)) times.insert(At(plan, place).time);
  Timestamp before = plan.label.start;  // the latest of the metadata in front
  for (std::size_t i = 0; i < plan.meta.size(); ++i) {
    const std::optional<Timestamp> time = TimeOf(plan.meta[i]);
    if (!time) continue;
    const auto record = times.find(*time);
    if (std::holds_alternative<IndomModel>(plan.meta[i]) && record != times.end() &&
        record != times.begin() && !several.contains(*std::prev(record)) && before < *time) {
      const Timestamp earliest = std::max(*std::prev(record), before);
      const std::int64_t room = (NanosecondsBetween(earliest, *time) - 1) / kMicrosecond;
      if (room > 0) places.push_back({i, *time + -kMicrosecond * random.Between(1, room)});
    }
    before = std::max(before, *time);
  }
  if (places.empty()) return "none of its instance domains changes";
  const Place place = random.Pick(places);
  std::get<IndomModel>(plan.meta[place.position]).time = place.time;
  return std::nullopt;
}

}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/fresh.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "generators/mutations/find.h"
#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::DescModel;
using archive::MetaRecordModel;
using archive::RawRecordModel;
using archive::RecordType;
using archive::ResultModel;
using archive::ValueSetModel;

constexpr std::int64_t kMicrosecond = 1000;

// Agents' numbers (ARC-006) between those of PMCD and its like and that of derived metrics.
constexpr std::int64_t kFirstAgent = 300;
constexpr std::int64_t kLastAgent = 500;

// Identifiers of whatever kind that the metadata and the data mention.
std::set<std::uint32_t> KnownIdentifiers(const ArchivePlan& plan) {
  std::set<std::uint32_t> known;
  for (const MetaRecordModel& record : plan.meta) {
    if (const auto* desc = std::get_if<DescModel>(&record)) {
      known.insert({desc->descriptor.pmid.value, desc->descriptor.indom.value});
    } else if (const auto* indom = std::get_if<archive::IndomModel>(&record)) {
      known.insert(indom->indom.value);
    } else if (const auto* text = std::get_if<archive::TextModel>(&record)) {
      known.insert(text->identifier);
    } else if (const auto* labels = std::get_if<archive::LabelRecordModel>(&record)) {
      known.insert(labels->identifier);
    }
  }
  for (const ResultPlace& place : Results(plan)) {
    for (const ValueSetModel& set : plan.volumes.at(place.volume)[place.record].sets)
      known.insert(set.pmid.value);
  }
  return known;
}

// Prologue or epilogue, which another value set would make an ordinary record (ARC-590).
bool IsLogue(const ResultModel& result) {
  return std::any_of(result.sets.begin(), result.sets.end(),
                     [](const ValueSetModel& set) { return set.pmid == Pmid::Of(2, 3, 3); });
}

// Records that have another one right after them with at least one whole microsecond between. A
// mark on either side would make a gap of the outage that it stands for (ARC-2010), and an index
// entry that points to the end of a record (ARC-454) would point to the end of the new one.
std::vector<ResultPlace> PlacesBetween(const ArchivePlan& plan, const Period& period) {
  std::set<std::pair<archive::Part, std::size_t>> ends;
  for (const PlannedIndexEntry& entry : plan.index) {
    const auto volume = plan.volumes.find(entry.volume);
    if (volume == plan.volumes.end() || entry.data_record >= volume->second.size()) continue;
    if (volume->second[entry.data_record].time != entry.time)
      ends.emplace(entry.volume, entry.data_record);
  }
  std::vector<ResultPlace> places;
  for (const auto& [volume, results] : plan.volumes) {
    for (std::size_t i = 1; i < results.size(); ++i) {
      const ResultModel& before = results[i - 1];
      const ResultModel& behind = results[i];
      if (!before.sets.empty() && !behind.sets.empty() && !before.fraction && !behind.fraction &&
          before.time >= period.first && behind.time <= period.before &&
          NanosecondsBetween(before.time, behind.time) >= 2 * kMicrosecond &&
          !ends.contains({volume, i})) {
        places.push_back({volume, i});
      }
    }
  }
  return places;
}

std::vector<ResultPlace> OrdinaryRecords(const ArchivePlan& plan, const Period& period) {
  std::vector<ResultPlace> places = Results(plan);
  std::erase_if(places, [&](const ResultPlace& place) {
    const ResultModel& result = plan.volumes.at(place.volume)[place.record];
    return result.sets.empty() || result.fraction || IsLogue(result) ||
           result.time < period.first || result.time >= period.before;
  });
  return places;
}

std::size_t RandomPlace(std::size_t first, std::size_t last, Random& random) {
  return first + static_cast<std::size_t>(random.Below(last - first + 1));
}

archive::BlockModel Block(MetricType type, std::string payload) {
  return {static_cast<std::uint8_t>(type), std::move(payload), std::nullopt};
}

// One event of `time`, in seconds (ARC-261, ARC-272, ARC-273).
std::string Events(MetricType type, Timestamp time, std::optional<Pmid> parameter) {
  const auto seconds = static_cast<std::uint64_t>(time.seconds);
  const auto low = static_cast<std::uint32_t>(seconds);
  const std::uint32_t parameters = parameter ? 1 : 0;
  std::string payload =
      type == MetricType::kEvent
          ? BigEndian({1, low, 0, 1, parameters})
          : BigEndian({1, static_cast<std::uint32_t>(seconds >> 32), low, 0, 0, 1, parameters});
  if (parameter) payload += BigEndian({parameter->value, 0x01000008, 77});
  return payload;
}

}  // namespace

Pmid FreshPmid(const ArchivePlan& plan, Random& random) {
  const std::set<std::uint32_t> known = KnownIdentifiers(plan);
  while (true) {
    // Drawn one by one: the order in which arguments are evaluated is the compiler's.
    const auto domain = static_cast<std::uint32_t>(random.Between(kFirstAgent, kLastAgent));
    const auto cluster = static_cast<std::uint32_t>(random.Below(4096));
    const auto item = static_cast<std::uint32_t>(random.Below(1024));
    const Pmid pmid = Pmid::Of(domain, cluster, item);
    if (!known.contains(pmid.value)) return pmid;
  }
}

Indom FreshIndom(const ArchivePlan& plan, Random& random, std::uint32_t domain) {
  const std::set<std::uint32_t> known = KnownIdentifiers(plan);
  while (true) {
    const Indom indom = Indom::Of(domain, static_cast<std::uint32_t>(random.Below(1U << 22)));
    if (!known.contains(indom.value)) return indom;
  }
}

std::string FreshName(const ArchivePlan& plan, Random& random) {
  while (true) {
    std::string fresh = "fresh";
    for (int i = 0; i < 6; ++i) fresh += static_cast<char>('a' + random.Below(26));
    bool known = false;
    for (const MetaRecordModel& record : plan.meta) {
      const auto* desc = std::get_if<DescModel>(&record);
      if (desc == nullptr) continue;
      for (const std::string& name : desc->names) known = known || name.starts_with(fresh);
    }
    if (!known) return fresh;
  }
}

DescModel FreshDesc(const ArchivePlan& plan, Random& random) {
  static constexpr MetricType kTypes[] = {MetricType::k32,    MetricType::kU32,
                                          MetricType::k64,    MetricType::kU64,
                                          MetricType::kFloat, MetricType::kDouble};
  static constexpr Semantics kSemantics[] = {Semantics::kInstant, Semantics::kDiscrete,
                                             Semantics::kCounter};
  DescModel desc;
  desc.descriptor.pmid = FreshPmid(plan, random);
  desc.descriptor.type = kTypes[random.Below(std::size(kTypes))];
  desc.descriptor.semantics = kSemantics[random.Below(std::size(kSemantics))];
  desc.names = {FreshName(plan, random)};
  return desc;
}

ValueSetModel ValueOf(const Descriptor& metric, Timestamp time, std::int32_t instance,
                      std::optional<Pmid> parameter) {
  const MetricType type = metric.type;
  ValueSetModel set{metric.pmid, archive::kDynamic, {}, 0};
  switch (type) {
    case MetricType::k64:
    case MetricType::kU64:
    case MetricType::kDouble:
      set.values.push_back({instance, Block(type, std::string(8, '\0'))});
      break;
    case MetricType::kFloat:
      set.values.push_back({instance, Block(type, std::string(4, '\0'))});
      break;
    case MetricType::kString:
      set.values.push_back({instance, Block(type, std::string("fresh\0", 6))});
      break;
    case MetricType::kAggregate:
      set.values.push_back({instance, Block(type, "fresh")});
      break;
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
      set.values.push_back({instance, Block(type, Events(type, time, parameter))});
      break;
    case MetricType::k32:
    case MetricType::kU32:
    case MetricType::kAggregateStatic:
    case MetricType::kNoSupport:
    case MetricType::kUnknown:
      break;
  }
  if (set.values.empty()) {  // other types too, which do not exist
    set.format = archive::kInsitu;
    set.values.push_back({instance, 7U});
  }
  return set;
}

std::optional<Timestamp> AddValues(ArchivePlan& plan,
                                   const std::function<std::vector<ValueSetModel>(Timestamp)>& sets,
                                   Random& random, const Period& period) {
  if (const std::vector<ResultPlace> places = PlacesBetween(plan, period); !places.empty()) {
    const ResultPlace place = random.Pick(places);
    const Timestamp before = At(plan, ResultPlace{place.volume, place.record - 1}).time;
    const Timestamp whole = before + -std::int64_t{before.nanoseconds % kMicrosecond};
    const std::int64_t room = (NanosecondsBetween(whole, At(plan, place).time) - 1) / kMicrosecond;
    const Timestamp time = whole + kMicrosecond * random.Between(1, room);
    InsertResult(plan, place, {time, sets(time)});
    return time;
  }
  const std::vector<ResultPlace> places = OrdinaryRecords(plan, period);
  if (places.empty()) return std::nullopt;
  ResultModel& result = At(plan, random.Pick(places));
  for (ValueSetModel& set : sets(result.time)) result.sets.push_back(std::move(set));
  return result.time;
}

void InsertDesc(ArchivePlan& plan, MetaRecordModel desc, Timestamp first_use, Random& random,
                std::size_t last_place) {
  std::size_t last = std::min(last_place, plan.meta.size());
  for (const PlannedIndexEntry& entry : plan.index) {
    if (entry.time <= first_use) continue;
    last = std::min(last, entry.meta_record == 0 ? 0 : entry.meta_record - 1);
  }
  InsertMeta(plan, RandomPlace(0, last, random), std::move(desc));
}

NotApplicable AddMetric(ArchivePlan& plan, const Descriptor& metric, MetaRecordModel desc,
                        Random& random) {
  const std::optional<Timestamp> used = AddValues(
      plan, [&](Timestamp time) { return std::vector{ValueOf(metric, time)}; }, random);
  if (!used) return kNoPlaceForValues;
  InsertDesc(plan, std::move(desc), *used, random);
  return std::nullopt;
}

NotApplicable AddMetric(ArchivePlan& plan, const DescModel& desc, Random& random) {
  return AddMetric(plan, desc.descriptor, desc, random);
}

NotApplicable AddParameter(ArchivePlan& plan, const DescModel& parameter, Random& random) {
  DescModel events = FreshDesc(plan, random);
  events.descriptor.type = MetricType::kHighresEvent;
  events.descriptor.semantics = Semantics::kInstant;
  const Pmid pmid = parameter.descriptor.pmid;
  const std::optional<Timestamp> used = AddValues(
      plan,
      [&](Timestamp time) {
        return std::vector{ValueOf(events.descriptor, time, kInstanceNull, pmid)};
      },
      random);
  if (!used) return kNoPlaceForValues;
  InsertDesc(plan, events, *used, random);
  InsertDesc(plan, parameter, *used, random);
  return std::nullopt;
}

std::optional<Timestamp> TimeOf(const MetaRecordModel& record) {
  if (const auto* indom = std::get_if<archive::IndomModel>(&record)) return indom->time;
  if (const auto* labels = std::get_if<archive::LabelRecordModel>(&record)) return labels->time;
  const auto* raw = std::get_if<RawRecordModel>(&record);
  if (raw == nullptr || raw->payload.size() < 16) return std::nullopt;
  const std::uint8_t* payload = AsBytes(raw->payload).data();
  switch (static_cast<RecordType>(LoadI32(payload))) {
    case RecordType::kIndomV2:
    case RecordType::kLabelV2:
      return archive::LoadTimestamp(payload + 4, 2);
    case RecordType::kIndom:
    case RecordType::kIndomDelta:
    case RecordType::kLabel:
      return archive::LoadTimestamp(payload + 4, 3);
    case RecordType::kDesc:
    case RecordType::kText:
      break;
  }
  return std::nullopt;
}

std::size_t InsertTimedMeta(ArchivePlan& plan, Timestamp time, std::vector<MetaRecordModel> records,
                            Random& random, std::size_t first_place) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < plan.meta.size(); ++i) {
    const std::optional<Timestamp> other = TimeOf(plan.meta[i]);
    if (other && *other <= time) first = i + 1;
  }
  std::size_t last = first;
  while (last < plan.meta.size() && !TimeOf(plan.meta[last])) ++last;
  std::size_t in_front_of = last;
  for (const PlannedIndexEntry& entry : plan.index) {
    if (entry.time <= time) {
      first = std::max(first, entry.meta_record);
    } else {
      in_front_of = std::min(in_front_of, entry.meta_record);
    }
  }
  first = std::min(std::max(first, first_place), last);
  const std::size_t place = RandomPlace(first, std::max(first, in_front_of), random);
  for (PlannedIndexEntry& entry : plan.index) {
    if (entry.meta_record > place || (entry.meta_record == place && entry.time > time))
      entry.meta_record += records.size();
  }
  plan.meta.insert(plan.meta.begin() + static_cast<std::ptrdiff_t>(place),
                   std::make_move_iterator(records.begin()),
                   std::make_move_iterator(records.end()));
  return place;
}

std::vector<Timestamp> DataTimes(const ArchivePlan& plan) {
  std::vector<Timestamp> times;
  for (const auto& [volume, results] : plan.volumes) {
    for (const ResultModel& result : results) {
      if (!result.sets.empty() && !result.fraction) times.push_back(result.time);
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

RawRecordModel RawOf(const MetaRecordModel& record, int version) {
  archive::Buffer bytes;
  archive::AppendMetaRecord(record, version, &bytes);
  return {std::string(bytes.begin() + archive::kLengthWord, bytes.end() - archive::kLengthWord)};
}

void SetWord(RawRecordModel& record, std::size_t offset, std::uint32_t word) {
  StoreU32(reinterpret_cast<std::uint8_t*>(record.payload.data()) + offset, word);
}

}  // namespace pmproof::generators

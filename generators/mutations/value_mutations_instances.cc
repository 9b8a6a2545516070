// SPDX-License-Identifier: Apache-2.0
// Edits of section 14.9 on instances and the records of their domains.

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/new_records.h"
#include "generators/mutations/value_mutations.h"
#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::IndomModel;
using archive::ValueModel;
using archive::ValueSetModel;

// A new metric with instances, and where its records and that of its domain are.
struct InstanceMetric {
  std::vector<SetPlace> places;
  Indom indom;
  std::vector<Timestamp> times;  // of the records
};

std::optional<InstanceMetric> AddInstanceMetric(ArchivePlan& plan, Random& random,
                                                std::size_t records) {
  auto places = AddNewMetric(plan, random, {.instances = 2, .records = records});
  if (!places) return std::nullopt;
  InstanceMetric metric{*std::move(places), {}, {}};
  metric.indom = DescOf(plan, At(plan, metric.places[0]).pmid)->descriptor.indom;
  for (const SetPlace& place : metric.places) metric.times.push_back(At(plan, place.result).time);
  return metric;
}

// The domain that a metadata record is of, an unusual record included; nothing for other records.
std::optional<Indom> DomainOf(const archive::MetaRecordModel& record) {
  if (const auto* indom = std::get_if<IndomModel>(&record)) return indom->indom;
  const auto* raw = std::get_if<archive::RawRecordModel>(&record);
  if (raw == nullptr || raw->payload.size() < 20) return std::nullopt;
  const std::uint8_t* payload = AsBytes(raw->payload).data();
  switch (static_cast<archive::RecordType>(LoadI32(payload))) {
    case archive::RecordType::kIndomV2:
      return Indom{LoadU32(payload + 12)};
    case archive::RecordType::kIndom:
    case archive::RecordType::kIndomDelta:
      return Indom{LoadU32(payload + 16)};
    case archive::RecordType::kDesc:
    case archive::RecordType::kLabelV2:
    case archive::RecordType::kText:
    case archive::RecordType::kLabel:
      break;
  }
  return std::nullopt;
}

// The ordinals in plan.meta of the records of a domain.
std::vector<std::size_t> RecordsOf(const ArchivePlan& plan, Indom indom) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < plan.meta.size(); ++i) {
    if (DomainOf(plan.meta[i]) == indom) found.push_back(i);
  }
  return found;
}

bool IsIntegerOf32(const Descriptor& metric) {
  return metric.type == MetricType::k32 || metric.type == MetricType::kU32;
}

void RepeatValue(ArchivePlan& plan, Random& random, const SetPlace& place) {
  std::vector<ValueModel>& values = At(plan, place).values;
  const ValueModel again = values.front();
  for (std::uint64_t i = random.Below(3) + 1; i > 0; --i) values.push_back(again);
  At(plan, place.result).block_order.clear();
}

}  // namespace

NotApplicable SingularMetricWithAnInstance(ArchivePlan& plan, Random& random) {
  const auto place =
      FindOrAddSet(plan, random, {}, [](const Descriptor& metric, const ValueSetModel& set) {
        return metric.indom.IsNull() && set.values.size() == 1;
      });
  if (!place) return kNoPlaceForAMetric;
  At(plan, *place).values[0].instance =
      random.Chance(1, 2) ? 0 : static_cast<std::int32_t>(random.Below(1U << 31));
  return std::nullopt;
}

NotApplicable SingularMetricWithTwoValues(ArchivePlan& plan, Random& random) {
  const auto place = FindOrAddSet(
      plan, random, {},
      [](const Descriptor& metric, const ValueSetModel&) { return metric.indom.IsNull(); });
  if (!place) return kNoPlaceForAMetric;
  RepeatValue(plan, random, *place);
  return std::nullopt;
}

NotApplicable SingularNumberWithTwoValues(ArchivePlan& plan, Random& random) {
  const auto place =
      FindOrAddSet(plan, random, {}, [](const Descriptor& metric, const ValueSetModel&) {
        return metric.indom.IsNull() && IsIntegerOf32(metric);
      });
  if (!place) return kNoPlaceForAMetric;
  RepeatValue(plan, random, *place);
  return std::nullopt;
}

NotApplicable ValueWithoutAnInstance(ArchivePlan& plan, Random& random) {
  const auto place = FindOrAddSet(plan, random, {.instances = 2},
                                  [](const Descriptor& metric, const ValueSetModel& set) {
                                    return !metric.indom.IsNull() && set.values[0].instance >= 0;
                                  });
  if (!place) return kNoPlaceForAMetric;
  At(plan, *place).values[0].instance = kInstanceNull;
  return std::nullopt;
}

// Of an instance that no record of the domain ever has. The value comes last in its set, so that
// instances ascend as before (ARC-1729).
NotApplicable UnknownInstance(ArchivePlan& plan, Random& random) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max() - 1000;
  std::map<Indom, std::int32_t> largest;
  for (const archive::MetaRecordModel& record : plan.meta) {
    const std::optional<Indom> domain = DomainOf(record);
    if (!domain) continue;
    std::int32_t& last = largest[*domain];
    const auto* indom = std::get_if<IndomModel>(&record);
    if (indom == nullptr) {
      last = kMost;  // its instances are not known
      continue;
    }
    for (const archive::InstanceModel& instance : indom->instances) {
      last = std::max(last, instance.id);
    }
  }
  const auto place = FindOrAddSet(
      plan, random, {.instances = 2}, [&](const Descriptor& metric, const ValueSetModel& set) {
        const auto known = largest.find(metric.indom);
        const std::int32_t last = set.values.back().instance;
        return known != largest.end() && known->second < kMost && last >= 0 && last < kMost;
      });
  if (!place) return kNoPlaceForAMetric;
  ValueSetModel& set = At(plan, *place);
  const Indom indom = DescOf(plan, set.pmid)->descriptor.indom;
  ValueModel value = set.values.back();
  value.instance =
      std::max(largest[indom], value.instance) + static_cast<std::int32_t>(random.Between(1, 999));
  set.values.push_back(std::move(value));
  At(plan, place->result).block_order.clear();
  return std::nullopt;
}

NotApplicable InstanceNotThereYet(ArchivePlan& plan, Random& random) {
  const auto metric = AddInstanceMetric(plan, random, 2);
  if (!metric) return kNoRoom;
  InsertTimedMeta(
      plan, metric->times[1],
      {IndomModel{
          metric->times[1], metric->indom, {{0, "fresh0"}, {1, "fresh1"}, {2, "fresh2"}}, false}},
      random);
  for (const SetPlace& place : metric->places) {
    ValueSetModel& set = At(plan, place);
    set.values.push_back(set.values.back());
    set.values.back().instance = 2;
  }
  return std::nullopt;
}

NotApplicable InstanceNoLongerThere(ArchivePlan& plan, Random& random) {
  const auto metric = AddInstanceMetric(plan, random, 2);
  if (!metric) return kNoRoom;
  InsertTimedMeta(plan, metric->times[1],
                  {IndomModel{metric->times[1], metric->indom, {{0, "fresh0"}}, false}}, random);
  return std::nullopt;
}

NotApplicable DomainAfterItsFirstValue(ArchivePlan& plan, Random& random) {
  const auto metric = AddInstanceMetric(plan, random, 2);
  if (!metric) return kNoRoom;
  const std::size_t position = RecordsOf(plan, metric->indom).at(0);
  IndomModel record = std::get<IndomModel>(plan.meta[position]);
  EraseMeta(plan, position);
  record.time = metric->times[1];
  // After its descriptor as before (ARC-1428).
  InsertTimedMeta(plan, record.time, {record}, random, position);
  return std::nullopt;
}

NotApplicable DomainLost(ArchivePlan& plan, Random& random) {
  std::set<Indom> domains;
  for (const archive::MetaRecordModel& record : plan.meta) {
    if (const std::optional<Indom> domain = DomainOf(record)) domains.insert(*domain);
  }
  std::set<Indom> used;
  std::set<Pmid> with_values;
  for (const SetPlace& place :
       Sets(plan, [](const auto&, const ValueSetModel& set) { return !set.values.empty(); })) {
    with_values.insert(At(plan, place).pmid);
  }
  for (const std::size_t i : MetaRecords<archive::DescModel>(plan)) {
    const Descriptor& metric = std::get<archive::DescModel>(plan.meta[i]).descriptor;
    // Labels of the agent are of one that has metrics then, too (ARC-1502).
    if (with_values.contains(metric.pmid) && metric.indom.domain() == metric.pmid.domain() &&
        domains.contains(metric.indom)) {
      used.insert(metric.indom);
    }
  }
  if (used.empty()) return "it has no instance domain that is used";
  const std::vector<Indom> indoms(used.begin(), used.end());
  const Indom lost = random.Pick(indoms);
  std::vector<std::size_t> records = RecordsOf(plan, lost);
  for (auto record = records.rbegin(); record != records.rend(); ++record) EraseMeta(plan, *record);
  return std::nullopt;
}

NotApplicable MetricWithoutDomain(ArchivePlan& plan, Random& random) {
  const auto metric = AddInstanceMetric(plan, random, 1);
  if (!metric) return kNoPlaceForAMetric;
  EraseMeta(plan, RecordsOf(plan, metric->indom).at(0));
  return std::nullopt;
}

}  // namespace pmproof::generators

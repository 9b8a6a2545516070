// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.9: values against metadata.

#include "generators/mutations/value_mutations.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/mutations.h"
#include "generators/mutations/new_records.h"
#include "reference/core/bytes.h"
#include "reference/core/event_array.h"

namespace pmproof::generators {
namespace {

using archive::BlockModel;
using archive::DescModel;
using archive::ResultModel;
using archive::ValueModel;
using archive::ValueSetModel;

NotApplicable MetricWithoutDescriptor(ArchivePlan& plan, Random& random) {
  const Pmid unknown = FreshPmid(plan, random);
  static constexpr MetricType kTypes[] = {MetricType::kU32, MetricType::k64, MetricType::kString};
  const MetricType type = random.Pick(kTypes);
  const auto place = AddSets(plan, random, [&](Timestamp time) {
    return std::vector{ValueOf({unknown, type, Indom::Null(), Semantics::kInstant, {}}, time)};
  });
  return place ? NotApplicable() : kNoPlaceForAMetric;
}

// The metrics of the parameters of all events.
std::set<Pmid> EventParameters(const ArchivePlan& plan) {
  std::set<Pmid> found;
  const auto take = [&found](const ResultModel&, const ValueSetModel& set) {
    for (const ValueModel& value : set.values) {
      const auto* block = std::get_if<BlockModel>(&value.value);
      if (block == nullptr || !IsEvent(static_cast<MetricType>(block->type))) continue;
      EventArray events(AsBytes(block->payload),
                        static_cast<MetricType>(block->type) == MetricType::kHighresEvent);
      while (events.NextRecord()) {
        while (const auto parameter = events.NextParameter()) found.insert(parameter->pmid);
      }
    }
    return false;
  };
  Sets(plan, take);
  return found;
}

// Of a metric that nothing but values depends on: no help text, labels, instance domain or event.
NotApplicable DescriptorLost(ArchivePlan& plan, Random& random) {
  std::set<std::uint32_t> spoken_of;  // by texts and labels, and with event parameters
  for (const Pmid parameter : EventParameters(plan)) spoken_of.insert(parameter.value);
  std::set<std::pair<std::uint32_t, std::uint32_t>> labelled;  // class and identifier
  std::map<Pmid, Descriptor> metrics;
  std::map<std::uint32_t, std::size_t> in_domain;
  std::map<std::uint32_t, std::size_t> in_cluster;
  const auto cluster_of = [](Pmid pmid) {
    return Pmid::Of(pmid.domain(), pmid.cluster(), 0).value;
  };
  for (const archive::MetaRecordModel& record : plan.meta) {
    if (const auto* text = std::get_if<archive::TextModel>(&record)) {
      spoken_of.insert(text->identifier);
    } else if (const auto* labels = std::get_if<archive::LabelRecordModel>(&record)) {
      labelled.emplace(labels->label_class, labels->identifier);
    } else if (const auto* desc = std::get_if<DescModel>(&record)) {
      if (!metrics.try_emplace(desc->descriptor.pmid, desc->descriptor).second) continue;
      ++in_domain[desc->descriptor.pmid.domain()];
      ++in_cluster[cluster_of(desc->descriptor.pmid)];
    }
  }
  const auto is_labelled = [&labelled](LabelClass label_class, std::uint32_t identifier) {
    return labelled.contains({static_cast<std::uint32_t>(label_class), identifier});
  };
  std::set<Pmid> candidates;
  Sets(plan, [&](const ResultModel&, const ValueSetModel& set) {
    const auto metric = metrics.find(set.pmid);
    if (metric == metrics.end() || !metric->second.indom.IsNull() || IsEvent(metric->second.type) ||
        spoken_of.contains(set.pmid.value) || is_labelled(LabelClass::kItem, set.pmid.value) ||
        (is_labelled(LabelClass::kDomain, set.pmid.domain()) &&
         in_domain[set.pmid.domain()] == 1) ||
        (is_labelled(LabelClass::kCluster, cluster_of(set.pmid)) &&
         in_cluster[cluster_of(set.pmid)] == 1)) {
      return false;
    }
    candidates.insert(set.pmid);
    return false;
  });
  if (candidates.empty() || metrics.size() < 2)
    return "it has no metric on which nothing but values depends";
  const std::vector<Pmid> list(candidates.begin(), candidates.end());
  const Pmid lost = random.Pick(list);
  const std::vector<std::size_t> records = MetaRecords<DescModel>(
      plan, [lost](const DescModel& desc) { return desc.descriptor.pmid == lost; });
  for (auto record = records.rbegin(); record != records.rend(); ++record) EraseMeta(plan, *record);
  return std::nullopt;
}

NotApplicable ValueOfNoType(ArchivePlan& plan, Random& random) {
  const auto place = AddNewSet(plan, random, {.type = MetricType::kNoSupport});
  return place ? NotApplicable() : kNoPlaceForAMetric;
}

// A metric whose only value set has none, or an error.
NotApplicable WithoutValue(ArchivePlan& plan, Random& random, Semantics semantics) {
  static constexpr MetricType kTypes[] = {MetricType::kU32, MetricType::k64, MetricType::kDouble};
  static constexpr std::int32_t kCodes[] = {0, -12350, -12351, -12357, -12386, -32};
  const auto place = AddNewSet(plan, random, {.type = random.Pick(kTypes), .semantics = semantics});
  if (!place) return kNoPlaceForAMetric;
  ValueSetModel& set = At(plan, *place);
  set = {set.pmid, 0, {}, random.Pick(kCodes)};
  return std::nullopt;
}

NotApplicable DiscreteWithoutValue(ArchivePlan& plan, Random& random) {
  return WithoutValue(plan, random, Semantics::kDiscrete);
}

NotApplicable MetricWithoutValue(ArchivePlan& plan, Random& random) {
  return WithoutValue(plan, random,
                      random.Chance(1, 2) ? Semantics::kCounter : Semantics::kInstant);
}

constexpr Mutation kMutations[] = {
    {.rule = "ARC-1801"_clause,
     .edit = "there are values of a metric that is not described",
     .plan = MetricWithoutDescriptor},
    {.rule = "ARC-1801"_clause,
     .edit = "the descriptor of a metric is lost",
     .plan = DescriptorLost},
    {.rule = "ARC-1802"_clause,
     .edit = "the value of a singular metric has an instance",
     .plan = SingularMetricWithAnInstance},
    {.rule = "ARC-1803"_clause,
     .edit = "a singular metric has several values",
     .plan = SingularMetricWithTwoValues},
    {.rule = "ARC-1804"_clause,
     .edit = "a value of a metric with instances has none",
     .plan = ValueWithoutAnInstance},
    {.rule = "ARC-1805"_clause,
     .edit = "a value is of an instance that is never in its domain",
     .plan = UnknownInstance},
    {.rule = "ARC-1805"_clause,
     .edit = "a value is of an instance that comes into its domain later",
     .plan = InstanceNotThereYet},
    {.rule = "ARC-1805"_clause,
     .edit = "a value is of an instance that has left its domain",
     .plan = InstanceNoLongerThere},
    {.rule = "ARC-1806"_clause,
     .edit = "the first record of an instance domain is later than a value",
     .plan = DomainAfterItsFirstValue},
    {.rule = "ARC-1807"_clause,
     .edit = "all records of an instance domain are lost",
     .plan = DomainLost},
    {.rule = "ARC-1807"_clause,
     .edit = "a metric has an instance domain without any record",
     .plan = MetricWithoutDomain},
    {.rule = "ARC-1808"_clause,
     .edit = "values that need a block are insitu",
     .plan = InsituOfLongType},
    {.rule = "ARC-1809"_clause,
     .edit = "values of 32 bits are in blocks",
     .plan = BlockOfSmallType},
    {.rule = "ARC-1810"_clause,
     .edit = "a value block has another type than its metric",
     .plan = BlockOfAnotherType},
    {.rule = "ARC-1810"_clause, .edit = "a value block has type 0", .plan = BlockOfOldType},
    {.rule = "ARC-1810"_clause,
     .edit = "values of 32 bits are in blocks of another type",
     .plan = BlockOfAnotherTypeForSmall},
    {.rule = "ARC-1811"_clause, .edit = "a block of 64 bits is too short", .plan = NumberTooShort},
    {.rule = "ARC-1811"_clause,
     .edit = "a block of a number has another length",
     .plan = NumberOfOtherLength},
    {.rule = "ARC-1812"_clause, .edit = "a string has no NUL", .plan = TextWithoutNul},
    {.rule = "ARC-1813"_clause,
     .edit = "a string goes on after its NUL",
     .plan = TextGoesOnAfterItsNul},
    {.rule = "ARC-1814"_clause, .edit = "the format of a FLOAT changes", .plan = FormatChanges},
    {.rule = "ARC-1815"_clause,
     .edit = "the number of events is negative",
     .plan = NumberOfEventsNegative},
    {.rule = "ARC-1816"_clause,
     .edit = "there are fewer events than an array says",
     .plan = EventsBeyondTheBlock},
    {.rule = "ARC-1816"_clause,
     .edit = "there are fewer parameters than an event says",
     .plan = ParametersBeyondTheBlock},
    {.rule = "ARC-1816"_clause,
     .edit = "the length of a parameter is less than that of its header",
     .plan = ParameterTooShort},
    {.rule = "ARC-1816"_clause,
     .edit = "a parameter runs past the end of its value block",
     .plan = ParameterBeyondTheBlock},
    {.rule = "ARC-1817"_clause,
     .edit = "missed events have another flag",
     .plan = MissedFlagNotAlone},
    {.rule = "ARC-1818"_clause,
     .edit = "the metric of a parameter is not described",
     .plan = ParameterWithoutDescriptor},
    {.rule = "ARC-1819"_clause,
     .edit = "a parameter has another type than its metric",
     .plan = ParameterOfAnotherType},
    {.rule = "ARC-1820"_clause,
     .edit = "the fraction of an event is a second or more",
     .plan = EventFractionTooLarge},
    {.rule = "ARC-1820"_clause,
     .edit = "the fraction of an event is negative",
     .plan = EventFractionNegative},
    {.rule = "ARC-1821"_clause, .edit = "an event has an unknown flag", .plan = UnknownEventFlag},
    {.rule = "ARC-1822"_clause,
     .edit = "bytes follow the last event",
     .plan = BytesBehindTheEvents},
    {.rule = "ARC-1823"_clause, .edit = "an event array is empty", .plan = NoEvents},
    {.rule = "ARC-1824"_clause,
     .edit = "an event array has no number of events",
     .plan = NoRoomForTheNumberOfEvents},
    {.rule = "ARC-1825"_clause, .edit = "a counter decreases", .plan = CounterDecreases},
    {.rule = "ARC-1825"_clause,
     .edit = "a counter that is added decreases",
     .plan = NewCounterDecreases},
    {.rule = "ARC-1826"_clause,
     .edit = "an event is earlier than the one before it",
     .plan = EventsOutOfOrder},
    {.rule = "ARC-1826"_clause,
     .edit = "an event is later than its record by more than a minute",
     .plan = EventLongAfterItsRecord},
    {.rule = "ARC-1827"_clause,
     .edit = "a singular metric of 32 bits has several values",
     .plan = SingularNumberWithTwoValues},
    {.rule = "ARC-1828"_clause,
     .edit = "a FLOAT or DOUBLE is not a finite number",
     .plan = NoFiniteNumber},
    {.rule = "ARC-1829"_clause,
     .edit = "the block of an AGGREGATE has type AGGREGATE_STATIC",
     .plan = StaticAggregate},
    {.rule = "ARC-1830"_clause,
     .edit = "a metric that is not supported has a value",
     .plan = ValueOfNoType},
    {.rule = "ARC-1831"_clause, .edit = "a counter is negative", .plan = CounterNegative},
    {.rule = "ARC-1832"_clause,
     .edit = "a discrete metric never has a value",
     .plan = DiscreteWithoutValue},
    {.rule = "ARC-1833"_clause, .edit = "a metric never has a value", .plan = MetricWithoutValue},
    {.rule = "ARC-1834"_clause,
     .edit = "a string has a character that acts on a terminal or hides text",
     .plan = TextThatActsOnATerminal},
    {.rule = "ARC-1835"_clause, .edit = "a string is not UTF-8", .plan = TextThatIsNoUtf8},
};

}  // namespace

std::span<const Mutation> ValueMutations() { return kMutations; }

}  // namespace pmproof::generators

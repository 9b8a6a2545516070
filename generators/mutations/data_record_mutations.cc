// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.8: the structure of data records, their order, and what value sets are
// made of.

#include "generators/mutations/data_record_mutations.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/mutations.h"
#include "generators/mutations/new_records.h"
#include "reference/core/error_code.h"

namespace pmproof::generators {
namespace {

using archive::BlockModel;
using archive::ResultModel;
using archive::ValueModel;
using archive::ValueSetModel;

bool HasInstances(const ValueSetModel& set, std::size_t least) {
  return set.values.size() >= least && set.values.front().instance >= 0;
}

NotApplicable MetricTwice(ArchivePlan& plan, Random& random) {
  static constexpr MetricType kTypes[] = {MetricType::kU32, MetricType::kDouble,
                                          MetricType::kString};
  const auto place = AddNewSet(plan, random, {.type = random.Pick(kTypes)});
  if (!place) return kNoPlaceForAMetric;
  std::vector<ValueSetModel>& sets = At(plan, place->result).sets;
  ValueSetModel again = sets[place->set];
  if (random.Chance(1, 2)) again = {again.pmid, 0, {}, 0};
  sets.push_back(std::move(again));
  return std::nullopt;
}

NotApplicable InstanceTwice(ArchivePlan& plan, Random& random) {
  const auto place =
      FindOrAddSet(plan, random, {.instances = 2}, [](const Descriptor& metric, const auto& set) {
        return HasInstances(set, 1) && !metric.indom.IsNull();
      });
  if (!place) return kNoPlaceForAMetric;
  std::vector<ValueModel>& values = At(plan, *place).values;
  const auto i = static_cast<std::ptrdiff_t>(random.Below(values.size()));
  const ValueModel again = values[static_cast<std::size_t>(i)];
  values.insert(values.begin() + i, again);
  At(plan, place->result).block_order.clear();
  return std::nullopt;
}

// Of a metric with another value besides (ARC-1833).
NotApplicable UnknownErrorCode(ArchivePlan& plan, Random& random) {
  std::int32_t code = random.Chance(1, 2) ? static_cast<std::int32_t>(random.Between(-1048, -1000))
                                          : std::numeric_limits<std::int32_t>::min();
  if (random.Chance(1, 2)) code = static_cast<std::int32_t>(random.Between(-20000, -201));
  while (IsKnown(static_cast<ErrorCode>(code))) --code;
  std::vector<SetPlace> places =
      Sets(plan, [](const ResultModel&, const ValueSetModel& set) { return set.values.empty(); });
  if (places.empty()) {
    auto added = AddNewMetric(plan, random, {.records = 2});
    if (!added) return kNoRoom;
    places = *std::move(added);
  }
  ValueSetModel& set = At(plan, random.Pick(places));
  set = {set.pmid, 0, {}, code};
  return std::nullopt;
}

std::size_t BlocksIn(const ResultModel& result) {
  std::size_t count = 0;
  for (const ValueSetModel& set : result.sets) {
    for (const ValueModel& value : set.values) count += value.value.index() != 0 ? 1 : 0;
  }
  return count;
}

NotApplicable BlocksOutOfOrder(ArchivePlan& plan, Random& random) {
  std::vector<ResultPlace> places = Results(plan);
  std::erase_if(places, [&plan](const ResultPlace& place) {
    return BlocksIn(At(plan, place)) < 2 || !At(plan, place).block_order.empty();
  });
  if (places.empty()) {
    const auto added = AddNewSet(plan, random, {.type = MetricType::kString, .instances = 2});
    if (!added) return kNoPlaceForAMetric;
    places.push_back(added->result);
  }
  ResultModel& result = At(plan, random.Pick(places));
  std::vector<std::uint32_t> order(BlocksIn(result));
  std::iota(order.begin(), order.end(), 0U);
  const auto first = static_cast<std::size_t>(random.Below(order.size() - 1));
  const std::size_t second =
      first + 1 + static_cast<std::size_t>(random.Below(order.size() - first - 1));
  std::swap(order[first], order[second]);
  result.block_order = std::move(order);
  return std::nullopt;
}

NotApplicable OtherPadding(ArchivePlan& plan, Random& random) {
  const auto padding_of = [](const ValueModel& value) {
    const auto* block = std::get_if<BlockModel>(&value.value);
    return block == nullptr ? 0 : (4 - block->payload.size() % 4) % 4;
  };
  const auto place = FindOrAddSet(
      plan, random, {.type = MetricType::kString}, [&](const Descriptor&, const auto& set) {
        return std::any_of(set.values.begin(), set.values.end(),
                           [&](const ValueModel& value) { return padding_of(value) > 0; });
      });
  if (!place) return kNoPlaceForAMetric;
  std::vector<ValueModel*> values;
  for (ValueModel& value : At(plan, *place).values) {
    if (padding_of(value) > 0) values.push_back(&value);
  }
  ValueModel& value = *random.Pick(values);
  std::string padding(padding_of(value), '~');
  random.Pick(padding) = static_cast<char>(random.Below('~'));
  std::get<BlockModel>(value.value).padding = std::move(padding);
  return std::nullopt;
}

NotApplicable FormatTwo(ArchivePlan& plan, Random& random) {
  const auto place = FindOrAddSet(
      plan, random, {.type = MetricType::k64},
      [](const Descriptor&, const auto& set) { return set.format == archive::kDynamic; });
  if (!place) return kNoPlaceForAMetric;
  At(plan, *place).format = archive::kStatic;
  return std::nullopt;
}

// A value set with this identifier, in a record of its own or at the end of another.
NotApplicable SetOf(ArchivePlan& plan, Random& random, Pmid pmid) {
  const auto place = AddSets(plan, random, [pmid](Timestamp) {
    return std::vector{ValueSetModel{pmid, archive::kInsitu, {{kInstanceNull, 1U}}, 0}};
  });
  return place ? NotApplicable() : kNoPlaceForAMetric;
}

NotApplicable FlagOfAPmid(ArchivePlan& plan, Random& random) {
  return SetOf(plan, random, Pmid{FreshPmid(plan, random).value | 0x80000000});
}

NotApplicable NullPmid(ArchivePlan& plan, Random& random) {
  return SetOf(plan, random, Pmid::Null());
}

NotApplicable PmidOfADerivedMetric(ArchivePlan& plan, Random& random) {
  const auto cluster = static_cast<std::uint32_t>(random.Below(2048));
  const auto item = static_cast<std::uint32_t>(random.Between(1, 1023));
  return SetOf(plan, random, Pmid::Of(511, cluster, item));
}

NotApplicable InstancesOutOfOrder(ArchivePlan& plan, Random& random) {
  const auto place =
      FindOrAddSet(plan, random, {.instances = 3}, [](const Descriptor&, const ValueSetModel& set) {
        return HasInstances(set, 2) && std::is_sorted(set.values.begin(), set.values.end(),
                                                      [](const ValueModel& a, const ValueModel& b) {
                                                        return a.instance <= b.instance;
                                                      });
      });
  if (!place) return kNoPlaceForAMetric;
  std::vector<ValueModel>& values = At(plan, *place).values;
  const auto i = static_cast<std::size_t>(random.Below(values.size() - 1));
  std::swap(values[i], values[i + 1]);
  return std::nullopt;
}

constexpr Mutation kMutations[] = {
    {.rule = "ARC-1712"_clause,
     .edit = "a mark record holds value sets",
     .image = MarkWithMoreThanItsTime},
    {.rule = "ARC-1713"_clause,
     .edit = "a metric has two value sets in a record",
     .plan = MetricTwice},
    {.rule = "ARC-1714"_clause,
     .edit = "an instance has two values in a set",
     .plan = InstanceTwice},
    {.rule = "ARC-1715"_clause,
     .edit = "the error code of a value set is unknown",
     .plan = UnknownErrorCode},
    {.rule = "ARC-1716"_clause, .edit = "two value blocks change places", .plan = BlocksOutOfOrder},
    {.rule = "ARC-1717"_clause,
     .edit = "the padding of a value block is other",
     .plan = OtherPadding},
    {.rule = "ARC-1718"_clause,
     .edit = "the fraction of a record's time is a second or more",
     .plan = FractionTooLarge},
    {.rule = "ARC-1718"_clause,
     .edit = "the fraction of a record's time is negative",
     .plan = FractionNegative},
    {.rule = "ARC-1719"_clause,
     .edit = "a record is earlier than the start of the archive",
     .plan = RecordBeforeTheStart},
    {.rule = "ARC-1720"_clause,
     .edit = "a record is earlier than the one before it",
     .plan = RecordGoesBack},
    {.rule = "ARC-1721"_clause,
     .edit = "two records have the same time",
     .plan = TwoRecordsOfOneTime},
    {.rule = "ARC-1721"_clause,
     .edit = "a prologue or epilogue comes twice, at one time",
     .plan = RecordWithTheTimeOfTheLogue},
    {.rule = "ARC-1722"_clause, .edit = "a record is of before 1970", .plan = RecordBefore1970},
    {.rule = "ARC-1723"_clause, .edit = "the first record is a mark", .plan = MarkAtTheStart},
    {.rule = "ARC-1723"_clause, .edit = "the last record is a mark", .plan = MarkAtTheEnd},
    {.rule = "ARC-1723"_clause, .edit = "marks follow each other", .plan = MarksInARow},
    {.rule = "ARC-1724"_clause,
     .edit = "a mark is not later than the record before it",
     .plan = MarkNotLaterThanTheRecordBefore},
    {.rule = "ARC-1724"_clause,
     .edit = "a mark is later than the record after it",
     .plan = MarkLaterThanTheRecordBehind},
    {.rule = "ARC-1725"_clause, .edit = "the format of a value set is 2", .plan = FormatTwo},
    {.rule = "ARC-1726"_clause, .edit = "a volume ends in its last record", .image = LastRecordCut},
    {.rule = "ARC-1727"_clause,
     .edit = "the metric of a value set has its flag bit set",
     .plan = FlagOfAPmid},
    {.rule = "ARC-1727"_clause,
     .edit = "the metric of a value set is PM_ID_NULL",
     .plan = NullPmid},
    {.rule = "ARC-1728"_clause,
     .edit = "a value set is of a metric that is derived on replay",
     .plan = PmidOfADerivedMetric},
    {.rule = "ARC-1729"_clause,
     .edit = "two values of a set change places",
     .plan = InstancesOutOfOrder},
};

}  // namespace

std::span<const Mutation> DataRecordMutations() {
  static const std::vector<Mutation> all = [] {
    const std::span<const Mutation> structure = DataRecordStructureMutations();
    std::vector<Mutation> joined(structure.begin(), structure.end());
    joined.insert(joined.end(), std::begin(kMutations), std::end(kMutations));
    return joined;
  }();
  return all;
}

}  // namespace pmproof::generators

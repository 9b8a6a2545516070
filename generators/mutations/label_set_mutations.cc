// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.6: labels of metrics.

#include "generators/mutations/label_set_mutations.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/mutations.h"
#include "generators/mutations/new_records.h"

namespace pmproof::generators {
namespace {

using archive::IndomModel;
using archive::LabelRecordModel;
using archive::LabelSetModel;

constexpr std::uint32_t kContextIdentifier = 0xffffffff;

std::uint32_t Word(LabelClass label_class) { return static_cast<std::uint32_t>(label_class); }

bool IsContext(const LabelRecordModel& labels) { return IsOfClass(labels, LabelClass::kContext); }
bool IsInstances(const LabelRecordModel& labels) {
  return IsOfClass(labels, LabelClass::kInstances);
}

// One label in a set of its own.
LabelSetModel OneLabel(LabelClass label_class, const std::string& name, const std::string& value,
                       std::int32_t instance = kInstanceNull) {
  const std::string json = "{\"" + name + "\":" + value + "}";
  return {instance, json, {EntryOf(json, name, value, FlagsOf(label_class))}, 0};
}

// Adds a record of the first time that data have. Gives false if there are none.
bool AddAtStart(ArchivePlan& plan, Random& random, LabelClass label_class, std::uint32_t identifier,
                std::vector<LabelSetModel> sets) {
  const std::vector<Timestamp> times = DataTimes(plan);
  if (times.empty()) return false;
  InsertTimedMeta(plan, times[0],
                  {LabelRecordModel{times[0], Word(label_class), identifier, std::move(sets)}},
                  random);
  return true;
}

NotApplicable ClassUnknown(ArchivePlan& plan, Random& random) {
  static constexpr std::uint32_t kOthers[] = {0, 3, 5, 33, 48, 63, 64, 0x80, 0x41, 0xffffffff};
  const auto added = AddLabels(plan, random, SoundLabels);
  if (!added) return kAllIsLabelled;
  LabelsAt(plan, *added).label_class = random.Pick(kOthers);
  return std::nullopt;
}

NotApplicable IdentifierUnknown(ArchivePlan& plan, Random& random) {
  const auto added = AddLabels(plan, random, SoundLabels);
  if (!added) return kAllIsLabelled;
  const Pmid fresh = FreshPmid(plan, random);
  LabelRecordModel& labels = LabelsAt(plan, *added);
  switch (static_cast<LabelClass>(labels.label_class)) {
    case LabelClass::kDomain:
      labels.identifier = 512 + static_cast<std::uint32_t>(random.Below(1000));
      break;
    case LabelClass::kCluster:
      labels.identifier = 0x80000000 | Pmid::Of(fresh.domain(), fresh.cluster(), 0).value;
      break;
    case LabelClass::kIndom:
      labels.identifier = FreshIndom(plan, random, fresh.domain()).value;
      break;
    case LabelClass::kContext:
    case LabelClass::kItem:
    case LabelClass::kInstances:
      labels.identifier = fresh.value;
  }
  return std::nullopt;
}

NotApplicable InstancesOfUnknownDomain(ArchivePlan& plan, Random& random) {
  AddContextIfFirst(plan, random);
  const Indom unknown = FreshIndom(plan, random, FreshPmid(plan, random).domain());
  const bool added = AddAtStart(plan, random, LabelClass::kInstances, unknown.value,
                                {OneLabel(LabelClass::kInstances, "a", "1", 0)});
  return added ? NotApplicable() : "it has no data record";
}

NotApplicable ContextWithIdentifier(ArchivePlan& plan, Random& random) {
  const auto identifier = static_cast<std::uint32_t>(random.Below(kContextIdentifier));
  const std::vector<std::size_t> found = MetaRecords<LabelRecordModel>(plan, IsContext);
  if (!found.empty()) {
    LabelsAt(plan, random.Pick(found)).identifier = identifier;
    return std::nullopt;
  }
  const bool added = AddAtStart(plan, random, LabelClass::kContext, identifier,
                                {OneLabel(LabelClass::kContext, "a", "1")});
  return added ? NotApplicable() : "it has no data record";
}

NotApplicable InstanceWithoutNeed(ArchivePlan& plan, Random& random) {
  const auto ordinal = FindOrAddLabels(plan, random, [](const LabelRecordModel& labels) {
    return !IsInstances(labels) && !labels.sets.empty();
  });
  if (!ordinal) return kAllIsLabelled;
  random.Pick(LabelsAt(plan, *ordinal).sets).instance =
      static_cast<std::int32_t>(random.Below(1U << 31));
  return std::nullopt;
}

// A record with labels of instances: one that is there, or a new one for a domain that has none, at
// the time of its first record. Nothing if there is no place for a new domain either.
std::optional<std::size_t> FindOrAddInstanceLabels(ArchivePlan& plan, Random& random) {
  const std::vector<std::size_t> found = MetaRecords<LabelRecordModel>(
      plan, [](const auto& labels) { return IsInstances(labels) && !labels.sets.empty(); });
  if (!found.empty()) return random.Pick(found);
  const auto added = AddNewSet(plan, random, {.instances = 2});
  if (!added) return std::nullopt;
  AddContextIfFirst(plan, random);
  const Indom indom = DescOf(plan, At(plan, *added).pmid)->descriptor.indom;
  const Timestamp time = At(plan, added->result).time;
  return InsertTimedMeta(
      plan, time,
      {LabelRecordModel{time,
                        Word(LabelClass::kInstances),
                        indom.value,
                        {OneLabel(LabelClass::kInstances, "a", "1", 0), {1, "", {}, 0}}}},
      random);
}

// Of an instance that no record of the domain, and no other set, has.
NotApplicable InstanceUnknown(ArchivePlan& plan, Random& random) {
  const auto ordinal = FindOrAddInstanceLabels(plan, random);
  if (!ordinal) return kNoPlaceForAMetric;
  LabelRecordModel& labels = LabelsAt(plan, *ordinal);
  std::set<std::int32_t> known;
  for (const LabelSetModel& set : labels.sets) known.insert(set.instance);
  for (const std::size_t i : MetaRecords<IndomModel>(plan)) {
    const auto& record = std::get<IndomModel>(plan.meta[i]);
    if (record.indom.value != labels.identifier) continue;
    for (const archive::InstanceModel& instance : record.instances) known.insert(instance.id);
  }
  std::int32_t instance = 0;
  do {
    instance = static_cast<std::int32_t>(random.Below(1U << 31));
  } while (known.contains(instance));
  labels.sets.push_back(OneLabel(LabelClass::kInstances, "a", "1", instance));
  return std::nullopt;
}

NotApplicable InstanceNotThereYet(ArchivePlan& plan, Random& random) {
  const auto places = AddNewMetric(plan, random, {.instances = 1, .records = 2});
  if (!places) return kNoRoom;
  const Indom indom = DescOf(plan, At(plan, places->at(0)).pmid)->descriptor.indom;
  const Timestamp first = At(plan, places->at(0).result).time;
  const Timestamp second = At(plan, places->at(1).result).time;
  InsertTimedMeta(plan, second, {IndomModel{second, indom, {{0, "fresh0"}, {1, "fresh1"}}, false}},
                  random);
  AddContextIfFirst(plan, random);
  InsertTimedMeta(plan, first,
                  {LabelRecordModel{first,
                                    Word(LabelClass::kInstances),
                                    indom.value,
                                    {OneLabel(LabelClass::kInstances, "a", "1", 1)}}},
                  random);
  return std::nullopt;
}

NotApplicable InstanceTwice(ArchivePlan& plan, Random& random) {
  const auto ordinal = FindOrAddInstanceLabels(plan, random);
  if (!ordinal) return kNoPlaceForAMetric;
  std::vector<LabelSetModel>& sets = LabelsAt(plan, *ordinal).sets;
  const LabelSetModel again = random.Pick(sets);
  sets.insert(sets.begin() + static_cast<std::ptrdiff_t>(random.Below(sets.size() + 1)), again);
  return std::nullopt;
}

NotApplicable SeveralSets(ArchivePlan& plan, Random& random) {
  const auto ordinal = FindOrAddLabels(plan, random, [](const LabelRecordModel& labels) {
    return !IsInstances(labels) && labels.sets.size() == 1;
  });
  if (!ordinal) return kAllIsLabelled;
  std::vector<LabelSetModel>& sets = LabelsAt(plan, *ordinal).sets;
  const LabelSetModel again = sets[0];
  for (std::uint64_t i = random.Below(3) + 1; i > 0; --i) sets.push_back(again);
  return std::nullopt;
}

NotApplicable NoSets(ArchivePlan& plan, Random& random) {
  const auto ordinal = FindOrAddLabels(
      plan, random, [](const LabelRecordModel& labels) { return !labels.sets.empty(); });
  if (!ordinal) return kAllIsLabelled;
  LabelsAt(plan, *ordinal).sets.clear();
  return std::nullopt;
}

NotApplicable OtherHost(ArchivePlan& plan, Random& random) {
  const std::string host = plan.label.host == "elsewhere" ? "nowhere" : "elsewhere";
  const LabelSetModel set = OneLabel(LabelClass::kContext, "hostname", "\"" + host + "\"");
  const std::vector<std::size_t> found = MetaRecords<LabelRecordModel>(plan, IsContext);
  if (!found.empty()) {
    LabelsAt(plan, random.Pick(found)).sets = {set};
    return std::nullopt;
  }
  return AddAtStart(plan, random, LabelClass::kContext, kContextIdentifier, {set})
             ? NotApplicable()
             : "it has no data record";
}

NotApplicable ContextLost(ArchivePlan& plan, Random& random) {
  const std::vector<std::size_t> found = MetaRecords<LabelRecordModel>(plan, IsContext);
  const bool any = !MetaRecords<LabelRecordModel>(plan).empty();
  if (found.empty() && (any || plan.label.version == 3)) return "it has no labels of the context";
  for (const archive::MetaRecordModel& record : plan.meta) {
    if (std::holds_alternative<archive::RawRecordModel>(record) && TimeOf(record))
      return "some of its metadata records have an unusual form";
  }
  // Archives of version 2 may do without any labels: one record of others is left.
  if (!AddLabels(plan, random, SoundLabels)) return kAllIsLabelled;
  const std::vector<std::size_t> lost = MetaRecords<LabelRecordModel>(plan, IsContext);
  for (auto record = lost.rbegin(); record != lost.rend(); ++record) EraseMeta(plan, *record);
  return std::nullopt;
}

NotApplicable LabelsRepeated(ArchivePlan& plan, Random& random) {
  const auto ordinal = FindOrAddLabels(plan, random, [](const LabelRecordModel&) { return true; });
  if (!ordinal) return kAllIsLabelled;
  const LabelRecordModel again = LabelsAt(plan, *ordinal);
  InsertTimedMeta(plan, again.time, {again}, random);
  return std::nullopt;
}

NotApplicable LabelsContradict(ArchivePlan& plan, Random& random) {
  const auto ordinal = AddLabels(plan, random, SoundLabels);
  if (!ordinal) return kAllIsLabelled;
  LabelRecordModel other = LabelsAt(plan, *ordinal);
  other.sets = {OneLabel(static_cast<LabelClass>(other.label_class), "a", "1")};
  InsertTimedMeta(plan, other.time, {other}, random);
  return std::nullopt;
}

NotApplicable ClusterWithItem(ArchivePlan& plan, Random& random) {
  const std::vector<std::size_t> descs = MetaRecords<archive::DescModel>(plan);
  if (descs.empty()) return "it has no metric";
  const Pmid pmid = std::get<archive::DescModel>(plan.meta[random.Pick(descs)]).descriptor.pmid;
  const auto item = static_cast<std::uint32_t>(random.Between(1, 1023));
  AddContextIfFirst(plan, random);
  const bool added = AddAtStart(plan, random, LabelClass::kCluster,
                                Pmid::Of(pmid.domain(), pmid.cluster(), item).value,
                                SoundLabels(LabelClass::kCluster));
  return added ? NotApplicable() : "it has no data record";
}

// Of a metric that has no labels yet, and a value before the last data record.
NotApplicable LabelsAfterTheFirstValue(ArchivePlan& plan, Random& random) {
  const std::vector<Timestamp> times = DataTimes(plan);
  std::set<std::uint32_t> labelled;
  for (const std::size_t i : MetaRecords<LabelRecordModel>(plan)) {
    const auto& labels = std::get<LabelRecordModel>(plan.meta[i]);
    if (IsOfClass(labels, LabelClass::kItem)) labelled.insert(labels.identifier);
  }
  std::set<Pmid> described;
  for (const std::size_t i : MetaRecords<archive::DescModel>(plan))
    described.insert(std::get<archive::DescModel>(plan.meta[i]).descriptor.pmid);
  std::map<Pmid, Timestamp> first_values;
  Sets(plan, [&](const archive::ResultModel& result, const archive::ValueSetModel& set) {
    if (!set.values.empty() && described.contains(set.pmid) && !labelled.contains(set.pmid.value))
      first_values.try_emplace(set.pmid, result.time);
    return false;
  });
  std::erase_if(first_values, [&](const auto& value) { return value.second >= times.back(); });
  std::pair<Pmid, Timestamp> chosen;
  if (!first_values.empty()) {
    const std::vector<std::pair<Pmid, Timestamp>> list(first_values.begin(), first_values.end());
    chosen = random.Pick(list);
  } else {
    const auto added = AddNewSet(plan, random, {});
    if (!added) return kNoPlaceForAMetric;
    chosen = {At(plan, *added).pmid, At(plan, added->result).time};
    if (chosen.second >= times.back()) return "no data record follows the first value of a metric";
  }
  AddContextIfFirst(plan, random);
  const auto later = std::upper_bound(times.begin(), times.end(), chosen.second);
  const Timestamp time = later[static_cast<std::ptrdiff_t>(
      random.Below(static_cast<std::uint64_t>(times.end() - later)))];
  InsertTimedMeta(plan, time,
                  {LabelRecordModel{time, Word(LabelClass::kItem), chosen.first.value,
                                    SoundLabels(LabelClass::kItem)}},
                  random);
  return std::nullopt;
}

constexpr Mutation kMutations[] = {
    {.rule = "ARC-1501"_clause,
     .edit = "the class of labels is none, or several",
     .plan = ClassUnknown},
    {.rule = "ARC-1502"_clause,
     .edit = "labels are of something that the archive does not have",
     .plan = IdentifierUnknown},
    {.rule = "ARC-1502"_clause,
     .edit = "labels are of instances of an unknown domain",
     .plan = InstancesOfUnknownDomain},
    {.rule = "ARC-1502"_clause,
     .edit = "labels of the context have an identifier",
     .plan = ContextWithIdentifier},
    {.rule = "ARC-1507"_clause, .edit = "JSON ends too early", .plan = JsonCut},
    {.rule = "ARC-1507"_clause,
     .edit = "JSON is not an object, or none that is valid",
     .plan = JsonNoObject},
    {.rule = "ARC-1508"_clause, .edit = "JSON has blanks", .plan = BlanksInJson},
    {.rule = "ARC-1508"_clause,
     .edit = "the name around nested labels has other characters",
     .plan = OuterNameOdd},
    {.rule = "ARC-1509"_clause,
     .edit = "an entry leads out of the JSON",
     .plan = EntryOutsideTheJson},
    {.rule = "ARC-1510"_clause,
     .edit = "an entry does not cover its name or value",
     .plan = EntryOfHalfALabel},
    {.rule = "ARC-1511"_clause, .edit = "two entries change places", .plan = EntriesNotSorted},
    {.rule = "ARC-1511"_clause, .edit = "a set has a name twice", .plan = NameTwice},
    {.rule = "ARC-1512"_clause,
     .edit = "a name has other characters, none or too many",
     .plan = NameOdd},
    {.rule = "ARC-1513"_clause,
     .edit = "the flags of an entry are those of another class",
     .plan = FlagsOfAnotherClass},
    {.rule = "ARC-1514"_clause,
     .edit = "a set has an error code in place of labels",
     .plan = ErrorInPlaceOfLabels},
    {.rule = "ARC-1515"_clause,
     .edit = "labels that are not of instances name one",
     .plan = InstanceWithoutNeed},
    {.rule = "ARC-1516"_clause,
     .edit = "labels are of an instance that is never in its domain",
     .plan = InstanceUnknown},
    {.rule = "ARC-1516"_clause,
     .edit = "labels are of an instance that comes into its domain later",
     .plan = InstanceNotThereYet},
    {.rule = "ARC-1517"_clause, .edit = "an instance has labels twice", .plan = InstanceTwice},
    {.rule = "ARC-1518"_clause, .edit = "a label record has several sets", .plan = SeveralSets},
    {.rule = "ARC-1519"_clause, .edit = "a label record has no sets", .plan = NoSets},
    {.rule = "ARC-1520"_clause,
     .edit = "the hostname of the context is another one",
     .plan = OtherHost},
    {.rule = "ARC-1521"_clause, .edit = "JSON has a NUL in it", .plan = NulInJson},
    {.rule = "ARC-1522"_clause, .edit = "an entry is missing", .plan = EntryMissing},
    {.rule = "ARC-1522"_clause,
     .edit = "a nested label has no entry",
     .plan = NestedLabelWithoutEntry},
    {.rule = "ARC-1522"_clause,
     .edit = "JSON has more labels than a set can have entries",
     .plan = MoreLabelsThanEntries},
    {.rule = "ARC-1523"_clause,
     .edit = "the flag for nested labels is wrong",
     .plan = CompoundFlagWrong},
    {.rule = "ARC-1523"_clause,
     .edit = "a nested label is not marked as one",
     .plan = NestedLabelNotMarked},
    {.rule = "ARC-1524"_clause, .edit = "all labels of the context are lost", .plan = ContextLost},
    {.rule = "ARC-1525"_clause, .edit = "a label record is repeated", .plan = LabelsRepeated},
    {.rule = "ARC-1525"_clause,
     .edit = "two label records of one time contradict each other",
     .plan = LabelsContradict},
    {.rule = "ARC-1526"_clause,
     .edit = "the identifier of a cluster has an item",
     .plan = ClusterWithItem},
    {.rule = "ARC-1527"_clause,
     .edit = "the first labels of a metric are later than its first value",
     .plan = LabelsAfterTheFirstValue},
    {.rule = "ARC-1528"_clause,
     .edit = "an object of the JSON has a name twice",
     .plan = NameOfAnObjectTwice},
    {.rule = "ARC-1529"_clause,
     .edit = "the value of a label is a number that a double does not hold",
     .plan = NumberBeyondDouble},
    {.rule = "ARC-1530"_clause,
     .edit = "the value of a label has a character that acts on a terminal or hides text",
     .plan = ValueThatActsOnATerminal},
    {.rule = "ARC-1530"_clause,
     .edit = "the value of a label has half of a surrogate pair",
     .plan = HalfOfASurrogatePair},
};

}  // namespace

std::span<const Mutation> LabelSetMutations() {
  static const std::vector<Mutation> all = [] {
    const std::span<const Mutation> framing = LabelSetFramingMutations();
    std::vector<Mutation> joined(framing.begin(), framing.end());
    joined.insert(joined.end(), std::begin(kMutations), std::end(kMutations));
    return joined;
  }();
  return all;
}

}  // namespace pmproof::generators

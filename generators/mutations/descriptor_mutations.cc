// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.4: descriptors. Here: which records there are, and where.

#include "generators/mutations/descriptor_mutations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/fresh_domain.h"
#include "generators/mutations/mutations.h"

namespace pmproof::generators {
namespace {

using archive::DescModel;
using archive::IndomModel;
using archive::LabelRecordModel;
using archive::RawRecordModel;

NotApplicable RecordOfUnknownType(ArchivePlan& plan, Random& random) {
  const std::uint32_t types[] = {0, 8, static_cast<std::uint32_t>(random.Between(9, INT32_MAX)),
                                 static_cast<std::uint32_t>(random.Between(INT32_MIN, -1))};
  RawRecordModel record{BigEndian({random.Pick(types)})};
  for (std::uint64_t words = 1 + random.Below(8); words > 0; --words)
    record.payload += BigEndian({static_cast<std::uint32_t>(random.Next())});
  InsertMeta(plan, random.Below(plan.meta.size() + 1), std::move(record));
  return std::nullopt;
}

int OtherVersion(const ArchivePlan& plan) { return plan.label.version == 3 ? 2 : 3; }

// Version 2 has microseconds only (ARC-003).
bool IsInBothVersions(Timestamp time) { return time.nanoseconds % 1000 == 0; }

NotApplicable OfOtherVersion(ArchivePlan& plan, const std::vector<std::size_t>& records,
                             const char* lack, Random& random) {
  if (records.empty()) return lack;
  archive::MetaRecordModel& record = plan.meta[random.Pick(records)];
  // In records of version 3 they ascend (ARC-1419).
  if (auto* indom = std::get_if<IndomModel>(&record)) {
    std::sort(indom->instances.begin(), indom->instances.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
  }
  record = RawOf(record, OtherVersion(plan));
  return std::nullopt;
}

NotApplicable DomainOfOtherVersion(ArchivePlan& plan, Random& random) {
  const auto full = [](const IndomModel& indom) {
    return !indom.delta && IsInBothVersions(indom.time);
  };
  if (MetaRecords<IndomModel>(plan, full).empty()) {
    FreshDomain domain;
    if (NotApplicable lack = AddFreshDomain(plan, {.at_its_value = true}, random, &domain))
      return lack;
    domain.Begin(plan, {domain.Full(0, {domain.Entry(0, "a")})}, random);
  }
  return OfOtherVersion(plan, MetaRecords<IndomModel>(plan, full),
                        "no record of its instance domains has a time in whole microseconds",
                        random);
}

NotApplicable LabelsOfOtherVersion(ArchivePlan& plan, Random& random) {
  return OfOtherVersion(
      plan,
      MetaRecords<LabelRecordModel>(
          plan, [](const LabelRecordModel& labels) { return IsInBothVersions(labels.time); }),
      "it has no label record with a time in whole microseconds", random);
}

NotApplicable DeltaInVersion2(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {.times = 2}, random, &domain)) return lack;
  domain.Begin(plan, {domain.Full(0, {domain.Entry(0, "a"), domain.Entry(1, "b")})}, random);
  domain.Add(plan, 1, {RawOf(domain.Delta(1, {domain.Deleted(1), domain.Entry(2, "c")}), 3)},
             random);
  return std::nullopt;
}

// What is for a metric or an instance domain goes with them (ARC-1413, ARC-1605 and the like).
NotApplicable NoDescriptor(ArchivePlan& plan, Random&) {
  const auto stays = [](const archive::MetaRecordModel& record) {
    const auto* labels = std::get_if<LabelRecordModel>(&record);
    return labels != nullptr &&
           labels->label_class == static_cast<std::uint32_t>(LabelClass::kContext);
  };
  for (std::size_t i = plan.meta.size(); i-- > 0;) {
    if (!stays(plan.meta[i])) EraseMeta(plan, i);
  }
  if (!plan.meta.empty()) return std::nullopt;
  // Nothing but the label would be ARC-1005.
  const std::vector<Timestamp> times = DataTimes(plan);
  if (times.empty()) return "it has no data record";
  InsertMeta(plan, 0,
             LabelRecordModel{times.front(), 1, 0xffffffff, {{kInstanceNull, "{}", {}, 0}}});
  return std::nullopt;
}

NotApplicable UnusedDescriptor(ArchivePlan& plan, Random& random) {
  DescModel desc = FreshDesc(plan, random);
  InsertMeta(plan, random.Below(plan.meta.size() + 1), std::move(desc));
  return std::nullopt;
}

// After what the index entry after the first use refers to.
NotApplicable LateDescriptor(ArchivePlan& plan, Random& random) {
  Timestamp last;
  for (const PlannedIndexEntry& entry : plan.index) last = std::max(last, entry.time);
  const DescModel desc = FreshDesc(plan, random);
  const std::optional<Timestamp> used =
      AddValues(plan, [&](Timestamp time) { return std::vector{ValueOf(desc.descriptor, time)}; },
                random, {.before = last});
  if (!plan.has_index || !used) return "no index entry is later than an ordinary data record";
  std::size_t first = plan.meta.size();
  for (const PlannedIndexEntry& entry : plan.index) {
    if (entry.time > *used) first = std::min(first, entry.meta_record);
  }
  InsertMeta(plan, first + random.Below(plan.meta.size() - first + 1), desc);
  return std::nullopt;
}

std::vector<Mutation> DescRecordMutations() {
  return {
      {.rule = "ARC-1301"_clause,
       .edit = "a metadata record has a type that does not exist",
       .plan = RecordOfUnknownType},
      {.rule = "ARC-1302"_clause,
       .edit = "a record of an instance domain is one of the other archive version",
       .plan = DomainOfOtherVersion},
      {.rule = "ARC-1302"_clause,
       .edit = "a label record is one of the other archive version",
       .plan = LabelsOfOtherVersion},
      {.rule = "ARC-1302"_clause,
       .edit = "an archive of version 2 has a delta of an instance domain",
       .plan = DeltaInVersion2,
       .version = 2},
      {.rule = "ARC-1332"_clause, .edit = "no metric is described", .plan = NoDescriptor},
      {.rule = "ARC-1333"_clause,
       .edit = "a metric is described that nothing uses",
       .plan = UnusedDescriptor},
      {.rule = "ARC-1336"_clause,
       .edit = "a descriptor comes later than the index says",
       .plan = LateDescriptor},
  };
}

}  // namespace

std::span<const Mutation> DescriptorMutations() {
  static const std::vector<Mutation> all = [] {
    std::vector<Mutation> joined = DescRecordMutations();
    for (const std::vector<Mutation>& part :
         {DescNameMutations(), RepeatedDescMutations(), DescFieldMutations(), DescUnitMutations()})
      joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }();
  return all;
}

}  // namespace pmproof::generators

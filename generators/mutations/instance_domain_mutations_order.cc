// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.5 that concern the records of a domain against each other, against the
// descriptors, and in time.

#include <cstdint>
#include <utility>
#include <vector>

#include "generators/mutations/fresh.h"
#include "generators/mutations/fresh_domain.h"
#include "generators/mutations/instance_domain_mutations.h"

namespace pmproof::generators {
namespace {

using archive::InstanceModel;

// An instance domain of { 0 a, 1 b } and a delta to it.
NotApplicable AddWithDelta(ArchivePlan& plan, const std::vector<InstanceModel>& changes,
                           Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {.times = 2}, random, &domain)) return lack;
  domain.Begin(plan, {domain.Full(0, {domain.Entry(0, "a"), domain.Entry(1, "b")})}, random);
  std::vector<InstanceModel> entries;
  entries.reserve(changes.size());
  for (const InstanceModel& change : changes)
    entries.push_back({domain.instance + change.id, change.name});
  domain.Add(plan, 1, {domain.Delta(1, std::move(entries))}, random);
  return std::nullopt;
}

NotApplicable UnusedDomain(ArchivePlan& plan, Random& random) {
  const std::vector<Timestamp> times = DataTimes(plan);
  if (times.empty()) return "it has no data record";
  const Timestamp time = times[random.Below(times.size())];
  const Indom indom = FreshIndom(plan, random, FreshPmid(plan, random).domain());
  InsertTimedMeta(plan, time, {archive::IndomModel{time, indom, {{0, "a"}}, false}}, random);
  return std::nullopt;
}

NotApplicable DeltaWithoutFullRecord(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {}, random, &domain)) return lack;
  domain.Begin(plan, {domain.Delta(0, {domain.Entry(0, "a")})}, random);
  return std::nullopt;
}

NotApplicable DeltaBeforeFullRecord(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {.times = 2}, random, &domain)) return lack;
  domain.Begin(plan, {domain.Delta(0, {domain.Entry(0, "a")})}, random);
  domain.Add(plan, 1, {domain.Full(1, {domain.Entry(0, "a"), domain.Entry(1, "b")})}, random);
  return std::nullopt;
}

NotApplicable DeltaAddsWhatIsThere(ArchivePlan& plan, Random& random) {
  return AddWithDelta(plan, {{1, "b"}, {2, "c"}}, random);
}

NotApplicable DeltaAddsWhatIsThereByAnotherName(ArchivePlan& plan, Random& random) {
  return AddWithDelta(plan, {{1, "other"}, {2, "c"}}, random);
}

NotApplicable DeltaDeletesWhatIsNotThere(ArchivePlan& plan, Random& random) {
  return AddWithDelta(plan, {{2, "c"}, {7, std::nullopt}}, random);
}

NotApplicable DeltaDeletesAndAdds(ArchivePlan& plan, Random& random) {
  return AddWithDelta(plan, {{1, std::nullopt}, {1, "b"}}, random);
}

NotApplicable TwoFullRecordsOfOneTime(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {}, random, &domain)) return lack;
  domain.Begin(plan,
               {domain.Full(0, {domain.Entry(0, "a")}),
                domain.Full(0, {domain.Entry(0, "a"), domain.Entry(1, "b")})},
               random);
  return std::nullopt;
}

NotApplicable FullRecordAndDeltaOfOneTime(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {}, random, &domain)) return lack;
  std::vector<archive::MetaRecordModel> records = {domain.Full(0, {domain.Entry(0, "a")}),
                                                   domain.Delta(0, {domain.Entry(1, "b")})};
  if (random.Chance(1, 2)) std::swap(records[0], records[1]);
  domain.Begin(plan, std::move(records), random);
  return std::nullopt;
}

NotApplicable TwoDeltasOfOneTime(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {.times = 2}, random, &domain)) return lack;
  domain.Begin(plan, {domain.Full(0, {domain.Entry(0, "a")})}, random);
  domain.Add(plan, 1,
             {domain.Delta(1, {domain.Entry(1, "b")}), domain.Delta(1, {domain.Entry(2, "c")})},
             random);
  return std::nullopt;
}

NotApplicable RecordThatChangesNothing(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {.times = 2}, random, &domain)) return lack;
  for (const std::size_t moment : {0U, 1U}) {
    archive::IndomModel full = domain.Full(moment, {domain.Entry(0, "a"), domain.Entry(1, "b")});
    if (moment == 0) {
      domain.Begin(plan, {std::move(full)}, random);
    } else {
      domain.Add(plan, moment, {std::move(full)}, random);
    }
  }
  return std::nullopt;
}

// The later record stands in front of the earlier one. The descriptor precedes both, and may be
// needed before them (ARC-1336).
NotApplicable EarlierRecordBehind(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {.times = 2}, random, &domain)) return lack;
  const std::size_t place =
      InsertTimedMeta(plan, domain.times[1],
                      {domain.Full(1, {domain.Entry(0, "a"), domain.Entry(1, "b")}),
                       domain.Full(0, {domain.Entry(0, "a")})},
                      random);
  InsertDesc(plan, domain.desc, domain.used, random, place);
  return std::nullopt;
}

NotApplicable DomainInFrontOfItsMetric(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {}, random, &domain)) return lack;
  domain.Add(plan, 0, {domain.Full(0, {domain.Entry(0, "a")}), domain.desc}, random);
  return std::nullopt;
}

// In front of it directly: no other timestamp and no index entry may come between (ARC-2003,
// ARC-1920).
NotApplicable DeltaInFrontOfFullRecord(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  const FreshDomainWish wish{.times = 2, .neighbours = true};
  if (NotApplicable lack = AddFreshDomain(plan, wish, random, &domain)) return lack;
  domain.Begin(plan,
               {domain.Delta(1, {domain.Entry(1, "b")}), domain.Full(0, {domain.Entry(0, "a")})},
               random);
  return std::nullopt;
}

}  // namespace

std::vector<Mutation> DomainOrderMutations() {
  return {
      {.rule = "ARC-1413"_clause,
       .edit = "no metric has the instance domain",
       .plan = UnusedDomain},
      {.rule = "ARC-1414"_clause,
       .edit = "an instance domain has a delta and no full record",
       .plan = DeltaWithoutFullRecord,
       .version = 3},
      {.rule = "ARC-1414"_clause,
       .edit = "a delta is earlier than the first full record",
       .plan = DeltaBeforeFullRecord,
       .version = 3},
      {.rule = "ARC-1415"_clause,
       .edit = "a delta adds an instance that is there",
       .plan = DeltaAddsWhatIsThere,
       .version = 3},
      {.rule = "ARC-1415"_clause,
       .edit = "a delta adds an instance that is there by another name",
       .plan = DeltaAddsWhatIsThereByAnotherName,
       .version = 3},
      {.rule = "ARC-1416"_clause,
       .edit = "a delta deletes an instance that is not there",
       .plan = DeltaDeletesWhatIsNotThere,
       .version = 3},
      {.rule = "ARC-1417"_clause,
       .edit = "a delta deletes and adds an instance",
       .plan = DeltaDeletesAndAdds,
       .version = 3},
      {.rule = "ARC-1422"_clause,
       .edit = "two full records of an instance domain have one time",
       .plan = TwoFullRecordsOfOneTime},
      {.rule = "ARC-1422"_clause,
       .edit = "a full record and a delta of an instance domain have one time",
       .plan = FullRecordAndDeltaOfOneTime,
       .version = 3},
      {.rule = "ARC-1422"_clause,
       .edit = "two deltas of an instance domain have one time",
       .plan = TwoDeltasOfOneTime,
       .version = 3},
      {.rule = "ARC-1423"_clause,
       .edit = "a full record repeats the instances that there are",
       .plan = RecordThatChangesNothing},
      {.rule = "ARC-1426"_clause,
       .edit = "a record of an instance domain stands after a later one",
       .plan = EarlierRecordBehind},
      {.rule = "ARC-1428"_clause,
       .edit = "an instance domain stands in front of its metric",
       .plan = DomainInFrontOfItsMetric},
      {.rule = "ARC-1430"_clause,
       .edit = "a delta stands in front of its full record",
       .plan = DeltaInFrontOfFullRecord,
       .version = 3},
  };
}

}  // namespace pmproof::generators

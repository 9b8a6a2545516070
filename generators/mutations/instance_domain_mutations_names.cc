// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.5 that concern the names of instances, in one record and over time.

#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/fresh_domain.h"
#include "generators/mutations/instance_domain_mutations.h"

namespace pmproof::generators {
namespace {

using archive::InstanceModel;

// An instance domain with one full record: these instances, counted from the one with a value.
NotApplicable AddDomainOf(ArchivePlan& plan, const std::vector<InstanceModel>& instances,
                          Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {}, random, &domain)) return lack;
  std::vector<InstanceModel> entries;
  entries.reserve(instances.size());
  for (const InstanceModel& instance : instances)
    entries.push_back(domain.Entry(instance.id, *instance.name));
  domain.Begin(plan, {domain.Full(0, std::move(entries))}, random);
  return std::nullopt;
}

NotApplicable IdentifierTwice(ArchivePlan& plan, Random& random) {
  return AddDomainOf(plan, {{0, "a"}, {2, "c"}, {2, "d"}}, random);
}

NotApplicable NameTwice(ArchivePlan& plan, Random& random) {
  return AddDomainOf(plan, {{0, "a"}, {2, "c"}, {3, "c"}}, random);
}

NotApplicable NamesOfOneWord(ArchivePlan& plan, Random& random) {
  const std::string first = random.Chance(1, 2) ? "c x" : "c";
  return AddDomainOf(plan, {{0, "a"}, {2, first}, {3, "c y"}}, random);
}

NotApplicable EmptyName(ArchivePlan& plan, Random& random) {
  return AddDomainOf(plan, {{0, "a"}, {2, ""}}, random);
}

NotApplicable NameWithControlCharacter(ArchivePlan& plan, Random& random) {
  const std::string wrong[] = {"x\ny", "x\ty", "\x1b[1m", "x\x7f", "\xc2\x85"};
  return AddDomainOf(plan, {{0, "a"}, {2, random.Pick(wrong)}}, random);
}

NotApplicable NameThatIsNoUtf8(ArchivePlan& plan, Random& random) {
  const std::string wrong[] = {"\xff\xfe", "caf\xe9", "\xed\xa0\x80", "\xc0\xaf", "x\xe2\x82"};
  return AddDomainOf(plan, {{0, "a"}, {2, random.Pick(wrong)}}, random);
}

NotApplicable NameThatHidesText(ArchivePlan& plan, Random& random) {
  const std::string wrong[] = {"moc.\u202elive", "x\u2028y", "x\u2029y", "x\u200b", "\ufeffx"};
  return AddDomainOf(plan, {{0, "a"}, {2, random.Pick(wrong)}}, random);
}

// Two full records.
NotApplicable AddChange(ArchivePlan& plan, std::int32_t second, const char* name, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {.times = 2}, random, &domain)) return lack;
  domain.Begin(plan, {domain.Full(0, {domain.Entry(0, "a"), domain.Entry(1, "b")})}, random);
  domain.Add(plan, 1, {domain.Full(1, {domain.Entry(0, "a"), domain.Entry(second, name)})}, random);
  return std::nullopt;
}

NotApplicable OtherName(ArchivePlan& plan, Random& random) {
  return AddChange(plan, 1, "c", random);
}

NotApplicable OtherIdentifier(ArchivePlan& plan, Random& random) {
  return AddChange(plan, 2, "b", random);
}

NotApplicable OtherNameByDeltas(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {.times = 3}, random, &domain)) return lack;
  domain.Begin(plan, {domain.Full(0, {domain.Entry(0, "a"), domain.Entry(1, "b")})}, random);
  domain.Add(plan, 1, {domain.Delta(1, {domain.Deleted(1)})}, random);
  domain.Add(plan, 2, {domain.Delta(2, {domain.Entry(1, "c")})}, random);
  return std::nullopt;
}

NotApplicable OtherIdentifierByDelta(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {.times = 2}, random, &domain)) return lack;
  domain.Begin(plan, {domain.Full(0, {domain.Entry(0, "a"), domain.Entry(1, "b")})}, random);
  domain.Add(plan, 1, {domain.Delta(1, {domain.Deleted(1), domain.Entry(2, "b")})}, random);
  return std::nullopt;
}

}  // namespace

std::vector<Mutation> InstanceNameMutations() {
  return {
      {.rule = "ARC-1408"_clause,
       .edit = "a full record has an instance identifier twice",
       .plan = IdentifierTwice},
      {.rule = "ARC-1409"_clause, .edit = "two instances have one name", .plan = NameTwice},
      {.rule = "ARC-1410"_clause,
       .edit = "the names of two instances are equal up to the first blank",
       .plan = NamesOfOneWord},
      {.rule = "ARC-1411"_clause, .edit = "an instance has an empty name", .plan = EmptyName},
      {.rule = "ARC-1424"_clause,
       .edit = "an instance is renamed by a full record",
       .plan = OtherName},
      {.rule = "ARC-1424"_clause,
       .edit = "an instance goes and comes back with another name",
       .plan = OtherNameByDeltas,
       .version = 3},
      {.rule = "ARC-1425"_clause,
       .edit = "a full record gives the name of an instance to another one",
       .plan = OtherIdentifier},
      {.rule = "ARC-1425"_clause,
       .edit = "a delta gives the name of an instance to another one",
       .plan = OtherIdentifierByDelta,
       .version = 3},
      {.rule = "ARC-1429"_clause,
       .edit = "the name of an instance has a control character",
       .plan = NameWithControlCharacter},
      {.rule = "ARC-1429"_clause,
       .edit = "the name of an instance is not UTF-8",
       .plan = NameThatIsNoUtf8},
      {.rule = "ARC-1431"_clause,
       .edit = "the name of an instance has a character that reorders, hides or breaks text",
       .plan = NameThatHidesText},
  };
}

}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.4 that concern identifiers, type, semantics and instance domain of a
// metric.

#include <cstdint>
#include <iterator>
#include <utility>

#include "generators/mutations/descriptor_mutations.h"
#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/fresh_domain.h"

namespace pmproof::generators {
namespace {

using archive::DescModel;

constexpr std::uint32_t kDerivedDomain = 511;
constexpr std::uint32_t kLoggedDerived = 2048;  // ARC-310

// Neither counter, instant nor discrete.
Semantics UnknownSemantics(Random& random) {
  static constexpr std::int32_t kUnknown[] = {0, 2, 5, 77, -1};
  return static_cast<Semantics>(kUnknown[random.Below(std::size(kUnknown))]);
}

NotApplicable UnknownType(ArchivePlan& plan, Random& random) {
  static constexpr std::int32_t kUnknown[] = {8, 11, 77, 255, -2, -7};
  DescModel desc = FreshDesc(plan, random);
  desc.descriptor.type = static_cast<MetricType>(kUnknown[random.Below(std::size(kUnknown))]);
  return AddMetric(plan, desc, random);
}

NotApplicable OtherSemanticsThanAny(ArchivePlan& plan, Random& random) {
  DescModel desc = FreshDesc(plan, random);
  desc.descriptor.semantics = UnknownSemantics(random);
  return AddMetric(plan, desc, random);
}

// Without a value: that would be ARC-1830.
NotApplicable UnsupportedWithoutSemantics(ArchivePlan& plan, Random& random) {
  DescModel desc = FreshDesc(plan, random);
  desc.descriptor.type = MetricType::kNoSupport;
  desc.descriptor.semantics = UnknownSemantics(random);
  InsertMeta(plan, random.Below(plan.meta.size() + 1), std::move(desc));
  return std::nullopt;
}

NotApplicable DomainOfAnotherAgent(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {.other_agent = true}, random, &domain))
    return lack;
  domain.Begin(plan, {domain.Full(0, {domain.Entry(0, "a")})}, random);
  return std::nullopt;
}

// Value sets with such identifiers break rules of their own (ARC-1727, ARC-1728): the metric is a
// parameter of events.
NotApplicable AddParameterWithPmid(ArchivePlan& plan, Pmid pmid, Random& random) {
  DescModel desc = FreshDesc(plan, random);
  desc.descriptor.pmid = pmid;
  desc.descriptor.type = MetricType::kU32;
  return AddParameter(plan, desc, random);
}

NotApplicable FlagOfPmid(ArchivePlan& plan, Random& random) {
  return AddParameterWithPmid(plan, Pmid{FreshPmid(plan, random).value | 0x80000000}, random);
}

NotApplicable NullPmid(ArchivePlan& plan, Random& random) {
  return AddParameterWithPmid(plan, Pmid::Null(), random);
}

NotApplicable PmidOfReplay(ArchivePlan& plan, Random& random) {
  const auto cluster = static_cast<std::uint32_t>(random.Below(kLoggedDerived));
  const auto item = static_cast<std::uint32_t>(random.Below(1024));
  return AddParameterWithPmid(plan, Pmid::Of(kDerivedDomain, cluster, item), random);
}

NotApplicable DerivedPmidWithoutItem(ArchivePlan& plan, Random& random) {
  const auto cluster = static_cast<std::uint32_t>(random.Between(kLoggedDerived, 4095));
  return AddParameterWithPmid(plan, Pmid::Of(kDerivedDomain, cluster, 0), random);
}

NotApplicable CounterWithoutNumbers(ArchivePlan& plan, Random& random) {
  static constexpr MetricType kOpaque[] = {MetricType::kString, MetricType::kAggregate,
                                           MetricType::kEvent, MetricType::kHighresEvent};
  DescModel desc = FreshDesc(plan, random);
  desc.descriptor.type = kOpaque[random.Below(std::size(kOpaque))];
  desc.descriptor.semantics = Semantics::kCounter;
  return AddMetric(plan, desc, random);
}

}  // namespace

std::vector<Mutation> DescFieldMutations() {
  return {
      {.rule = "ARC-1316"_clause,
       .edit = "a metric has a type that does not exist",
       .plan = UnknownType},
      {.rule = "ARC-1317"_clause,
       .edit = "a metric has semantics that do not exist",
       .plan = OtherSemanticsThanAny},
      {.rule = "ARC-1318"_clause,
       .edit = "a metric that is not supported has no semantics",
       .plan = UnsupportedWithoutSemantics},
      {.rule = "ARC-1319"_clause,
       .edit = "a metric has an instance domain of another agent",
       .plan = DomainOfAnotherAgent},
      {.rule = "ARC-1329"_clause,
       .edit = "the PMID of a metric has its flag set",
       .plan = FlagOfPmid},
      {.rule = "ARC-1330"_clause, .edit = "a descriptor is for PM_ID_NULL", .plan = NullPmid},
      {.rule = "ARC-1331"_clause,
       .edit = "a metric has a PMID of derived metrics that are not logged",
       .plan = PmidOfReplay},
      {.rule = "ARC-1331"_clause,
       .edit = "a metric has a PMID of domain 511 without item",
       .plan = DerivedPmidWithoutItem},
      {.rule = "ARC-1334"_clause,
       .edit = "a counter has no numeric type",
       .plan = CounterWithoutNumbers},
  };
}

}  // namespace pmproof::generators

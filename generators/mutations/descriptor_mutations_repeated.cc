// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.4 that repeat a descriptor, as it is or with something else in it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "generators/mutations/descriptor_mutations.h"
#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"

namespace pmproof::generators {
namespace {

using archive::DescModel;

constexpr char kNoDesc[] = "it has no descriptor of a metric that has values";

bool IsUsual(Semantics semantics) {
  return semantics == Semantics::kCounter || semantics == Semantics::kInstant ||
         semantics == Semantics::kDiscrete;
}

// With another value in one field such a descriptor stays sound by itself.
bool IsUsual(const DescModel& desc) {
  return desc.descriptor.type != MetricType::kNoSupport && IsUsual(desc.descriptor.semantics);
}

// Repeats one of the descriptors after it, after `edit`. Of a metric with several the first counts
// (ARC-307).
template <typename Edit>
NotApplicable Repeat(ArchivePlan& plan, const std::vector<std::size_t>& descs, Random& random,
                     Edit edit) {
  if (descs.empty()) return kNoDesc;
  const std::size_t chosen = random.Pick(descs);
  const Pmid pmid = std::get<DescModel>(plan.meta[chosen]).descriptor.pmid;
  DescModel again = *DescOf(plan, pmid);
  edit(again);
  InsertMeta(plan,
             static_cast<std::size_t>(random.Between(static_cast<std::int64_t>(chosen) + 1,
                                                     static_cast<std::int64_t>(plan.meta.size()))),
             std::move(again));
  return std::nullopt;
}

std::vector<std::size_t> UsualDescs(const ArchivePlan& plan) {
  return MetaRecords<DescModel>(plan, [](const DescModel& desc) { return IsUsual(desc); });
}

NotApplicable AsItIs(ArchivePlan& plan, Random& random) {
  return Repeat(plan, MetaRecords<DescModel>(plan), random, [](DescModel&) {});
}

NotApplicable OtherType(ArchivePlan& plan, Random& random) {
  return Repeat(plan, UsualDescs(plan), random, [&](DescModel& desc) {
    const auto type = static_cast<std::int64_t>(desc.descriptor.type);
    const std::int64_t other = random.Between(0, 4);
    desc.descriptor.type = static_cast<MetricType>(other < type ? other : other + 1);
  });
}

NotApplicable OtherSemantics(ArchivePlan& plan, Random& random) {
  return Repeat(plan, UsualDescs(plan), random, [&](DescModel& desc) {
    std::vector<Semantics> others = {Semantics::kInstant, Semantics::kDiscrete};
    if (IsNumeric(desc.descriptor.type)) others.push_back(Semantics::kCounter);
    std::erase(others, desc.descriptor.semantics);
    desc.descriptor.semantics = random.Pick(others);
  });
}

NotApplicable OtherDomain(ArchivePlan& plan, Random& random) {
  return Repeat(plan, MetaRecords<DescModel>(plan), random, [&](DescModel& desc) {
    Indom& indom = desc.descriptor.indom;
    const bool none = !indom.IsNull() && random.Chance(1, 2);
    indom = none ? Indom::Null() : FreshIndom(plan, random, desc.descriptor.pmid.domain());
  });
}

NotApplicable OtherUnits(ArchivePlan& plan, Random& random) {
  return Repeat(plan, MetaRecords<DescModel>(plan), random, [&](DescModel& desc) {
    std::uint32_t& word = desc.descriptor.units.word;
    const std::uint32_t extra = word & 0xff;
    // Older versions do not notice where nothing else differs. An extra unit that is new would be
    // a finding by itself (ARC-1328).
    if (extra != 0 && random.Chance(1, 2)) {
      word -= extra;
      return;
    }
    static constexpr std::uint32_t kSound[] = {0x00000000, 0x00100000, 0x00100300, 0x10000000,
                                               0x10030000, 0x01003000, 0x1f010000, 0x0f103000};
    const std::uint32_t was = word;
    while (word == was) word = kSound[random.Below(std::size(kSound))] | extra;
  });
}

NotApplicable OtherNames(ArchivePlan& plan, Random& random) {
  return Repeat(plan, MetaRecords<DescModel>(plan), random, [&](DescModel& desc) {
    if (!desc.names.empty() && random.Chance(1, 2)) {
      std::string& name = random.Pick(desc.names);
      name = FreshName(plan, random);
    } else {
      desc.names.push_back(FreshName(plan, random));
    }
  });
}

NotApplicable OtherOrderOfNames(ArchivePlan& plan, Random& random) {
  const auto several = [](const DescModel& desc) {
    return std::adjacent_find(desc.names.begin(), desc.names.end(), std::not_equal_to<>()) !=
           desc.names.end();
  };
  if (MetaRecords<DescModel>(plan, several).empty()) {
    DescModel desc = FreshDesc(plan, random);
    desc.names.push_back(desc.names[0] + "x");
    if (NotApplicable lack = AddMetric(plan, desc, random)) return lack;
  }
  return Repeat(plan, MetaRecords<DescModel>(plan, several), random, [](DescModel& desc) {
    const std::vector<std::string> was = desc.names;
    while (desc.names == was)
      std::rotate(desc.names.begin(), desc.names.begin() + 1, desc.names.end());
  });
}

}  // namespace

std::vector<Mutation> RepeatedDescMutations() {
  return {
      {.rule = "ARC-1310"_clause, .edit = "a descriptor is repeated", .plan = AsItIs},
      {.rule = "ARC-1311"_clause,
       .edit = "a repeated descriptor has another type",
       .plan = OtherType},
      {.rule = "ARC-1312"_clause,
       .edit = "a repeated descriptor has other semantics",
       .plan = OtherSemantics},
      {.rule = "ARC-1313"_clause,
       .edit = "a repeated descriptor has another instance domain",
       .plan = OtherDomain},
      {.rule = "ARC-1314"_clause,
       .edit = "a repeated descriptor has other units",
       .plan = OtherUnits},
      {.rule = "ARC-1315"_clause,
       .edit = "a repeated descriptor has other names",
       .plan = OtherNames},
      {.rule = "ARC-1315"_clause,
       .edit = "a repeated descriptor has its names in another order",
       .plan = OtherOrderOfNames},
  };
}

}  // namespace pmproof::generators

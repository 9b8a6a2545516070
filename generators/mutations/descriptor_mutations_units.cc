// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.4 that concern the units of a metric.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/mutations/descriptor_mutations.h"
#include "generators/mutations/fresh.h"

namespace pmproof::generators {
namespace {

// Where the fields of the word are (ARC-009).
constexpr unsigned kDimSpace = 28;
constexpr unsigned kDimTime = 24;
constexpr unsigned kDimCount = 20;
constexpr unsigned kScaleSpace = 16;
constexpr unsigned kScaleTime = 12;
constexpr unsigned kScaleCount = 8;
constexpr unsigned kExtraUnit = 3;

// A field of `bits` bits with a value between `first` and `last`, which may be negative.
std::uint32_t Field(unsigned shift, std::int64_t first, std::int64_t last, Random& random,
                    unsigned bits = 4) {
  const std::uint32_t mask = (1U << bits) - 1;
  return (static_cast<std::uint32_t>(random.Between(first, last)) & mask) << shift;
}

// A dimension of 1 or 2, or one of them in the denominator.
std::uint32_t SoundDimension(unsigned shift, Random& random) {
  return random.Chance(1, 2) ? Field(shift, 1, 2, random) : Field(shift, -2, -1, random);
}

std::uint32_t LargeDimension(unsigned shift, Random& random) {
  return random.Chance(1, 2) ? Field(shift, 3, 7, random) : Field(shift, -8, -3, random);
}

NotApplicable WithUnits(ArchivePlan& plan, std::uint32_t word, Random& random) {
  archive::DescModel desc = FreshDesc(plan, random);
  desc.descriptor.units = Units{word};
  return AddMetric(plan, desc, random);
}

// A dimension and a scale, each drawn from a range.
struct UnitsRow {
  Clause rule;
  std::string_view edit;
  // The dimension, or none.
  std::uint32_t (*dimension)(unsigned shift, Random& random);
  unsigned dimension_shift;
  // The scale.
  unsigned scale_shift;
  std::int64_t first;
  std::int64_t last;
};

constexpr UnitsRow kUnitsRows[] = {
    {"ARC-1320"_clause, "the dimension of space is out of range", LargeDimension, kDimSpace,
     kScaleSpace, 0, 8},
    {"ARC-1321"_clause, "the dimension of time is out of range", LargeDimension, kDimTime,
     kScaleTime, 0, 5},
    {"ARC-1322"_clause, "the dimension of count is out of range", LargeDimension, kDimCount,
     kScaleCount, -8, 7},
    {"ARC-1323"_clause, "units without space have a scale of space", nullptr, 0, kScaleSpace, 1,
     15},
    {"ARC-1324"_clause, "the scale of space is one that does not exist", SoundDimension, kDimSpace,
     kScaleSpace, 9, 15},
    {"ARC-1325"_clause, "units without time have a scale of time", nullptr, 0, kScaleTime, 1, 15},
    {"ARC-1326"_clause, "the scale of time is one that does not exist", SoundDimension, kDimTime,
     kScaleTime, 6, 15},
    {"ARC-1326"_clause, "units without count have a scale of count", nullptr, 0, kScaleCount, 1,
     15},
};

template <std::size_t i>
NotApplicable SetUnits(ArchivePlan& plan, Random& random) {
  const UnitsRow& row = kUnitsRows[i];
  const std::uint32_t dimension =
      row.dimension == nullptr ? 0 : row.dimension(row.dimension_shift, random);
  return WithUnits(plan, dimension | Field(row.scale_shift, row.first, row.last, random), random);
}

template <std::size_t... i>
std::vector<Mutation> UnitsMutations(std::index_sequence<i...>) {
  return {Mutation{.rule = kUnitsRows[i].rule, .edit = kUnitsRows[i].edit, .plan = SetUnits<i>}...};
}

// The extra units of ARC-010 and how many scales each has, counted from 1.
constexpr unsigned kScales[] = {0, 3, 3, 3, 4};

std::int64_t ExtraUnit(Random& random) {
  const std::int64_t unit = random.Between(1, std::size(kScales) - 1);
  return random.Chance(1, 2) ? unit : -unit;
}

std::uint32_t ExtraField(std::int64_t unit, std::int64_t scale) {
  return (static_cast<std::uint32_t>(unit) & 0x1f) << kExtraUnit |
         static_cast<std::uint32_t>(scale);
}

std::int64_t ScalesOf(std::int64_t unit) { return kScales[unit < 0 ? -unit : unit]; }

NotApplicable UnknownExtraUnit(ArchivePlan& plan, Random& random) {
  const std::int64_t unit = random.Chance(1, 2) ? random.Between(5, 15) : random.Between(-16, -5);
  return WithUnits(plan, ExtraField(unit, random.Between(0, 7)), random);
}

NotApplicable ExtraScaleOfAnotherUnit(ArchivePlan& plan, Random& random) {
  const std::int64_t unit = ExtraUnit(random);
  return WithUnits(plan, ExtraField(unit, random.Between(ScalesOf(unit) + 1, 7)), random);
}

NotApplicable ExtraUnitWithoutScale(ArchivePlan& plan, Random& random) {
  return WithUnits(plan, ExtraField(ExtraUnit(random), 0), random);
}

NotApplicable ExtraScaleWithoutUnit(ArchivePlan& plan, Random& random) {
  return WithUnits(plan, ExtraField(0, random.Between(1, 7)), random);
}

NotApplicable SoundExtraUnit(ArchivePlan& plan, Random& random) {
  const std::int64_t unit = ExtraUnit(random);
  return WithUnits(plan, ExtraField(unit, random.Between(1, ScalesOf(unit))), random);
}

}  // namespace

std::vector<Mutation> DescUnitMutations() {
  std::vector<Mutation> mutations =
      UnitsMutations(std::make_index_sequence<std::size(kUnitsRows)>());
  const std::vector<Mutation> extra = {
      {.rule = "ARC-1327"_clause,
       .edit = "the extra unit is one that does not exist",
       .plan = UnknownExtraUnit},
      {.rule = "ARC-1327"_clause,
       .edit = "the extra scale is none of its unit",
       .plan = ExtraScaleOfAnotherUnit},
      {.rule = "ARC-1327"_clause,
       .edit = "an extra unit has no scale",
       .plan = ExtraUnitWithoutScale},
      {.rule = "ARC-1327"_clause,
       .edit = "an extra scale has no unit",
       .plan = ExtraScaleWithoutUnit},
      {.rule = "ARC-1328"_clause, .edit = "a metric has an extra unit", .plan = SoundExtraUnit},
  };
  mutations.insert(mutations.end(), extra.begin(), extra.end());
  return mutations;
}

}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/testing/named_metrics.h"

#include <functional>
#include <optional>

namespace pmproof::derived {
namespace {

constexpr Indom kEquivalent = Indom::Of(60, 5);

struct NamedUnits {
  std::string_view name;
  std::uint32_t word;
};

constexpr NamedUnits kUnits[] = {{"none", 0},
                                 {"byte", 0x10000000},
                                 {"kbyte", 0x10010000},
                                 {"mbyte", 0x10020000},
                                 {"tbyte", 0x10040000},
                                 {"byte2", 0x20000000},
                                 {"kbyte2", 0x20010000},
                                 {"nsec", 0x01000000},
                                 {"msec", 0x01002000},
                                 {"sec", 0x01003000},
                                 {"hour", 0x01005000},
                                 {"sec7", 0x07003000},
                                 {"persec", 0x0f003000},
                                 {"count", 0x00100000},
                                 {"kcount", 0x00100300},
                                 {"percount", 0x00f00000},
                                 {"bytepersec", 0x1f003000},
                                 {"mbyteperhour", 0x1f025000},
                                 {"bytepermsec", 0x1f002000},
                                 {"mbytepersec", 0x1f023000},
                                 {"celsius", 1 << 3 | 1},
                                 {"fahrenheit", 1 << 3 | 2},
                                 {"watt", 4 << 3 | 2},
                                 {"kwatt", 4 << 3 | 1},
                                 {"wattpersec", 0x0f003000 | 4 << 3 | 2},
                                 {"perwatt", (-4 & 0x1f) << 3 | 2}};

bool Apply(std::string_view part, Descriptor* descriptor) {
  constexpr std::pair<std::string_view, MetricType> kTypes[] = {
      {"i32", MetricType::k32},     {"u32", MetricType::kU32},    {"i64", MetricType::k64},
      {"u64", MetricType::kU64},    {"flt", MetricType::kFloat},  {"dbl", MetricType::kDouble},
      {"str", MetricType::kString}, {"event", MetricType::kEvent}};
  constexpr std::pair<std::string_view, Semantics> kSemantics[] = {
      {"c", Semantics::kCounter}, {"i", Semantics::kInstant}, {"d", Semantics::kDiscrete}};
  constexpr std::pair<std::string_view, Indom> kIndoms[] = {
      {"s", Indom::Null()}, {"a", Indom::Of(60, 1)}, {"b", Indom::Of(60, 2)}, {"e", kEquivalent}};
  for (const auto& [name, type] : kTypes) {
    if (name == part) return descriptor->type = type, true;
  }
  for (const auto& [name, semantics] : kSemantics) {
    if (name == part) return descriptor->semantics = semantics, true;
  }
  for (const auto& [name, indom] : kIndoms) {
    if (name == part) return descriptor->indom = indom, true;
  }
  for (const NamedUnits& units : kUnits) {
    if (units.name == part) return descriptor->units = Units{units.word}, true;
  }
  return false;
}

std::optional<Descriptor> Describe(std::string_view name) {
  const auto number = static_cast<std::uint32_t>(std::hash<std::string_view>()(name));
  Descriptor descriptor{Pmid::Of(60, number >> 10, number), MetricType::k32, Indom::Null(),
                        Semantics::kInstant, Units{}};
  while (true) {
    const std::size_t dot = name.find('.');
    if (!Apply(name.substr(0, dot), &descriptor)) return std::nullopt;
    if (dot == std::string_view::npos) return descriptor;
    name.remove_prefix(dot + 1);
  }
}

}  // namespace

OperandAnswer NamedMetrics::Find(std::string_view name) const {
  using Kind = OperandAnswer::Kind;
  if (name.starts_with("bare.")) return {Kind::kNoMetadata, {}};
  constexpr std::string_view kDerived = "derived.";
  const bool derived = name.starts_with(kDerived);
  if (derived) name.remove_prefix(kDerived.size());
  const std::optional<Descriptor> descriptor = Describe(name);
  if (!descriptor) return {};
  return {derived ? Kind::kDerived : Kind::kMetric, *descriptor};
}

bool NamedMetrics::Equivalent(Indom left, Indom right) const {
  return left == kEquivalent || right == kEquivalent;
}

}  // namespace pmproof::derived

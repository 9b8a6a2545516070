// SPDX-License-Identifier: Apache-2.0
#include "generators/description/read_metrics.h"

#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace pmproof::generators {
namespace {

constexpr std::int64_t kLeast32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMost32 = std::numeric_limits<std::int32_t>::max();

// "60.0.1": as many numbers, each up to its most.
template <std::size_t Count>
std::optional<std::array<std::uint32_t, Count>> ParseDotted(
    std::string_view text, const std::array<std::int64_t, Count>& most) {
  std::array<std::uint32_t, Count> numbers{};
  for (std::size_t i = 0; i < Count; ++i) {
    const std::size_t dot = i + 1 < Count ? text.find('.') : text.size();
    if (dot == std::string_view::npos) return std::nullopt;
    const auto number = ParseInteger(text.substr(0, dot), 0, most[i]);
    if (!number) return std::nullopt;
    numbers[i] = static_cast<std::uint32_t>(*number);
    text.remove_prefix(i + 1 < Count ? dot + 1 : dot);
  }
  return numbers;
}

Pmid ReadPmid(const Node& node) {
  const auto numbers = ParseDotted<3>(node.Text(), {511, 4095, 1023});
  if (!numbers) {
    node.Fail("is not a metric identifier, such as \"60.0.1\"");
    return {};
  }
  return Pmid::Of((*numbers)[0], (*numbers)[1], (*numbers)[2]);
}

Indom ReadIndom(const Node& node) {
  const auto numbers = ParseDotted<2>(node.Text(), {511, 0x3fffff});
  if (!numbers) {
    node.Fail("is not an instance domain identifier, such as \"60.1\"");
    return {};
  }
  return Indom::Of((*numbers)[0], (*numbers)[1]);
}

// By its name, or a number where there is no name for it.
template <typename Kind>
Kind ReadKind(const Node& node, std::initializer_list<Kind> known) {
  if (node.json().is_number()) return static_cast<Kind>(node.Integer(kLeast32, kMost32));
  const std::string text = node.Text();
  std::string names;
  for (const Kind kind : known) {
    if (text == ToText(kind)) return kind;
    names += (names.empty() ? "" : ", ") + ToText(kind);
  }
  node.Fail("is none of " + names);
  return *known.begin();
}

// {"space": [DIMENSION, SCALE], "time": ..., "count": ...}, or the word that is stored (ARC-009).
Units ReadUnits(const Node& node) {
  constexpr std::int64_t kMostWord = std::numeric_limits<std::uint32_t>::max();
  if (!node.json().is_object()) return {static_cast<std::uint32_t>(node.Integer(0, kMostWord))};
  node.Expect({}, {"space", "time", "count"});
  std::uint32_t word = 0;
  const auto add = [&](const char* name, unsigned dimension, unsigned scale, std::int64_t least) {
    const auto pair = node.Find(name);
    if (!pair) return;
    const std::vector<Node> numbers = pair->Elements();
    if (numbers.size() != 2) return pair->Fail("is not a list of a dimension and a scale");
    const auto nibble = [](std::int64_t number) { return static_cast<std::uint32_t>(number & 15); };
    word |= nibble(numbers[0].Integer(-8, 7)) << dimension;
    word |= nibble(numbers[1].Integer(least, least + 15)) << scale;
  };
  add("space", 28, 16, 0);
  add("time", 24, 12, 0);
  add("count", 20, 8, -8);
  return {word};
}

// {"0": "a", "1": null} or, of instances whose names are "i0", "i3", [0, 3].
std::vector<archive::InstanceModel> ReadInstances(const Node& node, bool delta) {
  std::vector<archive::InstanceModel> instances;
  if (node.json().is_array()) {
    for (const Node& element : node.Elements()) {
      const std::int64_t id = element.Integer(kLeast32, kMost32);
      instances.push_back({static_cast<std::int32_t>(id), "i" + std::to_string(id)});
    }
    return instances;
  }
  for (const auto& [name, value] : node.Members()) {
    const auto id = ParseInteger(name, kLeast32, kMost32);
    if (!id) node.Fail("\"" + std::string(name) + "\" is not an instance number");
    archive::InstanceModel& instance = instances.emplace_back();
    instance.id = static_cast<std::int32_t>(id.value_or(0));
    if (!delta || !value.json().is_null()) instance.name = value.Text();
  }
  return instances;
}

}  // namespace

std::vector<archive::DescModel> ReadMetrics(const Node& node) {
  std::vector<archive::DescModel> metrics;
  for (const auto& [name, metric] : node.Members()) {
    if (name.empty()) metric.Fail("has no name");
    metric.Expect({"pmid", "type", "semantics"}, {"indom", "units"});
    if (metric.failed()) return metrics;
    Descriptor descriptor;
    descriptor.pmid = ReadPmid(metric.At("pmid"));
    descriptor.type = ReadKind<MetricType>(
        metric.At("type"),
        {MetricType::k32, MetricType::kU32, MetricType::k64, MetricType::kU64, MetricType::kFloat,
         MetricType::kDouble, MetricType::kString, MetricType::kAggregate, MetricType::kEvent,
         MetricType::kHighresEvent, MetricType::kNoSupport});
    descriptor.semantics = ReadKind(
        metric.At("semantics"), {Semantics::kCounter, Semantics::kInstant, Semantics::kDiscrete});
    if (const auto indom = metric.Find("indom")) descriptor.indom = ReadIndom(*indom);
    if (const auto units = metric.Find("units")) descriptor.units = ReadUnits(*units);
    metrics.push_back({descriptor, {std::string(name)}});
  }
  return metrics;
}

std::vector<archive::IndomModel> ReadDomains(const Node& node, const TimeScale& scale) {
  std::vector<archive::IndomModel> domains;
  for (const Node& record : node.Elements()) {
    const auto delta = record.Find("delta");
    if (delta) {
      record.Expect({"indom", "time", "delta"});
      if (scale.version == 2) record.Fail("version 2 has no \"delta\" records (ARC-370)");
    } else {
      record.Expect({"indom", "time", "instances"});
    }
    if (record.failed()) return domains;
    archive::IndomModel& domain = domains.emplace_back();
    domain.indom = ReadIndom(record.At("indom"));
    domain.time = ReadTime(record.At("time"), scale);
    domain.delta = delta.has_value();
    domain.instances = ReadInstances(delta ? *delta : record.At("instances"), domain.delta);
  }
  return domains;
}

}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
// Values of all types, events among them (sections 5.3 and 6).

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "generators/scenarios/scenario.h"

namespace pmproof::generators {
namespace {

// At the edges of what each type can hold: the samples go through them one after the other.
constexpr std::array<std::uint64_t, 8> kIntegers = {0,
                                                    1,
                                                    0x7fffffff,
                                                    0x80000000,
                                                    0xffffffff,
                                                    0x7fffffffffffffff,
                                                    0x8000000000000000,
                                                    0xffffffffffffffff};
constexpr std::array<std::uint32_t, 8> kFloats = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                                  0x00000001, 0x7f7fffff, 0xff7fffff, 0x3dcccccd};
constexpr std::array<std::uint64_t, 8> kDoubles = {0,
                                                   0x8000000000000000,
                                                   0x3ff0000000000000,
                                                   0xbff0000000000000,
                                                   0x0000000000000001,
                                                   0x7fefffffffffffff,
                                                   0xffefffffffffffff,
                                                   0x3fb999999999999a};
constexpr std::array<std::string_view, 8> kStrings = {
    "", "a", "ab", "abc", "abcd", "with \"quotes\" and \\", "\xc3\xa4\xe2\x82\xac", "two\nlines"};

class Types final : public Scenario {
  void Join(Stage& stage) override {
    domain_ = stage.Add(stage.NewDomain("edge", kIntegers.size()));
    static constexpr std::pair<std::string_view, MetricType> kTypes[] = {
        {"i32", MetricType::k32},        {"u32", MetricType::kU32},
        {"i64", MetricType::k64},        {"u64", MetricType::kU64},
        {"float", MetricType::kFloat},   {"double", MetricType::kDouble},
        {"string", MetricType::kString}, {"aggregate", MetricType::kAggregate}};
    for (const auto& [name, type] : kTypes) {
      types_.push_back(type);
      metrics_.push_back(stage.Add(stage.NewMetric(name, type, Semantics::kInstant)));
      MetricSetup each = stage.NewMetric(std::string(name) + "_each", type, Semantics::kDiscrete);
      each.domain = domain_;
      metrics_.push_back(stage.Add(std::move(each)));
    }
  }
  void Play(Turn& turn, Random& random) override {
    for (std::size_t i = 0; i < types_.size(); ++i) {
      Fill(Turn::AddTo(turn.Read(metrics_[2 * i]), 0, 0), types_[i], turn.number, random);
      Reading& reading = turn.Read(metrics_[2 * i + 1]);
      for (const std::int32_t instance : turn.Instances(domain_)) {
        Fill(Turn::AddTo(reading, instance, 0), types_[i],
             turn.number + static_cast<std::uint64_t>(instance), random);
      }
    }
  }
  static void Fill(Value& value, MetricType type, std::uint64_t number, Random& random) {
    const std::size_t edge = number % kIntegers.size();
    switch (type) {
      case MetricType::kFloat:
        value.number = kFloats[edge];
        break;
      case MetricType::kDouble:
        value.number = kDoubles[edge];
        break;
      case MetricType::kString:
        value.text = kStrings[edge];
        break;
      case MetricType::kAggregate:
        for (std::uint64_t i = random.Below(9); i > 0; --i)
          value.text += static_cast<char>(random.Below(256));
        break;
      case MetricType::kNoSupport:
      case MetricType::k32:
      case MetricType::kU32:
      case MetricType::k64:
      case MetricType::kU64:
      case MetricType::kAggregateStatic:
      case MetricType::kEvent:
      case MetricType::kHighresEvent:
      case MetricType::kUnknown:
        value.number = kIntegers[edge];
    }
  }
  std::size_t domain_ = 0;
  std::vector<MetricType> types_;
  std::vector<std::size_t> metrics_;
};

class Events final : public Scenario {
  void Join(Stage& stage) override {
    const auto parameter = [&](std::string_view name, MetricType type) {
      MetricSetup metric = stage.NewMetric(name, type, Semantics::kInstant);
      metric.parameter = true;
      parameters_.push_back(stage.Add(std::move(metric)));
    };
    parameter("param_pid", MetricType::kU32);
    parameter("param_count", MetricType::k64);
    parameter("param_load", MetricType::kDouble);
    parameter("param_text", MetricType::kString);
    parameter("param_bytes", MetricType::kAggregate);
    domain_ = stage.Add(stage.NewDomain("queue", 2));
    const auto events = [&](std::string_view name, MetricType type, bool with_instances) {
      MetricSetup metric = stage.NewMetric(name, type, Semantics::kInstant);
      if (with_instances) metric.domain = domain_;
      return stage.Add(std::move(metric));
    };
    records_ = events("records", MetricType::kEvent, false);
    highres_ = events("highres", MetricType::kHighresEvent, false);
    each_ = events("each", MetricType::kHighresEvent, true);
  }
  void Play(Turn& turn, Random& random) override {
    AddEvents(Turn::AddTo(turn.Read(records_), 0, 0), random);
    // Samples without events have no values.
    Reading& highres = turn.Read(highres_);
    if (turn.phase() % 5 != 4) AddEvents(Turn::AddTo(highres, 0, 0), random);
    Reading& each = turn.Read(each_);
    for (const std::int32_t instance : turn.Instances(domain_))
      AddEvents(Turn::AddTo(each, instance, 0), random);
  }
  void AddEvents(Value& value, Random& random) const {
    // Point, start and end, with an identifier and a parent (ARC-274).
    static constexpr std::uint32_t kFlags[] = {0, 1, 2, 4, 0xa, 0x1a, 0xc};
    for (std::uint64_t i = 1 + random.Below(4); i > 0; --i) {
      EventText& event = value.events.emplace_back();
      event.before = static_cast<std::int64_t>(random.Below(900'000'000));
      if (random.Chance(1, 8)) {
        event.missed = 1 + static_cast<std::uint32_t>(random.Below(100));
        continue;
      }
      event.flags = random.Pick(kFlags);
      for (std::uint64_t j = random.Below(parameters_.size() + 1); j > 0; --j) {
        EventParameterText text;
        text.metric = random.Pick(parameters_);
        text.number = random.Below(100000);
        text.text = std::string(random.Below(6), 'e');
        event.parameters.push_back(std::move(text));
      }
    }
  }
  std::vector<std::size_t> parameters_;
  std::size_t domain_ = 0;
  std::size_t records_ = 0;
  std::size_t highres_ = 0;
  std::size_t each_ = 0;
};

}  // namespace

void AddValues(std::vector<ScenarioKind>* table) {
  table->push_back({"types",
                    "values of all types, at the edges of what they can hold",
                    {"ARC-011"_clause, "ARC-205"_clause, "ARC-231"_clause, "ARC-235"_clause},
                    {},
                    Make<Types>,
                    0,
                    {},
                    1});
  table->push_back(
      {"events",
       "event records of both resolutions, with parameters of all types, and missed ones",
       {"ARC-260"_clause, "ARC-272"_clause, "ARC-273"_clause, "ARC-275"_clause, "ARC-278"_clause},
       {},
       Make<Events>});
}

}  // namespace pmproof::generators

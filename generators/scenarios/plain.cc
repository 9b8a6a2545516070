// SPDX-License-Identifier: Apache-2.0
// What every archive has: metrics of the usual kinds, with and without instances.

#include <array>
#include <bit>
#include <string>

#include "generators/scenarios/scenario.h"

namespace pmproof::generators {
namespace {

constexpr std::uint32_t kFirstCluster = 100;  // after those of the other scenarios
constexpr std::uint32_t kItems = 1000;        // of a cluster
constexpr std::uint32_t kSerial = 1;

struct Form {
  std::string_view name;
  MetricType type;
  Semantics semantics;
  std::uint32_t units;
  bool with_instances;
};

// ARC-009: count, Kbyte, msec, none.
constexpr std::array<Form, 10> kForms = {{
    {"reads", MetricType::kU32, Semantics::kCounter, 0x00100000, true},
    {"bytes", MetricType::kU64, Semantics::kCounter, 0x10010000, true},
    {"load", MetricType::kFloat, Semantics::kInstant, 0, false},
    {"used", MetricType::kU64, Semantics::kInstant, 0x10010000, true},
    {"state", MetricType::k32, Semantics::kDiscrete, 0, true},
    {"name", MetricType::kString, Semantics::kDiscrete, 0, false},
    {"busy", MetricType::kU64, Semantics::kCounter, 0x01002000, false},
    {"ratio", MetricType::kDouble, Semantics::kInstant, 0, true},
    {"balance", MetricType::k64, Semantics::kInstant, 0x00100000, false},
    {"queue", MetricType::kU32, Semantics::kInstant, 0x00100000, false},
}};

class Plain final : public Scenario {
 public:
  void Join(Stage& stage) override {
    DomainSetup devices = stage.NewDomain("dev", stage.extent.instances);
    devices.serial = kSerial;
    domain_ = stage.Add(std::move(devices));
    first_ = stage.setup.metrics.size();
    count_ = stage.extent.metrics;
    for (std::uint64_t i = 0; i < count_; ++i) {
      const Form& form = kForms[i % kForms.size()];
      MetricSetup metric;
      metric.agent = kAgent;
      metric.cluster = kFirstCluster + static_cast<std::uint32_t>(i) / kItems;
      metric.item = static_cast<std::uint32_t>(i) % kItems;
      metric.name = stage.name + "." + std::string(form.name);
      if (i >= kForms.size()) metric.name += std::to_string(i / kForms.size());
      metric.type = form.type;
      metric.semantics = form.semantics;
      metric.units.word = form.units;
      if (form.with_instances) metric.domain = domain_;
      stage.Add(std::move(metric));
    }
  }

  void Play(Turn& turn, Random& random) override {
    for (std::uint64_t i = 0; i < count_; ++i) {
      const Form& form = kForms[i % kForms.size()];
      Reading& reading = turn.Read(first_ + i);
      if (!form.with_instances) {
        Fill(Turn::AddTo(reading, 0, 0), form, random);
        continue;
      }
      for (const std::int32_t instance : turn.Instances(domain_))
        Fill(Turn::AddTo(reading, instance, 0), form, random);
    }
  }

 private:
  static void Fill(Value& value, const Form& form, Random& random) {
    const std::uint64_t draw = random.Below(1000);
    switch (form.type) {
      case MetricType::kFloat:
        value.number = std::bit_cast<std::uint32_t>(static_cast<float>(draw) / 8);
        break;
      case MetricType::kDouble:
        value.number = std::bit_cast<std::uint64_t>(static_cast<double>(draw) / 1024);
        break;
      case MetricType::kString:
        value.text = draw < 500 ? "up" : "down for " + std::to_string(draw) + " s";
        break;
      case MetricType::k32:
      case MetricType::k64:
        value.number = draw - 500;
        break;
      case MetricType::kNoSupport:
      case MetricType::kU32:
      case MetricType::kU64:
      case MetricType::kAggregate:
      case MetricType::kAggregateStatic:
      case MetricType::kEvent:
      case MetricType::kHighresEvent:
      case MetricType::kUnknown:
        value.number = draw;
    }
  }

  std::size_t domain_ = 0;
  std::size_t first_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace

void AddPlain(std::vector<ScenarioKind>* table) {
  table->push_back({"plain",
                    "metrics of the usual kinds, with and without instances; always there",
                    {"ARC-590"_clause, "ARC-620"_clause},
                    {},
                    Make<Plain>,
                    0,
                    {},
                    1});
}

}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
// Labels, help texts and long names (sections 7.1, 7.4 and 7.5).

#include <string>
#include <string_view>
#include <utility>

#include "generators/scenarios/scenario.h"

namespace pmproof::generators {
namespace {

class Labels final : public Scenario {
  void Join(Stage& stage) override {
    stage.setup.context_labels = {{"role", "\"context\"", false},
                                  {"location.rack", "7", false},
                                  {"location.row", "\"B\"", true}};
    stage.setup.agent_labels = {{"role", "\"domain\"", false}, {"agent", "#", false}};
    stage.setup.cluster_labels = {{"role", "\"cluster\"", false}, {"cluster", "#", true}};
    DomainSetup domain = stage.NewDomain("core", 3);
    domain.labels = {{"role", "\"indom\"", false}, {"indom", "#", false}};
    domain.instance_labels = {
        {"role", "\"instances\"", false}, {"core", "#", false}, {"cache.size", "[#,64]", true}};
    domain_ = stage.Add(std::move(domain));
    MetricSetup one = stage.NewMetric("one", MetricType::kU32, Semantics::kInstant);
    one.labels = {{"role", "\"item\"", false}, {"item", "#", false}, {"flag", "true", true}};
    one_ = stage.Add(std::move(one));
    MetricSetup each = stage.NewMetric("each", MetricType::kU32, Semantics::kInstant);
    each.domain = domain_;
    each.labels = {{"role", "\"item\"", false}, {"nothing", "null", false}};
    each_ = stage.Add(std::move(each));
  }
  void Play(Turn& turn, Random& random) override {
    // Each level in turn gets another value; its label is there from the beginning.
    static constexpr LabelClass kLevels[] = {LabelClass::kContext, LabelClass::kDomain,
                                             LabelClass::kIndom,   LabelClass::kCluster,
                                             LabelClass::kItem,    LabelClass::kInstances};
    if (turn.number > 0 && turn.number % 2 == 0) {
      const LabelClass level = kLevels[turn.number / 2 % std::size(kLevels)];
      turn.before.emplace_back(
          LabelChange{level, each_, {"changed", std::to_string(random.Below(1000)), false}});
    }
    if (turn.phase() == 7) {
      // A new instance has labels too, and one that is gone has none.
      const bool there = turn.Instances(domain_).size() == 4;
      turn.before.emplace_back(DomainChange{
          domain_, there ? DomainChange::Kind::kVanish : DomainChange::Kind::kAppear, 3, 0});
    }
    Turn::AddTo(turn.Read(one_), 0, random.Below(100));
    turn.ReadAll(each_, domain_, 100, random);
  }
  std::size_t domain_ = 0;
  std::size_t one_ = 0;
  std::size_t each_ = 0;
};

class Texts final : public Scenario {
  void Join(Stage& stage) override {
    DomainSetup domain = stage.NewDomain("bus", 2);
    domain.one_line = "Buses of the machine";
    domain.help = "Buses, counted from 0.\nThey do not change while the machine runs.";
    domain_ = stage.Add(std::move(domain));
    MetricSetup one = stage.NewMetric("transfers", MetricType::kU64, Semantics::kCounter);
    one.one_line = "Transfers over a bus";
    one.help = "Transfers over a bus since the start:\n\treads and writes.\n\n\xc2\xa7 1";
    one.domain = domain_;
    one_ = stage.Add(std::move(one));
    MetricSetup other = stage.NewMetric("width", MetricType::kU32, Semantics::kDiscrete);
    other.one_line = "Width of a bus in bits";
    other.help = std::string(5000, 'w');
    other.domain = domain_;
    other_ = stage.Add(std::move(other));
  }
  void Play(Turn& turn, Random& random) override {
    turn.ReadAll(one_, domain_, 100, random);
    if (turn.number % 4 == 1) turn.ReadAll(other_, domain_, 64, random);
  }
  std::size_t domain_ = 0;
  std::size_t one_ = 0;
  std::size_t other_ = 0;
};

class LongNames final : public Scenario {
  static constexpr std::size_t kMetricName = 4095;  // ARC-017
  static constexpr std::size_t kLabelName = 254;
  void Join(Stage& stage) override {
    DomainSetup domain = stage.NewDomain(std::string(2000, 'i'), 3);
    domain.instance_labels = {
        {std::string(kLabelName, 'l'), "\"" + std::string(3000, 'v') + "\"", false}};
    domain_ = stage.Add(std::move(domain));
    MetricSetup metric = stage.NewMetric("", MetricType::kU32, Semantics::kInstant);
    metric.name += std::string(kMetricName - metric.name.size(), 'n');
    metric.aliases = {stage.name + "_alias." + std::string(3000, 'a')};
    metric.one_line = std::string(2000, 't');
    metric.domain = domain_;
    metric_ = stage.Add(std::move(metric));
    // As many components as there is room for.
    MetricSetup deep = stage.NewMetric("deep", MetricType::kString, Semantics::kDiscrete);
    while (deep.name.size() + 2 <= kMetricName) deep.name += ".d";
    deep_ = stage.Add(std::move(deep));
  }
  void Play(Turn& turn, Random& random) override {
    turn.ReadAll(metric_, domain_, 100, random);
    if (turn.number % 4 == 0)
      Turn::AddTo(turn.Read(deep_), 0, 0).text = std::string(20000 + random.Below(4), 's');
  }
  std::size_t domain_ = 0;
  std::size_t metric_ = 0;
  std::size_t deep_ = 0;
};

}  // namespace

void AddMetadata(std::vector<ScenarioKind>* table) {
  table->push_back({"labels",
                    "labels at every level, nested and optional ones, that change",
                    {"ARC-391"_clause, "ARC-396"_clause, "ARC-400"_clause, "ARC-401"_clause},
                    {},
                    Make<Labels>});
  table->push_back({"texts",
                    "help texts of metrics and of an instance domain",
                    {"ARC-430"_clause, "ARC-431"_clause},
                    {},
                    Make<Texts>,
                    0,
                    {},
                    1});
  table->push_back(
      {"long-names",
       "names of metrics, instances and labels, texts and values as long as they may be",
       {"ARC-017"_clause},
       {},
       Make<LongNames>,
       0,
       {},
       1});
}

}  // namespace pmproof::generators

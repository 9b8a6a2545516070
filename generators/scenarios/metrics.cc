// SPDX-License-Identifier: Apache-2.0
// Metrics that are there for a part of the time, have no values, or change what they are.

#include <string>
#include <string_view>
#include <utility>

#include "generators/scenarios/scenario.h"
#include "reference/core/error_code.h"

namespace pmproof::generators {
namespace {

class Late final : public Scenario {
  void Join(Stage& stage) override {
    for (std::size_t i = 0; i < kCount; ++i) {
      metrics_[i] =
          stage.Add(stage.NewMetric("m" + std::to_string(i), MetricType::kU32,
                                    i % 2 == 0 ? Semantics::kCounter : Semantics::kInstant));
    }
  }
  // The i-th one comes at sample 3 i + 2.
  void Play(Turn& turn, Random& random) override {
    for (std::size_t i = 0; i < kCount; ++i) {
      if (turn.number >= 3 * i + 2) Turn::AddTo(turn.Read(metrics_[i]), 0, random.Below(100));
    }
  }
  static constexpr std::size_t kCount = 4;
  std::size_t metrics_[kCount] = {};
};

class Once final : public Scenario {
  void Join(Stage& stage) override {
    number_ = stage.Add(stage.NewMetric("ncpu", MetricType::kU32, Semantics::kDiscrete));
    text_ = stage.Add(stage.NewMetric("release", MetricType::kString, Semantics::kDiscrete));
  }
  void Play(Turn& turn, Random& random) override {
    if (turn.number == 0) Turn::AddTo(turn.Read(number_), 0, 1 + random.Below(64));
    if (turn.number == 2) {
      Turn::AddTo(turn.Read(text_), 0, 0).text = "release " + std::to_string(random.Below(100));
    }
  }
  std::size_t number_ = 0;
  std::size_t text_ = 0;
};

constexpr ErrorCode kErrors[] = {ErrorCode::kValue,   ErrorCode::kNoData,   ErrorCode::kAgain,
                                 ErrorCode::kPmid,    ErrorCode::kInstance, ErrorCode::kGeneric,
                                 ErrorCode::kNoEntry, ErrorCode::kOk};

class Errors final : public Scenario {
  void Join(Stage& stage) override {
    one_ = stage.Add(stage.NewMetric("flaky", MetricType::kU64, Semantics::kCounter));
    domain_ = stage.Add(stage.NewDomain("probe", 3));
    MetricSetup each = stage.NewMetric("probe", MetricType::kDouble, Semantics::kInstant);
    each.domain = domain_;
    each_ = stage.Add(std::move(each));
  }
  void Play(Turn& turn, Random& random) override {
    if (turn.phase() % 3 == 2) {
      turn.Read(one_).status = static_cast<std::int32_t>(random.Pick(kErrors));
    } else {
      Turn::AddTo(turn.Read(one_), 0, random.Below(1000));
    }
    if (turn.phase() % 4 == 3) {
      turn.Read(each_).status = static_cast<std::int32_t>(random.Pick(kErrors));
    } else {
      turn.ReadAll(each_, domain_, 1000, random);
    }
  }
  std::size_t one_ = 0;
  std::size_t domain_ = 0;
  std::size_t each_ = 0;
};

class OnlyErrors final : public Scenario {
  void Join(Stage& stage) override {
    MetricSetup broken = stage.NewMetric("broken", MetricType::kU32, Semantics::kInstant);
    broken.valueless = true;
    broken_ = stage.Add(broken);
    MetricSetup empty = stage.NewMetric("empty", MetricType::kU32, Semantics::kInstant);
    empty.valueless = true;
    empty_ = stage.Add(empty);
  }
  void Play(Turn& turn, Random&) override {
    turn.Read(broken_).status = static_cast<std::int32_t>(ErrorCode::kAgain);
    turn.Read(empty_).status = 0;
  }
  std::size_t broken_ = 0;
  std::size_t empty_ = 0;
};

class TypeChange final : public Scenario {
  void Join(Stage& stage) override {
    metric_ = stage.Add(stage.NewMetric("value", MetricType::kU32, Semantics::kInstant));
  }
  void Play(Turn& turn, Random& random) override {
    if (turn.number == 2) {
      turn.before.emplace_back(Mark{});
      turn.before.emplace_back(Redefinition{metric_, MetricType::kU64, {}, {}, {}});
    }
    Turn::AddTo(turn.Read(metric_), 0, random.Below(100));
  }
  std::size_t metric_ = 0;
};

class DescriptorChange final : public Scenario {
  void Join(Stage& stage) override {
    domain_ = stage.Add(stage.NewDomain("part", 2));
    semantics_ = stage.Add(stage.NewMetric("semantics", MetricType::kU32, Semantics::kInstant));
    units_ = stage.Add(stage.NewMetric("units", MetricType::kU32, Semantics::kInstant));
    indom_ = stage.Add(stage.NewMetric("indom", MetricType::kU32, Semantics::kInstant));
  }
  void Play(Turn& turn, Random& random) override {
    if (turn.number == 2) {
      turn.before.emplace_back(Mark{});
      turn.before.emplace_back(Redefinition{semantics_, {}, Semantics::kDiscrete, {}, {}});
      turn.before.emplace_back(Redefinition{units_, {}, {}, Units{0x00100000}, {}});
      turn.before.emplace_back(Redefinition{indom_, {}, {}, {}, domain_});
    }
    for (const std::size_t metric : {semantics_, units_, indom_})
      Turn::AddTo(turn.Read(metric), 0, random.Below(100));
  }
  std::size_t domain_ = 0;
  std::size_t semantics_ = 0;
  std::size_t units_ = 0;
  std::size_t indom_ = 0;
};

}  // namespace

void AddMetrics(std::vector<ScenarioKind>* table) {
  const auto add = [table](std::string_view name, std::string_view what,
                           std::vector<Clause> clauses, std::vector<Clause> rules,
                           std::unique_ptr<Scenario> (*make)()) {
    table->push_back({name, what, std::move(clauses), std::move(rules), make});
  };
  add("late-metrics", "metrics that are logged from a later sample on",
      {"ARC-502"_clause, "ARC-621"_clause}, {}, Make<Late>);
  add("once-logged", "metrics that are in one sample only", {"ARC-200"_clause, "ARC-621"_clause},
      {}, Make<Once>);
  add("errors", "error codes, or no values, in place of values now and then",
      {"ARC-019"_clause, "ARC-202"_clause, "ARC-203"_clause}, {}, Make<Errors>);
  add("errors-only", "metrics that never have a value", {"ARC-202"_clause, "ARC-203"_clause},
      {"ARC-1833"_clause}, Make<OnlyErrors>);
  add("type-change",
      "a metric with another type from the third sample on, after a mark: no PCP reads that",
      {"ARC-307"_clause}, {"ARC-1311"_clause, "ARC-1810"_clause}, Make<TypeChange>);
  table->back().unreadable = true;
  add("descriptor-change",
      "metrics with other semantics, units and instance domain after a mark: no PCP reads that",
      {"ARC-307"_clause}, {"ARC-1312"_clause, "ARC-1313"_clause, "ARC-1314"_clause},
      Make<DescriptorChange>);
  table->back().unreadable = true;
}

}  // namespace pmproof::generators

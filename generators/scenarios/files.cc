// SPDX-License-Identifier: Apache-2.0
// How an archive is spread over files, and several over a set (sections 8 to 11).

#include <algorithm>

#include "generators/scenarios/scenario.h"

namespace pmproof::generators {
namespace {

class MultiVolume final : public Scenario {
  void Join(Stage& stage) override { stage.volumes = std::max<std::uint64_t>(stage.volumes, 4); }
};

class Set final : public Scenario {
  void Join(Stage& stage) override { stage.archives = 3; }
};

class SetWithGaps final : public Scenario {
  void Join(Stage& stage) override {
    stage.archives = 3;
    stage.gap = 600'000'000'000;
  }
};

class IndexDisorder final : public Scenario {
  void Join(Stage& stage) override {
    domain_ = stage.Add(stage.NewDomain("part", 2));
    MetricSetup metric = stage.NewMetric("size", MetricType::kU32, Semantics::kInstant);
    metric.domain = domain_;
    metric_ = stage.Add(std::move(metric));
    // The entries of the second and third sample.
    stage.index.swapped = 2;
  }
  // A change of the domain has an entry (ARC-625).
  void Play(Turn& turn, Random& random) override {
    const auto instance = static_cast<std::int32_t>(turn.number) + 2;
    const bool there = std::ranges::binary_search(turn.Instances(domain_), instance);
    if (turn.number > 0 && turn.number < 5) {
      turn.before.emplace_back(DomainChange{
          domain_, there ? DomainChange::Kind::kVanish : DomainChange::Kind::kAppear, instance, 0});
    }
    turn.ReadAll(metric_, domain_, 100, random);
  }
  std::size_t domain_ = 0;
  std::size_t metric_ = 0;
};

class NoLogger final : public Scenario {
  void Join(Stage& stage) override { stage.setup.logger = false; }
};

}  // namespace

void AddFiles(std::vector<ScenarioKind>* table) {
  table->push_back({"multi-volume",
                    "as many volumes as --volumes says, else four",
                    {"ARC-030"_clause, "ARC-611"_clause},
                    {},
                    Make<MultiVolume>,
                    0,
                    {},
                    1});
  table->push_back({"set",
                    "three archives, each from where the one before ends: OUT-1, OUT-2, OUT-3",
                    {"ARC-551"_clause, "ARC-555"_clause},
                    {},
                    Make<Set>,
                    0,
                    {},
                    1});
  table->push_back({"set-gaps",
                    "three archives, ten minutes between them: OUT-1, OUT-2, OUT-3",
                    {"ARC-551"_clause, "ARC-556"_clause},
                    {},
                    Make<SetWithGaps>,
                    0,
                    {"ARC-2109"_clause},
                    1});
  table->push_back({"index-disorder",
                    "two entries of the temporal index that have changed places",
                    {"ARC-455"_clause},
                    {"ARC-1908"_clause},
                    Make<IndexDisorder>});
  table->push_back({"no-logger",
                    "neither prologue nor epilogue, as archives have that no logger wrote",
                    {"ARC-590"_clause, "ARC-591"_clause},
                    {"ARC-2008"_clause, "ARC-2009"_clause},
                    Make<NoLogger>,
                    0,
                    {},
                    1});
}

}  // namespace pmproof::generators

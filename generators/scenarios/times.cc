// SPDX-License-Identifier: Apache-2.0
// Times that are out of the ordinary (section 9.1).

#include <utility>

#include "generators/scenarios/scenario.h"

namespace pmproof::generators {
namespace {

class Irregular final : public Scenario {
  void Join(Stage& stage) override { interval_ = stage.setup.interval; }
  void Play(Turn& turn, Random& random) override {
    // In microseconds, and seldom much later.
    const std::int64_t most = interval_ / 1000 * (random.Chance(1, 10) ? 8 : 1);
    turn.sample.after += 1000 * random.Between(0, most);
  }
  std::int64_t interval_ = 0;
};

class Nanoseconds final : public Scenario {
  void Join(Stage& stage) override { stage.setup.start = stage.setup.start + 123'456'789; }
  void Play(Turn& turn, Random& random) override { turn.sample.after += random.Between(1, 999); }
};

class Beyond2038 final : public Scenario {
  // The fifth second of the archive is the last one that 32 bits hold.
  void Join(Stage& stage) override {
    stage.setup.start = Timestamp{0x7fffffff - 4, stage.setup.start.nanoseconds};
  }
};

class TimeBack final : public Scenario {
  void Join(Stage& stage) override {
    metric_ = stage.Add(stage.NewMetric("ticks", MetricType::kU32, Semantics::kCounter));
    stage.index.only_forward = true;
  }
  void Play(Turn& turn, Random& random) override {
    if (turn.phase() == 11) {
      Sample back;
      back.back = true;
      Turn::AddTo(back.readings.emplace_back(Reading{metric_, {}, 0}), 0, random.Below(100));
      turn.before.emplace_back(std::move(back));
    }
    Turn::AddTo(turn.Read(metric_), 0, random.Below(100));
  }
  std::size_t metric_ = 0;
};

}  // namespace

void AddTimes(std::vector<ScenarioKind>* table) {
  table->push_back({"irregular",
                    "samples at irregular distances",
                    {"ARC-500"_clause},
                    {},
                    Make<Irregular>,
                    0,
                    {},
                    1});
  table->push_back({"nanoseconds",
                    "times that no microseconds express",
                    {"ARC-004"_clause},
                    {},
                    Make<Nanoseconds>,
                    3,
                    {},
                    1});
  table->push_back({"beyond-2038",
                    "times that begin before 2038-01-19 03:14:07 UTC and go beyond it",
                    {"ARC-004"_clause, "ARC-504"_clause},
                    {"ARC-1220"_clause, "ARC-1226"_clause},
                    Make<Beyond2038>,
                    3});
  table->push_back({"time-back",
                    "a sample that is half a second earlier than the one before, once in a dozen",
                    {"ARC-500"_clause},
                    {"ARC-1720"_clause},
                    Make<TimeBack>});
}

}  // namespace pmproof::generators

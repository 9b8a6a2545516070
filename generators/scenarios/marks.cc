// SPDX-License-Identifier: Apache-2.0
// Marks, wherever they can stand (section 9.2).

#include "generators/scenarios/scenario.h"

namespace pmproof::generators {
namespace {

class Marks final : public Scenario {
  void Play(Turn& turn, Random& random) override {
    if (turn.number % 2 != 0) return;
    turn.before.emplace_back(
        Mark{1'000'000 + 1000 * static_cast<std::int64_t>(random.Below(1000))});
  }
};

class MarkAtStart final : public Scenario {
  void Play(Turn& turn, Random&) override {
    if (turn.number == 0) turn.before.emplace_back(Mark{1'000'000, true});
  }
};

class MarkAtEnd final : public Scenario {
  void End(std::vector<Step>& steps) override { steps.emplace_back(Mark{1'000'000, true}); }
};

class AdjacentMarks final : public Scenario {
  void Play(Turn& turn, Random& random) override {
    if (turn.phase() != 4) return;
    for (std::uint64_t i = random.Between(2, 4), at = 2; i > 0; --i, ++at)
      turn.before.emplace_back(Mark{static_cast<std::int64_t>(at) * 1'000'000, true});
  }
};

class MarkAtSample final : public Scenario {
  void Join(Stage& stage) override { interval_ = stage.setup.interval; }
  void Play(Turn& turn, Random&) override {
    if (turn.phase() == 3 || turn.phase() == 9) turn.before.emplace_back(Mark{interval_});
  }
  std::int64_t interval_ = 0;
};

}  // namespace

void AddMarks(std::vector<ScenarioKind>* table) {
  // In front of the others, whose marks after the prologue would be the first otherwise.
  table->push_back({"mark-start",
                    "a mark as the first record, in front of all metadata",
                    {"ARC-512"_clause},
                    {"ARC-1527"_clause, "ARC-1723"_clause, "ARC-1921"_clause},
                    Make<MarkAtStart>,
                    0,
                    {},
                    1});
  table->push_back({"marks",
                    "a mark before every second sample: --records 200000 has 10^5 of them",
                    {"ARC-510"_clause, "ARC-511"_clause},
                    {},
                    Make<Marks>});
  table->push_back({"mark-end",
                    "a mark as the last record",
                    {"ARC-512"_clause},
                    {"ARC-1723"_clause},
                    Make<MarkAtEnd>,
                    0,
                    {},
                    1});
  table->push_back({"marks-adjacent",
                    "two to four marks in a row",
                    {"ARC-512"_clause},
                    {"ARC-1723"_clause},
                    Make<AdjacentMarks>});
  table->push_back({"mark-at-sample",
                    "a mark with the very time of the sample after it",
                    {"ARC-500"_clause, "ARC-510"_clause},
                    {},
                    Make<MarkAtSample>});
}

}  // namespace pmproof::generators

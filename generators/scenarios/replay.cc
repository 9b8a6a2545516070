// SPDX-License-Identifier: Apache-2.0
// What is hard for replay, by chance and in few records: a setup that is another one for each seed
// (section 16 of reference/spec/interpolation.md says what it was made of).

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/scenarios/scenario.h"

namespace pmproof::generators {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::array<std::int64_t, 6> kIntervals = {kMillisecond,          10 * kMillisecond,
                                                    250 * kMillisecond,    1000 * kMillisecond,
                                                    10'000 * kMillisecond, 60'000 * kMillisecond};
// Around the 16 from which on instances have lives (INT-403).
constexpr std::array<std::int32_t, 10> kWidths = {1, 2, 3, 5, 8, 14, 15, 16, 17, 24};
constexpr std::int32_t kPool = 30;  // instances that may be there
constexpr std::array<std::uint64_t, 9> kEdges = {
    0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 1ULL << 32, 0x7fffffffffffffff, 1ULL << 63, ~0ULL};
// Bytes between index entries: one for each record, some, none but the first and the last.
constexpr std::array<std::uint64_t, 4> kIndexes = {0, 300, 1500, 1'000'000};
// PM_ERR_VALUE, PM_ERR_AGAIN, PM_ERR_NOAGENT, and none (ARC-019).
constexpr std::array<std::int32_t, 4> kErrors = {-12351, -12389, -12386, 0};
constexpr std::array<MetricType, 6> kNumeric = {MetricType::k32,    MetricType::kU32,
                                                MetricType::k64,    MetricType::kU64,
                                                MetricType::kFloat, MetricType::kDouble};
constexpr std::array<MetricType, 4> kOpaque = {MetricType::kString, MetricType::kAggregate,
                                               MetricType::kEvent, MetricType::kHighresEvent};
constexpr std::array<Semantics, 3> kSemantics = {Semantics::kCounter, Semantics::kInstant,
                                                 Semantics::kDiscrete};

// How often something is left out, in twentieths.
constexpr std::array<std::uint64_t, 4> kSparse = {0, 3, 10, 18};

std::uint64_t AnyNumber(Random& random) {
  if (random.Chance(1, 6)) return random.Pick(kEdges);
  return random.Chance(1, 6) ? random.Next() : random.Below(1000);
}

// A few metrics and domains, and how often which of them has something to say.
class Company {
 public:
  struct Role {
    MetricType type = MetricType::kU32;
    Semantics semantics = Semantics::kInstant;
    std::size_t place = 0;
    std::optional<std::size_t> domain;
    std::uint64_t left_out = 0;  // of 20 samples
    std::uint64_t gaps = 0;      // of 20 instances
  };

  void AddDomains(Stage& stage, Random& random) {
    const std::uint64_t count = 1 + random.Below(2);
    for (std::uint64_t i = 0; i < count; ++i) {
      DomainSetup domain = stage.NewDomain(i == 0 ? "a" : "b", 0);
      const auto width = static_cast<std::size_t>(random.Pick(kWidths));
      while (domain.instances.size() < width) {
        const std::int32_t instance = AnyInstance(random);
        if (std::ranges::find(domain.instances, instance) == domain.instances.end())
          domain.instances.push_back(instance);
      }
      domains_.push_back(stage.Add(std::move(domain)));
      restless_.push_back(random.Below(4));
    }
  }

  void AddMetric(Stage& stage, MetricType type, Semantics semantics, Random& random) {
    MetricSetup metric = stage.NewMetric("m" + std::to_string(roles_.size()), type, semantics);
    Role role{type, semantics, 0, std::nullopt, random.Pick(kSparse), random.Pick(kSparse)};
    if (random.Chance(1, 2)) metric.domain = role.domain = random.Pick(domains_);
    if (semantics == Semantics::kCounter) metric.first = AnyNumber(random);
    role.place = stage.Add(std::move(metric));
    roles_.push_back(role);
  }

  // Instances come and go; of a domain that is restless more often.
  void Move(Turn& turn, Random& random) const {
    for (std::size_t i = 0; i < domains_.size(); ++i) {
      for (std::uint64_t times = random.Below(restless_[i] + 1); times > 0; --times) {
        using Kind = DomainChange::Kind;
        DomainChange change{domains_[i], Kind::kAppear, AnyInstance(random), 0};
        if (random.Chance(1, 2)) {
          change.kind = Kind::kVanish;
          const std::vector<std::int32_t>& present = turn.Instances(domains_[i]);
          change.instance = present[static_cast<std::size_t>(random.Below(present.size()))];
        }
        turn.before.emplace_back(change);
      }
    }
  }

  const std::vector<Role>& roles() const { return roles_; }

 private:
  static std::int32_t AnyInstance(Random& random) {
    const auto place = static_cast<std::int32_t>(random.Below(kPool));
    return place < 24 ? place : place * 1'000'003;  // numbers need not be near each other
  }

  std::vector<std::size_t> domains_;
  std::vector<std::uint64_t> restless_;
  std::vector<Role> roles_;
};

// Times, marks and what is left out, by chance.
class ByChance : public Scenario {
 protected:
  // A value of what is read.
  virtual void Fill(Value& value, const Company::Role& role, Turn& turn, Random& random) = 0;
  virtual void AddMetrics(Stage& stage, Random& random) = 0;
  // What else is in the sample.
  virtual void Also(Turn&, Random&) {}

  void Join(Stage& stage) final {
    Random random = Random(stage.seed).Fork(stage.cluster);
    interval_ = random.Pick(kIntervals);
    // An archive that is to go beyond 2038 begins a few seconds before.
    if (stage.setup.start.seconds > 0x7fffff00) interval_ = 1000 * kMillisecond;
    stage.setup.interval = interval_;
    const std::int64_t tick = stage.setup.version == 2 ? 1000 : 1;
    if (random.Chance(2, 3))
      stage.setup.start = stage.setup.start + tick * random.Between(0, 999'999'999 / tick);
    stage.index.bytes_between = random.Pick(kIndexes);
    irregular_ = random.Below(3);
    marks_ = random.Below(4);
    company_.AddDomains(stage, random);
    AddMetrics(stage, random);
  }

  void Play(Turn& turn, Random& random) final {
    Wait(turn, random);
    if (turn.number % 2 == 0 && turn.number > 0 && random.Chance(marks_, 6)) {
      // Strictly between two samples (INT-704).
      turn.before.emplace_back(Mark{random.Chance(1, 3) ? std::min(kMillisecond, interval_ / 2)
                                                        : random.Between(1000, interval_ - 1000)});
    }
    company_.Move(turn, random);
    for (const Company::Role& role : company_.roles()) {
      if (!random.Chance(role.left_out, 20)) Read(turn, role, random);
    }
    Also(turn, random);
  }

 private:
  void Wait(Turn& turn, Random& random) const {
    if (irregular_ == 0) return;
    if (irregular_ == 1 && !random.Chance(1, 5)) return;
    turn.sample.after +=
        random.Chance(1, 2) ? interval_ * random.Between(0, 8) : random.Between(0, 8 * interval_);
  }

  void Read(Turn& turn, const Company::Role& role, Random& random) {
    Reading& reading = turn.Read(role.place);
    if (random.Chance(1, 10)) {
      reading.status = random.Pick(kErrors);
      return;
    }
    if (!role.domain) {
      Fill(Turn::AddTo(reading, 0, 0), role, turn, random);
      return;
    }
    // Also of some that have just come, which Instances() does not know yet.
    std::vector<std::int32_t> instances = turn.Instances(*role.domain);
    for (const Step& step : turn.before) {
      const auto* change = std::get_if<DomainChange>(&step);
      if (change != nullptr && change->domain == *role.domain)
        instances.push_back(change->instance);
    }
    for (const std::int32_t instance : instances) {
      if (!random.Chance(role.gaps, 20))
        Fill(Turn::AddTo(reading, instance, 0), role, turn, random);
    }
  }

 protected:
  Company company_;

 private:
  std::int64_t interval_ = 0;
  std::uint64_t irregular_ = 0;
  std::uint64_t marks_ = 0;  // of six places where one may stand
};

class Replay final : public ByChance {
  void AddMetrics(Stage& stage, Random& random) override {
    for (std::uint64_t i = 1 + random.Below(8); i > 0; --i) {
      const MetricType type = random.Chance(3, 4) ? random.Pick(kNumeric) : random.Pick(kOpaque);
      company_.AddMetric(stage, type, random.Pick(kSemantics), random);
    }
  }

  void Fill(Value& value, const Company::Role& role, Turn& turn, Random& random) override {
    const bool counts = role.semantics == Semantics::kCounter;
    // A counter that has come to its largest value stays there.
    value.number = counts && !random.Chance(1, 30) ? random.Below(1000) : AnyNumber(random);
    switch (role.type) {
      case MetricType::kFloat:
        if (!counts && random.Chance(3, 4))
          value.number = std::bit_cast<std::uint32_t>(static_cast<float>(random.Below(1000)) / 8);
        break;
      case MetricType::kDouble:
        if (!counts && random.Chance(3, 4))
          value.number = std::bit_cast<std::uint64_t>(static_cast<double>(random.Below(1000)) / 8);
        break;
      case MetricType::kString:
      case MetricType::kAggregate:
        value.text = "s" + std::to_string(turn.number) + std::string(random.Below(6), 'x');
        break;
      case MetricType::kEvent:
      case MetricType::kHighresEvent:
        for (std::uint64_t i = random.Below(3); i > 0; --i) {
          EventText event;
          event.flags = static_cast<std::uint32_t>(random.Below(8));
          if (random.Chance(1, 3)) event.missed = static_cast<std::uint32_t>(random.Between(1, 99));
          value.events.push_back(std::move(event));
        }
        break;
      case MetricType::kNoSupport:
      case MetricType::k32:
      case MetricType::kU32:
      case MetricType::k64:
      case MetricType::kU64:
      case MetricType::kAggregateStatic:
      case MetricType::kUnknown:
        break;
    }
  }
};

class ReplayFalls final : public ByChance {
  void AddMetrics(Stage& stage, Random& random) override {
    for (std::uint64_t i = 1 + random.Below(5); i > 0; --i)
      company_.AddMetric(stage, random.Pick(kNumeric), Semantics::kCounter, random);
    MetricSetup sure = stage.NewMetric("sure", MetricType::kU32, Semantics::kCounter);
    sure.first = 1000;
    sure_ = stage.Add(std::move(sure));
  }

  void Also(Turn& turn, Random& random) override {
    const bool falls = turn.phase() == 1 || turn.phase() == 5;
    Turn::AddTo(turn.Read(sure_), 0, random.Below(1000)).counting =
        falls ? Counting::kSet : Counting::kAdd;
  }

  void Fill(Value& value, const Company::Role&, Turn&, Random& random) override {
    constexpr std::array<Counting, 4> kCountings = {Counting::kAdd, Counting::kAdd, Counting::kWrap,
                                                    Counting::kSet};
    value.number = AnyNumber(random);
    value.counting = random.Pick(kCountings);
  }

  std::size_t sure_ = 0;  // falls whatever the others do
};

}  // namespace

void AddReplay(std::vector<ScenarioKind>* table) {
  table->push_back({"replay",
                    "by chance: metrics, times, marks, instances, index, what is left out",
                    {"ARC-500"_clause, "ARC-510"_clause},
                    {},
                    Make<Replay>,
                    0,
                    {},
                    1});
  table->push_back({"replay-falls",
                    "the same with counters that are reset and wrap",
                    {"ARC-500"_clause, "ARC-510"_clause},
                    {"ARC-1825"_clause},
                    Make<ReplayFalls>,
                    0,
                    {},
                    2});
}

}  // namespace pmproof::generators

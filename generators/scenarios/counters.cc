// SPDX-License-Identifier: Apache-2.0
// Counters that do what counters do not.

#include <string_view>
#include <utility>

#include "generators/scenarios/scenario.h"

namespace pmproof::generators {
namespace {

// Counters fall at such samples: no mark stands before them.
bool IsFall(const Turn& turn) { return turn.phase() == 1 || turn.phase() == 5; }

// A singular counter, and one of two instances.
class Counters : public Scenario {
 protected:
  Counters(MetricType type, std::uint64_t first) : type_(type), first_(first) {}

  void Join(Stage& stage) override {
    domain_ = stage.Add(stage.NewDomain("cpu", 2));
    MetricSetup one = stage.NewMetric("total", type_, Semantics::kCounter);
    one.first = first_;
    one.units.word = 0x00100000;
    one_ = stage.Add(one);
    MetricSetup each = stage.NewMetric("each", type_, Semantics::kCounter);
    each.first = first_;
    each.units.word = 0x00100000;
    each.domain = domain_;
    each_ = stage.Add(each);
  }

  void Read(Turn& turn, std::uint64_t number, Counting counting) const {
    Turn::AddTo(turn.Read(one_), 0, number).counting = counting;
    Reading& reading = turn.Read(each_);
    for (const std::int32_t instance : turn.Instances(domain_))
      Turn::AddTo(reading, instance, number + static_cast<std::uint64_t>(instance)).counting =
          counting;
  }

 private:
  MetricType type_;
  std::uint64_t first_;
  std::size_t domain_ = 0;
  std::size_t one_ = 0;
  std::size_t each_ = 0;
};

// Two of each dozen steps go beyond the largest value, the others stay well below it.
template <MetricType kType, std::uint64_t kLargest>
class Wraps final : public Counters {
 public:
  Wraps() : Counters(kType, kLargest / 2) {}

 private:
  void Play(Turn& turn, Random& random) override {
    if (IsFall(turn)) {
      const std::uint64_t rest = random.Below(kLargest / 4);
      Read(turn, kLargest - at_ + 1 + rest, Counting::kWrap);
      at_ = rest;
    } else {
      const std::uint64_t step = kLargest / 64 + random.Below(kLargest / 4096);
      Read(turn, step, Counting::kAdd);
      at_ += step;
    }
  }
  std::uint64_t at_ = kLargest / 2;  // of the singular one
};

class Resets final : public Counters {
 public:
  Resets() : Counters(MetricType::kU64, 1'000'000'000'000) {}

 private:
  void Play(Turn& turn, Random& random) override {
    if (IsFall(turn)) return Read(turn, 0, Counting::kSet);
    Read(turn, 1000 + random.Below(1000), Counting::kAdd);
  }
};

class Restarts final : public Counters {
 public:
  Restarts() : Counters(MetricType::kU32, 3'000'000'000) {}

 private:
  void Play(Turn& turn, Random& random) override {
    if (turn.phase() == 6) {
      turn.before.emplace_back(Mark{});
      return Read(turn, random.Below(10), Counting::kSet);
    }
    Read(turn, 1000 + random.Below(1000), Counting::kAdd);
  }
};

class Falls final : public Counters {
 public:
  Falls() : Counters(MetricType::kDouble, 1'000'000) {}

 private:
  void Play(Turn& turn, Random& random) override {
    if (!IsFall(turn)) {
      const std::uint64_t step = 1000 + random.Below(1000);
      at_ += step;
      return Read(turn, step, Counting::kAdd);
    }
    at_ -= 500;
    Read(turn, 1'000'000 + at_, Counting::kSet);
  }
  std::uint64_t at_ = 0;
};

}  // namespace

void AddCounters(std::vector<ScenarioKind>* table) {
  const auto add = [table](std::string_view name, std::string_view what,
                           std::vector<Clause> clauses, std::vector<Clause> rules,
                           std::unique_ptr<Scenario> (*make)()) {
    table->push_back({name, what, std::move(clauses), std::move(rules), make});
  };
  add("counter-wrap-32", "counters of 32 bits that begin anew from 0 beyond their largest value",
      {"ARC-011"_clause}, {"ARC-1825"_clause}, Make<Wraps<MetricType::kU32, 0xffffffff>>);
  add("counter-wrap-64", "counters of 64 bits that begin anew from 0 beyond their largest value",
      {"ARC-011"_clause}, {"ARC-1825"_clause}, Make<Wraps<MetricType::kU64, 0xffffffffffffffff>>);
  add("counter-reset", "counters that are 0 again, without a mark", {"ARC-510"_clause},
      {"ARC-1825"_clause}, Make<Resets>);
  add("counter-restart", "counters that are near 0 again, after a mark", {"ARC-510"_clause}, {},
      Make<Restarts>);
  add("counter-falls", "counters that lose a little", {"ARC-510"_clause}, {"ARC-1825"_clause},
      Make<Falls>);
}

}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
// Instance domains that change (sections 7.2 and 7.3).

#include <algorithm>
#include <string_view>
#include <utility>

#include "generators/scenarios/scenario.h"

namespace pmproof::generators {
namespace {

using Kind = DomainChange::Kind;

// A domain with one counter, all of whose instances are in each sample.
class Changing : public Scenario {
 protected:
  Changing(std::string_view stem, std::uint64_t count) : stem_(stem), count_(count) {}

  void Join(Stage& stage) override {
    domain_ = stage.Add(stage.NewDomain(stem_, count_));
    MetricSetup metric = stage.NewMetric("events", MetricType::kU32, Semantics::kCounter);
    metric.units.word = 0x00100000;
    metric.domain = domain_;
    metric_ = stage.Add(std::move(metric));
  }

  void Change(Turn& turn, Kind kind, std::int32_t instance, std::int32_t by = 0) const {
    turn.before.emplace_back(DomainChange{domain_, kind, instance, by});
  }

  // Changes of this turn are in force when it is composed: instances that appear are in `extra`.
  void Read(Turn& turn, Random& random, std::initializer_list<std::int32_t> extra = {}) const {
    turn.ReadAll(metric_, domain_, 100, random);
    Reading& reading = turn.Last();
    for (const std::int32_t instance : extra) Turn::AddTo(reading, instance, random.Below(100));
  }

  std::size_t domain() const { return domain_; }
  std::size_t metric() const { return metric_; }
  void SetCount(std::uint64_t count) { count_ = count; }

 private:
  std::string_view stem_;
  std::uint64_t count_;
  std::size_t domain_ = 0;
  std::size_t metric_ = 0;
};

class Appear final : public Changing {
 public:
  Appear() : Changing("disk", 2) {}

 private:
  void Play(Turn& turn, Random& random) override {
    // One at a time, up to a hundred.
    if (turn.phase() == 3 && next_ < 100) {
      Change(turn, Kind::kAppear, next_);
      Read(turn, random, {next_});
      ++next_;
    } else {
      Read(turn, random);
    }
  }
  std::int32_t next_ = 2;
};

class Vanish final : public Changing {
 public:
  Vanish() : Changing("if", 9) {}

 private:
  void Play(Turn& turn, Random& random) override {
    // The last one stays.
    if (turn.phase() == 5 && turn.Instances(domain()).size() > 1) {
      const std::vector<std::int32_t>& present = turn.Instances(domain());
      Change(turn, Kind::kVanish, random.Pick(present));
    }
    Read(turn, random);
  }
};

class Return final : public Changing {
 public:
  Return() : Changing("usb", 4) {}

 private:
  void Play(Turn& turn, Random& random) override {
    if (turn.phase() == 2 || turn.phase() == 8) {
      away_ = static_cast<std::int32_t>(random.Below(4));
      Change(turn, Kind::kVanish, away_);
    }
    if (turn.phase() == 5 || turn.phase() == 11) {
      Change(turn, Kind::kAppear, away_);
      return Read(turn, random, {away_});
    }
    Read(turn, random);
  }
  std::int32_t away_ = 0;
};

// Two identifiers take turns for one name.
class Rename final : public Changing {
 public:
  Rename() : Changing("container", 3) {}

 private:
  void Play(Turn& turn, Random& random) override {
    if (turn.phase() != 4 && turn.phase() != 10) return Read(turn, random);
    const std::int32_t old = other_ ? 1001 : 1;
    const std::int32_t now = other_ ? 1 : 1001;
    other_ = !other_;
    Change(turn, Kind::kReplace, old, now);
    Read(turn, random, {now});
  }
  bool other_ = false;
};

// Processes: an eighth of them is replaced before each sample. Identifiers begin anew after 32767.
class Churn final : public Changing {
 public:
  Churn() : Changing("process", 0) {}

 private:
  static constexpr std::uint64_t kIdentifiers = 32768;

  void Join(Stage& stage) override {
    count_ = std::clamp<std::uint64_t>(stage.extent.instances, 200, kIdentifiers / 2);
    SetCount(count_);
    Changing::Join(stage);
    next_ = count_;
  }
  void Play(Turn& turn, Random& random) override {
    const std::vector<std::int32_t>& present = turn.Instances(domain());
    // Every eighth, from a place of which each is as likely.
    const std::uint64_t from = random.Below(8);
    Reading& reading = turn.Read(metric());
    for (std::uint64_t i = 0; i < present.size(); ++i) {
      if (turn.number > 0 && i % 8 == from) {
        Change(turn, Kind::kVanish, present[i]);
      } else {
        Turn::AddTo(reading, present[i], random.Below(100));
      }
    }
    for (std::uint64_t i = from; i < present.size() && turn.number > 0; i += 8) {
      while (std::ranges::binary_search(present, static_cast<std::int32_t>(next_)))
        next_ = (next_ + 1) % kIdentifiers;
      Change(turn, Kind::kAppear, static_cast<std::int32_t>(next_));
      Turn::AddTo(reading, static_cast<std::int32_t>(next_), random.Below(100));
      next_ = (next_ + 1) % kIdentifiers;
    }
  }
  std::uint64_t count_ = 0;
  std::uint64_t next_ = 0;
};

// One appears or vanishes before each sample: all records but the first are deltas.
class Deltas final : public Changing {
 public:
  Deltas() : Changing("session", 8) {}

 private:
  void Play(Turn& turn, Random& random) override {
    if (turn.number == 0) return Read(turn, random);
    const auto instance = static_cast<std::int32_t>(8 + random.Below(8));
    const bool present = std::ranges::binary_search(turn.Instances(domain()), instance);
    Change(turn, present ? Kind::kVanish : Kind::kAppear, instance);
    Read(turn, random, {instance});
  }
};

// A wide domain of which each sample has a few values.
class Sparse final : public Scenario {
  void Join(Stage& stage) override {
    count_ = std::max<std::uint64_t>(4 * stage.extent.instances, 20);
    domain_ = stage.Add(stage.NewDomain("slot", count_));
    MetricSetup metric = stage.NewMetric("temperature", MetricType::k32, Semantics::kInstant);
    metric.domain = domain_;
    metric_ = stage.Add(std::move(metric));
  }
  void Play(Turn& turn, Random& random) override {
    Reading& reading = turn.Read(metric_);
    // Nothing at all now and then, but not at first.
    const std::uint64_t most = turn.phase() == 7 ? 0 : 4;
    for (std::uint64_t i = 0; i < most; ++i) {
      // Arguments are drawn in no order that is the same everywhere.
      const auto instance = static_cast<std::int32_t>(random.Below(count_));
      Turn::AddTo(reading, instance, random.Below(100));
    }
  }
  std::uint64_t count_ = 0;
  std::size_t domain_ = 0;
  std::size_t metric_ = 0;
};

}  // namespace

void AddDomains(std::vector<ScenarioKind>* table) {
  const auto add = [table](std::string_view name, std::string_view what,
                           std::vector<Clause> clauses, std::vector<Clause> rules,
                           std::unique_ptr<Scenario> (*make)(), int version = 0) {
    table->push_back({name, what, std::move(clauses), std::move(rules), make, version});
  };
  add("indom-appear", "instances that come up one by one", {"ARC-346"_clause, "ARC-622"_clause}, {},
      Make<Appear>);
  add("indom-vanish", "instances that go away one by one; the last one stays",
      {"ARC-345"_clause, "ARC-346"_clause}, {}, Make<Vanish>);
  add("indom-return", "instances that go away and come back with the same identifier",
      {"ARC-346"_clause}, {}, Make<Return>);
  add("indom-rename", "a name that goes over to another identifier, and back",
      {"ARC-346"_clause, "ARC-348"_clause}, {"ARC-1425"_clause}, Make<Rename>);
  add("indom-churn",
      "a large domain (--instances, at least 200), an eighth of which is new in each sample",
      {"ARC-346"_clause, "ARC-623"_clause}, {}, Make<Churn>);
  add("deltas", "a domain that changes by one instance before each sample, written as deltas",
      {"ARC-370"_clause, "ARC-372"_clause, "ARC-623"_clause}, {}, Make<Deltas>, 3);
  add("sparse-instances", "a wide domain of which each sample has few values, or none",
      {"ARC-202"_clause, "ARC-209"_clause}, {}, Make<Sparse>);
}

}  // namespace pmproof::generators

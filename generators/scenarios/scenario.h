// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_SCENARIOS_SCENARIO_H_
#define PMPROOF_GENERATORS_SCENARIOS_SCENARIO_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "generators/random.h"
#include "generators/story/composer.h"
#include "generators/story/story.h"
#include "reference/archive/index_builder.h"
#include "reference/core/clause.h"

// What generated archives are about, in scenarios that can be combined freely: each has metrics and
// instance domains of its own, and the samples at which something happens are shared out so that
// they do not meet (kPeriod).

namespace pmproof::generators {

// The agent of all generated metrics.
inline constexpr std::uint32_t kAgent = 29;

// What happens, happens at the same samples of each dozen: marks before even ones, counters fall at
// 1 and 5, time goes back after 10. Within the first dozen everything has happened.
inline constexpr std::uint64_t kPeriod = 12;

// How large the archive is to be.
struct Extent {
  std::uint64_t metrics = 10;
  std::uint64_t instances = 5;
};

// What scenarios set up before the story begins.
struct Stage {
  std::uint64_t seed = 1;  // of the recipe, for a setup that is by chance, too
  Setup setup;
  Extent extent;
  std::uint32_t cluster = 0;  // of the scenario whose turn it is; the serial of its first domain
  std::string name;           // of that scenario, as the first part of metric names
  std::uint64_t volumes = 1;
  std::uint64_t archives = 1;
  std::int64_t gap = 0;  // between these, in nanoseconds
  archive::IndexPolicy index;

  // A metric of the scenario: its item is the number of those before it. Not more than 1024.
  MetricSetup NewMetric(std::string_view last_name, MetricType type, Semantics semantics);
  // Gives the place in the setup.
  std::size_t Add(MetricSetup metric);
  // A domain with instances 0 .. count - 1. At most 16 of one scenario.
  DomainSetup NewDomain(std::string_view stem, std::uint64_t count);
  std::size_t Add(DomainSetup domain);

 private:
  std::uint32_t items_ = 0;
  std::uint32_t serials_ = 0;
  std::uint32_t counted_for_ = 0;
  void Count();
};

// The sample that is next.
class Turn {
 public:
  explicit Turn(const Composer& composer) : composer_(composer) {}

  std::uint64_t number = 0;  // in this archive, from 0
  std::vector<Step> before;
  Sample sample;

  std::uint64_t phase() const { return number % kPeriod; }
  const std::vector<std::int32_t>& Instances(std::size_t domain) const {
    return composer_.Instances(domain);
  }

  // A reading that is added to the sample; holds until the next one is.
  Reading& Read(std::size_t metric);
  Reading& Last() { return sample.readings[used_ - 1]; }
  // A value that is added to a reading.
  static Value& AddTo(Reading& reading, std::int32_t instance, std::uint64_t number);
  // The same for each instance in force, the number from Random::Below(bound).
  void ReadAll(std::size_t metric, std::size_t domain, std::uint64_t bound, Random& random);

  // For the next turn. Keeps memory.
  void Clear();
  // The sample has what was read, and no more.
  const Sample& Finished();

 private:
  const Composer& composer_;
  std::size_t used_ = 0;
};

// One of the things that an archive can be about. Of `random` each scenario has its own.
class Scenario {
 public:
  virtual ~Scenario() = default;

  // Adds members to the setup.
  virtual void Join(Stage& stage) { static_cast<void>(stage); }
  // Says what happens before a sample, and what is in it.
  virtual void Play(Turn& turn, Random& random) {
    static_cast<void>(turn);
    static_cast<void>(random);
  }
  // What happens after the last sample of an archive.
  virtual void End(std::vector<Step>& steps) { static_cast<void>(steps); }
};

// An entry in the table of scenarios.
struct ScenarioKind {
  std::string_view name;
  std::string_view what;        // one line for people
  std::vector<Clause> clauses;  // of what it shows
  std::vector<Clause> rules;    // that each archive breaks by it
  std::unique_ptr<Scenario> (*make)();
  int version = 0;                     // that it is for; 0: both
  std::vector<Clause> set_rules = {};  // that the archives break as a set
  std::uint64_t least = kPeriod;       // samples: in fewer not everything happens
  bool unreadable = false;             // no PCP opens such an archive, nor a set with it (ARC-2107)
};

template <typename Kind>
std::unique_ptr<Scenario> Make() {
  return std::make_unique<Kind>();
}

// All of them, "plain" first, which is always there.
std::vector<ScenarioKind> AllScenarios();

// The parts of that table.
void AddPlain(std::vector<ScenarioKind>* table);
void AddMarks(std::vector<ScenarioKind>* table);
void AddCounters(std::vector<ScenarioKind>* table);
void AddDomains(std::vector<ScenarioKind>* table);
void AddMetrics(std::vector<ScenarioKind>* table);
void AddValues(std::vector<ScenarioKind>* table);
void AddMetadata(std::vector<ScenarioKind>* table);
void AddTimes(std::vector<ScenarioKind>* table);
void AddFiles(std::vector<ScenarioKind>* table);
void AddReplay(std::vector<ScenarioKind>* table);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_SCENARIOS_SCENARIO_H_

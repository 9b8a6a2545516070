// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_STORY_SETUP_H_
#define PMPROOF_GENERATORS_STORY_SETUP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/metric.h"
#include "reference/core/timestamp.h"
#include "reference/core/units.h"

// Who is in a story (story.h). All are values.

namespace pmproof::generators {

// A label (ARC-391): `value` is JSON, in which `#` stands for the number of what is labelled (the
// instance, the item, ...). A name "outer.inner" is that of a nested label.
struct LabelText {
  std::string name;
  std::string value;
  bool optional = false;

  friend bool operator==(const LabelText&, const LabelText&) = default;
};

// An instance domain. The instance n is called `stem` + n. A stem has neither blanks nor control
// characters (ARC-1410, ARC-1429). Texts that are empty are not written.
struct DomainSetup {
  std::uint32_t agent = 29;  // number of the agent's domain
  std::uint32_t serial = 1;
  std::string stem = "i";
  std::vector<std::int32_t> instances = {0};  // at the beginning
  std::string one_line;
  std::string help;
  std::vector<LabelText> labels;
  std::vector<LabelText> instance_labels;  // of each instance

  friend bool operator==(const DomainSetup&, const DomainSetup&) = default;
};

struct MetricSetup {
  std::uint32_t agent = 29;
  std::uint32_t cluster = 0;
  std::uint32_t item = 1;
  std::string name = "m";
  std::vector<std::string> aliases;
  MetricType type = MetricType::kU32;
  Semantics semantics = Semantics::kInstant;
  Units units;
  std::optional<std::size_t> domain;  // place in Setup::domains, whose agent is that of the metric
  std::string one_line;
  std::string help;
  std::vector<LabelText> labels;
  std::uint64_t first = 0;  // of a counter: from where it counts
  bool parameter = false;   // of events: never sampled itself (ARC-278)
  // May be sampled without ever having a value, which is counted (ARC-1833). Else what comes before
  // its first value is left out.
  bool valueless = false;

  friend bool operator==(const MetricSetup&, const MetricSetup&) = default;
};

struct Setup {
  int version = 3;
  std::int32_t pid = 4711;  // of the logger
  std::string host = "acme.example.com";
  std::string timezone = "UTC";
  std::string zoneinfo = ":UTC";  // version 3
  Timestamp start{1700000000, 0};
  // Shortest time between samples, in nanoseconds (a multiple of 1000 in version 2).
  std::int64_t interval = 1'000'000'000;
  bool logger = true;  // a prologue and an epilogue are written (ARC-590)
  std::vector<DomainSetup> domains;
  std::vector<MetricSetup> metrics;
  std::vector<LabelText> context_labels;  // beside the host name, which is always there
  std::vector<LabelText> agent_labels;    // of each agent's domain
  std::vector<LabelText> cluster_labels;  // of each cluster

  friend bool operator==(const Setup&, const Setup&) = default;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_STORY_SETUP_H_

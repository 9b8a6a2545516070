// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_AGENT_AGENT_MODEL_H_
#define PMPROOF_GENERATORS_AGENT_AGENT_MODEL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/core/metric.h"
#include "reference/pmda/names/name_tree.h"

// What an agent has, as plain data: made by chance (random_agent.h), made simpler
// (simpler_agent.h), and turned into an agent that runs (model_agent.h). Values.

namespace pmproof::generators {

struct HelpTexts {
  std::string one_line{};  // both empty: no entry
  std::string full{};

  friend bool operator==(const HelpTexts&, const HelpTexts&) = default;
};

// At which turns of its domain an instance is there.
enum class Turns : std::uint8_t { kAll, kEven, kOdd };

struct InstanceModel {
  std::int32_t number = 0;
  std::string name{};
  std::string labels{};  // a JSON object; empty: none. So everywhere here
  Turns turns = Turns::kAll;

  friend bool operator==(const InstanceModel&, const InstanceModel&) = default;
};

struct IndomModel {
  std::uint32_t serial = 0;
  std::vector<InstanceModel> instances{};
  HelpTexts help{};
  std::string labels{};
  bool filled_by_fetch = false;   // it is empty before the first FETCH (PMD-221)
  bool turns_by_request = false;  // INSTANCE_REQ, too, begins a turn, not only FETCH

  bool changes() const;  // it does not always have all instances

  friend bool operator==(const IndomModel&, const IndomModel&) = default;
};

struct MetricModel {
  std::string name{};  // in full, below the name of the agent
  std::uint32_t cluster = 0;
  std::uint32_t item = 0;
  MetricType type = MetricType::k32;
  std::optional<std::uint32_t> indom{};  // serial; nothing: singular
  Semantics semantics = Semantics::kInstant;
  Units units{};
  bool writable = false;
  bool dynamic = false;                    // the agent itself supplies the name
  ErrorCode unavailable = ErrorCode::kOk;  // else what each value is
  std::uint32_t seed = 0;                  // of its values
  HelpTexts help{};
  std::string labels{};

  bool has_value() const { return type != MetricType::kNoSupport && unavailable == ErrorCode::kOk; }
  Pmid pmid(std::uint32_t domain) const { return Pmid::Of(domain, cluster, item); }

  friend bool operator==(const MetricModel&, const MetricModel&) = default;
};

// When the agent can serve, without a clock: it is ready as soon as nothing else is to be done.
enum class Readiness : std::uint8_t {
  kAtOnce,
  kAnnounced,    // for an entry with `notready`: it says so after CREDS (PMD-049)
  kAfterAsking,  // the first request comes too early (PMD-101)
};

struct ClusterLabels {
  std::uint32_t cluster = 0;
  std::string labels{};

  friend bool operator==(const ClusterLabels&, const ClusterLabels&) = default;
};

struct AgentModel {
  std::string name{};  // a word
  std::uint32_t domain = 1;
  std::uint16_t features = 0;  // of its CREDS
  Readiness readiness = Readiness::kAtOnce;
  bool labelled = true;  // false: as an agent of an interface below 7 (PMD-093)
  std::string labels{};  // of the domain; empty: {"agent":"<name>"}
  std::vector<ClusterLabels> clusters{};
  std::vector<IndomModel> indoms{};
  std::vector<MetricModel> metrics{};
  std::uint64_t seed = 0;  // of all that an agent or a fault of it does by chance

  const IndomModel* FindIndom(std::uint32_t serial) const;
  const MetricModel* FindMetric(Pmid pmid) const;

  friend bool operator==(const AgentModel&, const AgentModel&) = default;
};

// Below this name an agent supplies its names itself: "quartz.live".
std::string DynamicRootOf(const AgentModel& model);

// What a collector's PMNS file has for the agent: names with their PMIDs, and d:*:* where the agent
// supplies them.
pmda::NameTree NamesOf(const AgentModel& model);

// For people: a line for each thing.
std::string ToText(const AgentModel& model);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_AGENT_MODEL_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/core/metric.h"
#include "reference/core/status.h"
#include "reference/pmda/names/help_table.h"
#include "reference/pmda/names/name_tree.h"
#include "reference/pmda/pdu/result_pdus.h"
#include "reference/pmda/pdu/session_pdus.h"
#include "reference/pmda/runtime/instance_domain.h"
#include "reference/pmda/runtime/label_table.h"
#include "reference/pmda/runtime/sample.h"
#include "reference/pmda/transport/deadline.h"

namespace pmproof::pmda {

// What an agent has, and what it does when it is asked: everything but the protocol, which
// AgentResponder speaks for it. What an agent does not set behaves as PCP's library does (chapter
// 12). Domain numbers are put into identifiers when they are sent, so -d may come late (PMD-005).
//
//   Agent agent({.name = "clock", .domain = 400});
//   agent.AddMetric({.type = MetricType::kU64}, [](std::int32_t) { return Value::Of(...); });
class Agent {
 public:
  struct Identity {
    std::string name{};
    std::uint32_t domain = 0;    // 0..510 (PDU-032)
    std::uint16_t features = 0;  // what CREDS asks for: kFeatureAuth, kFeatureContainer (PDU-130)
    bool labels = true;          // false: as an agent of an interface below 7 (PMD-093)
  };
  explicit Agent(Identity identity);
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  const Identity& identity() const { return identity_; }
  std::uint32_t domain() const { return identity_.domain; }
  void set_domain(std::uint32_t domain) { identity_.domain = domain; }

  // --- Tables. What makes no sense is not taken, and fault() says the first such thing.

  struct Metric {
    std::uint32_t cluster = 0;
    std::uint32_t item = 0;
    MetricType type = MetricType::k32;     // kNoSupport: PMD-084, PMD-086
    std::optional<std::uint32_t> indom{};  // serial of a domain added before; nothing: singular
    Semantics semantics = Semantics::kInstant;
    Units units{};
  };
  void AddMetric(const Metric& metric, Sampler sampler);

  // The instance domain of that serial number; it lives as long as the agent and may change at any
  // time (before_fetch, before_instances).
  InstanceDomain& AddIndom(std::uint32_t serial);

  // Texts are found under the agent's own domain, whatever the table has, unless `as_written`, as
  // with PCP's library and a compiled file (PMD-315).
  void SetHelp(HelpTable help, bool as_written = false);

  // Names that the agent supplies itself, "dynamic" to the collector (PMD-096..099). PMIDs are
  // written with the domain 0. Without any name the agent is one without dynamic names (PMD-100).
  NameTree& names() { return names_; }
  const NameTree& names() const { return names_; }

  // Labels of the agent, of its instance domains, clusters, metrics, instances (PMD-091). An agent
  // that does not set its own has {"agent":"<name>"} (DSO-059).
  void SetLabels(const LabelTarget& target, std::string_view json);

  const std::optional<Status>& fault() const { return fault_; }

  // --- What happens on requests. Results other than kOk are the answer, as an ERROR.

  struct Hooks {
    std::function<ErrorCode()> before_fetch{};           // each well-formed FETCH, before any value
    std::function<ErrorCode(Indom)> before_instances{};  // each well-formed INSTANCE_REQ
    // The sets that have values; views that hold during the call. Nothing: PM_ERR_PERMISSION for
    // every metric (DSO-056).
    std::function<ErrorCode(pdu::List<pdu::ValueSet>)> store{};
    std::function<void()> before_names{};                               // each PMNS request
    std::function<void(std::int32_t client)> end_of_client{};           // PMD-021
    std::function<void(pdu::Attribute, std::string_view)> attribute{};  // of client() (PMD-027)
  };
  Hooks& hooks() { return hooks_; }
  const Hooks& hooks() const { return hooks_; }

  // While a callback runs: whose request it is (PDU-008). For state kept by client; answers must
  // not depend on it (PMD-064).
  std::int32_t client() const { return client_; }

  // --- What the collector is told unasked.

  // Until then requests are answered PM_ERR_PMDANOTREADY, once, and then PM_ERR_PMDAREADY is said
  // (PMD-048, PMD-101). Deadline::Passed(): ready.
  void SetNotReadyUntil(Deadline deadline) { ready_at_ = deadline; }
  // For an entry with the keyword `notready` (PMD-049): READY is said once the connection is set up
  // and the agent is ready, before anything is answered.
  void set_announces_ready(bool announces) { announces_ready_ = announces; }

  // Bits for the next fetch's reply (PDU-111): kLabelsChanged, kNamesChanged.
  void AnnounceChange(std::int32_t bits) { changes_ |= bits; }

  // --- For who answers requests (AgentResponder).

  struct MetricEntry {
    Descriptor descriptor{};
    const InstanceDomain* indom = nullptr;
    Sampler sampler{};
  };
  const MetricEntry* FindMetric(Pmid pmid) const;  // the descriptor's domain is 0
  Descriptor Describe(const MetricEntry& metric) const;
  const InstanceDomain* FindIndom(Indom indom) const;
  tl::expected<std::string_view, ErrorCode> FindHelp(HelpId id, std::uint32_t request) const;
  const LabelTable& labels() const { return labels_; }
  Deadline ready_at() const { return ready_at_; }
  bool announces_ready() const { return announces_ready_; }
  void set_client(std::int32_t client) { client_ = client; }
  std::int32_t TakeChanges() { return std::exchange(changes_, 0); }

 private:
  void Fault(Clause clause, std::string message);
  void Enter(const MetricEntry* metric);

  Identity identity_;
  std::unordered_map<Pmid, MetricEntry> metrics_;  // with domain 0
  // Those, by where their PMID has its place: looked at for each metric of each fetch. Its size is
  // a power of two, and at least half of it is free.
  std::vector<const MetricEntry*> places_;
  std::map<std::uint32_t, std::unique_ptr<InstanceDomain>> indoms_;
  HelpTable help_;
  bool help_as_written_ = false;
  NameTree names_;
  LabelTable labels_;
  Hooks hooks_;
  std::optional<Status> fault_;
  std::int32_t client_ = 0;
  Deadline ready_at_ = Deadline::Passed();
  bool announces_ready_ = false;
  std::int32_t changes_ = 0;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_AGENT_REPORT_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_AGENT_REPORT_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/clause.h"
#include "validator/catalogue/check_catalogue.h"
#include "validator/check/report/report.h"
#include "validator/protocol_check/exchange_log.h"
#include "validator/protocol_check/verdict.h"

// The outcome of `agent check`, and of `collector check`, as values; the renderers turn it into
// text, JSON, JUnit or HTML.

namespace pmproof::validator::agent {

struct CheckOutcome {
  Clause id{};
  Verdict verdict{};
  bool left_out = false;   // by the user (--check)
  std::string declared{};  // of a failure that was expected: why. Else empty
  // Of a failure with offences that were expected, and others, which come before them: how many,
  // and why.
  std::uint64_t expected = 0;
  std::string expected_because{};
  std::vector<ExchangeLine> exchange{};  // what passed; bounded
  std::vector<AgentOutput> said{};       // what the last of its agents said besides; bounded
  // Of a failure, where that was asked for: all that passed.
  std::optional<Recording> recording{};
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  std::chrono::milliseconds took{0};

  // It failed, and nobody expected that.
  bool failed() const { return verdict.outcome == Outcome::kFail && declared.empty(); }
};

// A collector that was checked.
struct CollectorFacts {
  std::string address{};                 // "unix /run/pcp/pmcd.socket"
  std::optional<std::string> version{};  // that it has, as far as it is known
  std::string version_from{};            // "pmcd.version", "--collector-version", "nothing"
  bool agents = false;                   // it has agents that do what they are told
};

struct AgentReport {
  // Set where it was not an agent but a collector that was checked: what follows up to `names_from`
  // is empty then.
  std::optional<CollectorFacts> collector{};
  // The folder of an agent whose files were checked (`agent files`); empty: it was the agent.
  std::string files{};
  std::vector<std::string> command{};     // empty: no agent was started
  std::string transport{};                // "pipe", "unix", "inet", "ipv6", "dso"; "" of none
  std::optional<std::uint32_t> domain{};  // as far as it is known
  std::uint64_t metrics = 0;              // known of it
  std::uint64_t indoms = 0;
  std::uint64_t instances = 0;
  std::string names_from{};  // "--pmns", "PMNS_TRAVERSE", "a scan of PMIDs", "nothing"
  std::vector<std::string> remarks{};
  // Why there was nothing more to check than the start: the agent could not be started, does not
  // get through the handshake, or ends after it whatever it is asked (exit status 3).
  std::optional<std::string> failure{};
  std::vector<CheckOutcome> checks{};  // every check of the catalogue, in order:
  // those of agents, of their files, or of collectors
  std::vector<std::string> list_faults{};  // why a list of expected failures is not true
  std::chrono::milliseconds took{0};
};

struct Tally {
  std::uint64_t passed = 0;
  std::uint64_t not_checked = 0;
  std::uint64_t declared = 0;  // failed as expected
  Counts failed{};             // else, by severity

  std::uint64_t failures() const {
    return failed.fatal + failed.error + failed.warning + failed.info;
  }
};
Tally TallyOf(const AgentReport& report, const CheckCatalogue& catalogue);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_AGENT_REPORT_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_COLLECTOR_UNDER_TEST_H_
#define PMPROOF_VALIDATOR_COLLECTOR_COLLECTOR_UNDER_TEST_H_

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "reference/core/status.h"
#include "reference/pmda/transport/deadline.h"
#include "reference/pmda/transport/transport.h"
#include "validator/collector/collector_version.h"
#include "validator/collector/stub_agents.h"

namespace pmproof::validator::collector {

// The collector's time limits, and how long it is waited for. A value.
struct Limits {
  using Duration = std::chrono::milliseconds;

  Duration reply{5000};      // its time limit for a PDU of a client or an agent (PDU-012, PMD-041)
  Duration lateness{5000};   // how much later than that it may act
  Duration patience{30000};  // for an answer, a closed connection, an agent
};

// A collector to be checked, and what there is to check it with.
struct CollectorUnderTest {
  // Connects as one more client.
  using Door = std::function<Result<std::unique_ptr<pmda::Transport>>()>;

  Door door{};
  bool by_unix_socket = false;  // the collector sees who its clients are (PMD-027)

  // Collectors of the same program with other access rules (CKC-063); empty if there are none.
  Door denied{};     // all is denied
  Door limited{};    // few connections
  Door read_only{};  // stores are denied

  StubAgents* stubs = nullptr;       // null: no stub agents, CKC-045..065 are not checked
  std::optional<Version> version{};  // nothing: not known
  Limits limits{};
  std::function<pmda::Deadline::Clock::time_point()> now = pmda::Deadline::Clock::now;
};

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_COLLECTOR_UNDER_TEST_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_RUN_H_
#define PMPROOF_VALIDATOR_AGENT_RUN_H_

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/agent/check.h"
#include "validator/agent/knowledge.h"
#include "validator/agent/subject.h"
#include "validator/catalogue/check_catalogue.h"
#include "validator/protocol_check/agent_report.h"

namespace pmproof::validator::agent {

struct RunOptions {
  unsigned jobs = 1;  // checks at once, each with agents of its own; a socket takes one at a time
  bool slow = false;  // also the checks that wait long by their nature
  // Empty: all. Checks of `removed` are not made.
  std::vector<Clause> added{};
  std::vector<Clause> removed{};
  // All that passes in a check that fails is kept (CheckOutcome::recording).
  bool record = false;
  // Where to put what became known of the agent; null: nowhere.
  Knowledge* knowledge = nullptr;
  // Of the whole run: what is not made when it is used up is not made at all. Nothing: none.
  std::optional<std::chrono::milliseconds> budget{};
  // Told before the first check and after each: how many are done, of how many. May be called from
  // several threads, one at a time.
  std::function<void(std::size_t done, std::size_t all)> progress{};
  // True: no other check is begun; the report is of no use then.
  std::function<bool()> stop{};
};

// Gets to know the agent, makes the checks, and says of every one of the catalogue what came of it.
AgentReport CheckAgent(const Subject& subject, const Discovery& discovery,
                       std::span<const Check> checks, const CheckCatalogue& catalogue,
                       const RunOptions& options);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_RUN_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_FILES_RUN_H_
#define PMPROOF_VALIDATOR_AGENT_FILES_RUN_H_

#include <functional>
#include <optional>

#include "validator/agent_files/check.h"
#include "validator/catalogue/check_catalogue.h"
#include "validator/protocol_check/agent_report.h"

namespace pmproof::validator::agent_files {

struct RunOptions {
  std::function<bool(Clause)> selects{};  // nothing: all
  // True: no other check is begun; the report is of no use then.
  std::function<bool()> stop{};
  // After each check: how many are done, of how many.
  std::function<void(std::size_t done, std::size_t all)> progress{};
};

// All there are, in the order of their identifiers.
std::vector<Check> AllChecks();

// Makes the checks, and says of every one of section 16.7 what came of it. `subject`: the agent to
// start beside its files; nothing: none.
agent::AgentReport CheckFiles(const Question& question,
                              const std::optional<agent::Subject>& subject,
                              const CheckCatalogue& catalogue, const RunOptions& options);

}  // namespace pmproof::validator::agent_files

#endif  // PMPROOF_VALIDATOR_AGENT_FILES_RUN_H_

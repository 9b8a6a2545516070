// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_MAIN_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_MAIN_H_

#include <functional>

#include "reference/core/status.h"
#include "reference/pmda/runtime/agent.h"
#include "reference/pmda/runtime/agent_options.h"
#include "reference/pmda/runtime/serve.h"

namespace pmproof::pmda {

// Applies the options to the agent and the process (log, user, help, domain), connects (PMD-001 to
// PMD-003) and serves until the collector has gone. Changes this process: its standard streams, its
// user. Where the system chose the port of -i 0, it is said on standard error. Errors: a fault of
// the agent's tables, files and addresses that cannot be had.
Result<Served> RunAgent(Agent& agent, const AgentOptions& options);

// The main() of an agent: what is wrong goes to standard error. Returns the exit status: 0 after
// serving, however that ended (PMD-062, PMD-063), else 1.
int AgentMain(Agent& agent, int argc, char** argv);

// The same where `run` makes the agent and calls RunAgent.
int AgentMain(int argc, char** argv,
              const std::function<Result<Served>(const AgentOptions& options)>& run);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_MAIN_H_

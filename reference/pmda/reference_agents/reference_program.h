// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_REFERENCE_PROGRAM_H_
#define PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_REFERENCE_PROGRAM_H_

#include <string>
#include <string_view>

#include "reference/core/status.h"
#include "reference/pmda/runtime/agent_main.h"

// The reference agents as programs of this process: with its clock, its CPU time and its files.

namespace pmproof::pmda {

// Where simple looks for simple.conf (13.2): below PCP_PMDAS_DIR, of the environment or else of
// PCP's configuration (the file that PCP_CONF names, or /etc/pcp.conf), or else below
// /var/lib/pcp/pmdas.
std::string SimpleConfigurationPath();

// Serves `agent`, "trivial" or "simple", until the collector has gone. `configuration` is simple's;
// empty: SimpleConfigurationPath(). Errors: those of RunAgent, and kUsage for another agent.
Result<Served> RunReferenceAgent(std::string_view agent, const AgentOptions& options,
                                 const std::string& configuration);

// The main() of pmdatrivial and pmdasimple.
int ReferenceAgentMain(std::string_view agent, int argc, char** argv);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_REFERENCE_PROGRAM_H_

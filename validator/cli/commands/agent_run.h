#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_RUN_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_RUN_H_

#include "validator/cli/commands/agent_run_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

ExitStatus RunAgentScript(const AgentRunArguments& arguments, const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_RUN_H_

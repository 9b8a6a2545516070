#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_HOST_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_HOST_H_

#include "validator/cli/commands/agent_host_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

// Takes the standard streams of this process.
ExitStatus RunAgentHost(const AgentHostArguments& arguments, const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_HOST_H_

#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_SERVE_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_SERVE_H_

#include "validator/cli/commands/agent_serve_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

// Takes the standard streams of this process, unless a file is printed.
ExitStatus RunAgentServe(const AgentServeArguments& arguments, const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_SERVE_H_

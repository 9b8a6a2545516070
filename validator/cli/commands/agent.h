#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_H_

#include "validator/cli/commands/agent_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

// `common` is for subcommands that have reports.
ExitStatus RunAgentCommand(const AgentArguments& arguments, const CommonArguments& common,
                           const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_H_

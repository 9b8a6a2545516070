#ifndef PMPROOF_VALIDATOR_AGENT_GROUP_COMMANDS_H_
#define PMPROOF_VALIDATOR_AGENT_GROUP_COMMANDS_H_

#include "validator/agent_group/arguments.h"
#include "validator/commands.h"

namespace pmproof::validator {

// `common` is for subcommands that have reports.
ExitStatus RunAgentCommand(const AgentArguments& arguments, const CommonArguments& common,
                           const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_AGENT_GROUP_COMMANDS_H_

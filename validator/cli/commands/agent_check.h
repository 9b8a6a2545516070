#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_CHECK_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_CHECK_H_

#include "validator/cli/commands/agent_check_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

ExitStatus RunAgentCheck(const AgentCheckArguments& arguments, const CommonArguments& common,
                         const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_CHECK_H_

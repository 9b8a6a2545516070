#ifndef PMPROOF_VALIDATOR_AGENT_COMMANDS_H_
#define PMPROOF_VALIDATOR_AGENT_COMMANDS_H_

#include "validator/agent/arguments.h"
#include "validator/commands.h"

namespace pmproof::validator {

ExitStatus RunAgentCheck(const AgentCheckArguments& arguments, const CommonArguments& common,
                         const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_AGENT_COMMANDS_H_

#ifndef PMPROOF_VALIDATOR_AGENT_HOST_COMMANDS_H_
#define PMPROOF_VALIDATOR_AGENT_HOST_COMMANDS_H_

#include "validator/agent/host/arguments.h"
#include "validator/commands.h"

namespace pmproof::validator {

// Takes the standard streams of this process.
ExitStatus RunAgentHost(const AgentHostArguments& arguments, const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_AGENT_HOST_COMMANDS_H_

#ifndef PMPROOF_VALIDATOR_AGENT_SERVE_COMMANDS_H_
#define PMPROOF_VALIDATOR_AGENT_SERVE_COMMANDS_H_

#include "validator/agent_serve/arguments.h"
#include "validator/commands.h"

namespace pmproof::validator {

// Takes the standard streams of this process, unless a file is printed.
ExitStatus RunAgentServe(const AgentServeArguments& arguments, const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_AGENT_SERVE_COMMANDS_H_

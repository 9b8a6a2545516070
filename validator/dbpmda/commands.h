#ifndef PMPROOF_VALIDATOR_DBPMDA_COMMANDS_H_
#define PMPROOF_VALIDATOR_DBPMDA_COMMANDS_H_

#include "validator/dbpmda/arguments.h"
#include "validator/commands.h"

namespace pmproof::validator {

ExitStatus RunAgentScript(const AgentRunArguments& arguments, const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DBPMDA_COMMANDS_H_

#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_H_

#include "validator/cli/command_line.h"
#include "validator/cli/commands/rules_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

ExitStatus RunRules(const RulesArguments& arguments, const CommonArguments& common,
                    const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_H_

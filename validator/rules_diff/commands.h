#ifndef PMPROOF_VALIDATOR_RULES_DIFF_COMMANDS_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_COMMANDS_H_

#include "validator/command_line.h"
#include "validator/commands.h"
#include "validator/rules_diff/arguments.h"

namespace pmproof::validator {

ExitStatus RunRules(const RulesArguments& arguments, const CommonArguments& common,
                    const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_COMMANDS_H_

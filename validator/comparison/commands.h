#ifndef PMPROOF_VALIDATOR_COMPARISON_COMMANDS_H_
#define PMPROOF_VALIDATOR_COMPARISON_COMMANDS_H_

#include "validator/command_line.h"
#include "validator/commands.h"
#include "validator/comparison/arguments.h"

namespace pmproof::validator {

ExitStatus RunRules(const RulesArguments& arguments, const CommonArguments& common,
                    const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_COMPARISON_COMMANDS_H_

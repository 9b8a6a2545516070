#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_COMPARE_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_COMPARE_H_

#include "validator/cli/commands/compare_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

ExitStatus RunCompare(const CompareArguments& arguments, const CommonArguments& common,
                      const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_COMPARE_H_

#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_UNITS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_UNITS_H_

#include "validator/cli/commands/units_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

ExitStatus RunUnits(const UnitsArguments& arguments, const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_UNITS_H_

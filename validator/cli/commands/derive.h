#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_DERIVE_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_DERIVE_H_

#include "validator/cli/commands/derive_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

ExitStatus RunDerive(const DeriveArguments& arguments, const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_DERIVE_H_

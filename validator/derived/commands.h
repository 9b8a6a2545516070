#ifndef PMPROOF_VALIDATOR_DERIVED_COMMANDS_H_
#define PMPROOF_VALIDATOR_DERIVED_COMMANDS_H_

#include "validator/commands.h"
#include "validator/derived/arguments.h"

namespace pmproof::validator {

ExitStatus RunDerive(const DeriveArguments& arguments, const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DERIVED_COMMANDS_H_

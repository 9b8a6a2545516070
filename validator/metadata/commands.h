#ifndef PMPROOF_VALIDATOR_METADATA_COMMANDS_H_
#define PMPROOF_VALIDATOR_METADATA_COMMANDS_H_

#include "validator/commands.h"
#include "validator/metadata/arguments.h"

namespace pmproof::validator {

ExitStatus RunUnits(const UnitsArguments& arguments, const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_METADATA_COMMANDS_H_

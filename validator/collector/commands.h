#ifndef PMPROOF_VALIDATOR_COLLECTOR_COMMANDS_H_
#define PMPROOF_VALIDATOR_COLLECTOR_COMMANDS_H_

#include "validator/collector/arguments.h"
#include "validator/commands.h"

namespace pmproof::validator {

ExitStatus RunCollectorCommand(const CollectorArguments& arguments, const CommonArguments& common,
                               const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_COLLECTOR_COMMANDS_H_

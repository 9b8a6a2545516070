#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_COLLECTOR_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_COLLECTOR_H_

#include "validator/cli/commands/collector_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

ExitStatus RunCollectorCommand(const CollectorArguments& arguments, const CommonArguments& common,
                               const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_COLLECTOR_H_

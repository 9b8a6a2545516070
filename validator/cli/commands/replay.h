#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_REPLAY_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_REPLAY_H_

#include "validator/cli/command_line.h"
#include "validator/cli/commands/replay_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

ExitStatus RunReplay(const ReplayArguments& arguments, const CommonArguments& common,
                     const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_REPLAY_H_

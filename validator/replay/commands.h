#ifndef PMPROOF_VALIDATOR_REPLAY_COMMANDS_H_
#define PMPROOF_VALIDATOR_REPLAY_COMMANDS_H_

#include "validator/command_line.h"
#include "validator/commands.h"
#include "validator/replay/arguments.h"

namespace pmproof::validator {

ExitStatus RunReplay(const ReplayArguments& arguments, const CommonArguments& common,
                     const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_COMMANDS_H_

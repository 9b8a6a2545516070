#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_SYNTHESIS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_SYNTHESIS_H_

#include "validator/cli/command_line.h"
#include "validator/cli/commands/synthesis_arguments.h"
#include "validator/cli/environment.h"

// The commands that make archives.

namespace pmproof::validator {

ExitStatus RunGenerate(const GenerateArguments& arguments, const CommonArguments& common,
                       const Environment& environment);
ExitStatus RunEnumerate(const EnumerateArguments& arguments, const CommonArguments& common,
                        const Environment& environment);
ExitStatus RunMutate(const MutateArguments& arguments, const CommonArguments& common,
                     const Environment& environment);
ExitStatus RunShrink(const ShrinkArguments& arguments, const CommonArguments& common,
                     const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_SYNTHESIS_H_

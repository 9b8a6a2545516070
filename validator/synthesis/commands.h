#ifndef PMPROOF_VALIDATOR_SYNTHESIS_COMMANDS_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_COMMANDS_H_

#include "validator/command_line.h"
#include "validator/commands.h"
#include "validator/synthesis/arguments.h"

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

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_COMMANDS_H_

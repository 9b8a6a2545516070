#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_COMMANDS_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_COMMANDS_H_

#include "validator/commands.h"
#include "validator/tool_output/compare/arguments.h"

namespace pmproof::validator {

ExitStatus RunCompare(const CompareArguments& arguments, const CommonArguments& common,
                      const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_COMMANDS_H_

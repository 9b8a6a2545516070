#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_TESTEE_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_TESTEE_H_

#include <istream>

#include "validator/cli/commands/testee_arguments.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

ExitStatus RunTestee(const TesteeArguments& arguments, const Environment& environment,
                     std::istream& in);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_TESTEE_H_

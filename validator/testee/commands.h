#ifndef PMPROOF_VALIDATOR_TESTEE_COMMANDS_H_
#define PMPROOF_VALIDATOR_TESTEE_COMMANDS_H_

#include <istream>

#include "validator/commands.h"
#include "validator/testee/arguments.h"

namespace pmproof::validator {

ExitStatus RunTestee(const TesteeArguments& arguments, const Environment& environment,
                     std::istream& in);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_COMMANDS_H_

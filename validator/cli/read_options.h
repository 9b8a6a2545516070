// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_READ_OPTIONS_H_
#define PMPROOF_VALIDATOR_CLI_READ_OPTIONS_H_

#include <string>
#include <vector>

#include "validator/cli/options.h"

namespace pmproof::validator {

// Reads the words after the name of a command: stores the values of the options that `declared`
// names and gives the operands in their order. Returns what is wrong, or "". `help` is set where
// -h or --help is among the words.
std::string ReadOptions(const std::vector<std::string>& words,
                        const std::vector<const Option*>& declared, bool* help);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_READ_OPTIONS_H_

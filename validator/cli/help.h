// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_HELP_H_
#define PMPROOF_VALIDATOR_CLI_HELP_H_

#include <string>
#include <string_view>

#include "validator/cli/command.h"

// The pages of --help, at most 100 columns wide.

namespace pmproof::validator {

std::string ProgramHelp(const CommandTable& table, const Options& common);
std::string GroupHelp(const CommandTable& table, const CommandGroup& group);
std::string CommandHelp(const CommandEntry& entry, const Options& options);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_HELP_H_

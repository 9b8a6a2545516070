// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_HELP_JSON_H_
#define PMPROOF_VALIDATOR_CLI_HELP_JSON_H_

#include <string>

#include "validator/cli/command.h"

// The table of commands for programs: manual pages and completions are made from it.

namespace pmproof::validator {

// Returns a document of validator/schema/commands.schema.json. `common`: the options that all
// commands take.
std::string HelpJson(const CommandTable& table, const Options& common);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_HELP_JSON_H_

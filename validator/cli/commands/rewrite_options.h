#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_REWRITE_OPTIONS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_REWRITE_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "validator/cli/command_line.h"

namespace pmproof::validator {

// Adds the command `rewrite`, whose arguments are read into `arguments`. `describe` makes the
// description of an option for --help, `hint` ends the page.
void AddRewrite(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
                RewriteArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_REWRITE_OPTIONS_H_

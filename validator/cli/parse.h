// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_PARSE_H_
#define PMPROOF_VALIDATOR_CLI_PARSE_H_

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "validator/cli/command.h"
#include "validator/cli/read_options.h"

namespace pmproof::validator {

// A command with its values, ready to run.
struct CommandLine {
  CommonArguments common;
  std::unique_ptr<Command> command;
  std::vector<std::string> settings;  // as OptionsRead has them
};

// Why there is nothing to run: help or the version was asked for (`text` goes to standard output,
// status 0), or the usage is wrong (`text` goes to standard error, status 2).
struct NothingToRun {
  ExitStatus status = ExitStatus::kUsage;
  std::string text;
};

// `arguments` without the program's name. `settings` is not asked after --no-config,
// and may be empty.
tl::expected<CommandLine, NothingToRun> ParseCommandLine(const std::vector<std::string>& arguments,
                                                         const CommandTable& table,
                                                         const Catalogue& catalogue,
                                                         const SettingsSource& settings);

// The options that every command takes.
void DeclareCommon(Options& options, CommonArguments* common);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_PARSE_H_

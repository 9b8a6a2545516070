#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_DERIVE_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_DERIVE_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

// The arguments of `derive`, and how they are read.

namespace pmproof::validator {

struct DeriveArguments {
  std::vector<std::string> definitions;     // "NAME = EXPR"
  std::vector<std::string> configurations;  // of derived metrics: files and directories (DER-301)
  std::vector<std::string> archives;        // none: only what needs no metric is bound
  std::string dialect = "7.2.2";
  bool json = false;
};

// `describe` makes the description of an option for --help, `hint` ends the page.
void AddDerive(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
               DeriveArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_DERIVE_ARGUMENTS_H_

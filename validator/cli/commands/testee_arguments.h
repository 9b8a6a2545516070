#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_TESTEE_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_TESTEE_ARGUMENTS_H_

#include <CLI/CLI.hpp>

// The arguments of `testee`, and how they are read.

namespace pmproof::validator {

struct TesteeArguments {
  bool print_schema = false;
};

// `describe` makes the description of an option for --help, `hint` ends the page.
void AddTestee(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
               TesteeArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_TESTEE_ARGUMENTS_H_

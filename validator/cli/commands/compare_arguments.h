#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_COMPARE_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_COMPARE_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The arguments of `compare`, and how they are read.

namespace pmproof::validator {

struct CompareArguments {
  std::string actual;
  std::optional<std::string> expected;
  std::string tool;
  double tolerance = 0;
  std::vector<std::string> metrics;
  std::vector<std::string> counters;
  std::optional<std::string> start;
  std::optional<std::uint64_t> width;
  std::vector<std::string> columns;
  bool instances = false;
  bool parse = false;  // show what the output says, compare nothing
  bool json = false;
  std::uint64_t max_findings = 20;
  std::uint64_t memory = std::uint64_t{1} << 30;
  std::optional<std::string> schema;  // "report" or "output": print it
};

// `describe` makes the description of an option for --help, `hint` ends the page.
void AddCompare(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
                CompareArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_COMPARE_ARGUMENTS_H_

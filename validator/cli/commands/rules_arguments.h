#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The arguments of `rules list` and `rules diff`, and how they are read.

namespace pmproof::validator {

enum class ComparisonFormat : std::uint8_t { kText, kJson, kHtml };

struct RulesListArguments {
  bool json = false;
};

struct RulesDiffArguments {
  std::vector<std::string> archives;
  std::string baseline;
  std::string candidate;
  std::vector<std::string> metrics;
  std::optional<std::string> start;
  std::optional<std::string> finish;
  std::optional<std::string> interval;
  bool counter_wrap = false;  // PCP_COUNTER_WRAP (INT-802)
  ComparisonFormat format = ComparisonFormat::kText;
  std::optional<std::string> output;
  bool force = false;
  std::size_t examples = 10;
  std::size_t most = 12;
  std::uint64_t memory = std::uint64_t{512} << 20;
  std::uint64_t limit = 10'000'000;  // more times of an archive are refused
  bool print_schema = false;
};

struct RulesArguments {
  RulesListArguments list;
  RulesDiffArguments diff;
  bool lists = false;  // which of the two
};

// `describe` makes the description of an option for --help, `hint` ends the page.
void AddRules(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
              RulesArguments* arguments);

// What is missing in the arguments of `rules diff`; empty if nothing is.
std::string MissingArgument(const RulesDiffArguments& arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_ARGUMENTS_H_

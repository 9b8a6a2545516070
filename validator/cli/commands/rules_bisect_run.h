// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_BISECT_RUN_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_BISECT_RUN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/cli/environment.h"
#include "validator/cli/memory_option.h"
#include "validator/cli/output_options.h"

namespace pmproof::validator {

// What `rules bisect` is asked for, as it was typed.
struct RulesBisectArguments {
  std::string implementation;
  std::vector<std::string> archives;  // none: generated ones
  std::optional<std::string> name;
  std::vector<std::string> metrics;
  std::uint64_t questions = 200;
  double budget = 20;    // seconds, of shrinking
  double patience = 60;  // seconds
  std::string witnesses;
  std::string scratch;
  OutputOptions outputs{{"text", "json"}};
  MemoryOption memory;
  bool print_schema = false;
};

ExitStatus RunRulesBisect(const RulesBisectArguments& arguments, const CommonArguments& common,
                          const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_BISECT_RUN_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_DIFF_RUN_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_DIFF_RUN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/pcp_version.h"
#include "validator/cli/environment.h"
#include "validator/cli/memory_option.h"
#include "validator/cli/output_options.h"

namespace pmproof::validator {

// What `rules diff` is asked for, as it was typed.
struct RulesDiffArguments {
  std::vector<std::string> archives;
  std::string baseline;
  std::string candidate;
  std::optional<std::string> baseline_name;
  std::optional<std::string> candidate_name;
  double patience = 60;  // seconds
  std::vector<std::string> metrics;
  std::optional<std::string> start;
  std::optional<std::string> finish;
  std::optional<std::string> interval;
  bool counter_wrap = false;  // PCP_COUNTER_WRAP (INT-802)
  std::optional<PcpVersion> explain;
  OutputOptions outputs{{"text", "json", "html"}};
  std::size_t examples = 10;
  std::size_t most = 12;
  MemoryOption memory;
  std::uint64_t limit = 10'000'000;  // more times of an archive are refused
  bool print_schema = false;
};

ExitStatus RunRulesDiff(const RulesDiffArguments& arguments, const CommonArguments& common,
                        const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_DIFF_RUN_H_

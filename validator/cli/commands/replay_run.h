// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_REPLAY_RUN_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_REPLAY_RUN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/pcp_version.h"
#include "validator/cli/dialect_choice.h"
#include "validator/cli/environment.h"
#include "validator/cli/memory_option.h"
#include "validator/text/csv.h"

namespace pmproof::validator {

enum class ReplayFormat : std::uint8_t { kText, kCsv, kJsonLines };

// What `replay` is asked for, as it was typed.
struct ReplayArguments {
  std::vector<std::string> archives;
  std::vector<std::string> metrics;
  std::vector<std::string> instances;
  std::vector<std::string> derive;                  // "NAME = EXPR"
  std::vector<std::string> derived_configurations;  // files and directories (DER-301)
  const derived::Dialect* dialect = nullptr;        // null: that of the version emulated, or 7.2.2
  std::optional<std::string> start;
  std::optional<std::string> finish;
  std::optional<std::string> interval;
  std::vector<std::string> at;  // instead of the three above
  bool backward = false;
  bool raw = false;  // records as they are (DER-1106)
  std::string rule = "pcp-6.3.2";
  std::optional<PcpVersion> emulate;  // instead of the rule
  bool counter_wrap = false;          // PCP_COUNTER_WRAP (INT-802)
  bool reason = false;
  bool assume_sound = false;  // INT-311
  ReplayFormat format = ReplayFormat::kText;
  Formulas formulas = Formulas::kQuote;
  MemoryOption memory;
  std::uint64_t limit = 10'000'000;  // a run of more times is refused
};

// Writes the answers to standard output, and what is wrong to standard error.
ExitStatus RunReplay(const ReplayArguments& arguments, const CommonArguments& common,
                     const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_REPLAY_RUN_H_

#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_REPLAY_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_REPLAY_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/pcp_version.h"

// The arguments of `replay`, and how they are read.

namespace pmproof::validator {

enum class ReplayFormat : std::uint8_t { kText, kCsv, kJsonLines };

struct ReplayArguments {
  std::vector<std::string> archives;
  std::vector<std::string> metrics;
  std::vector<std::string> instances;
  std::vector<std::string> derive;                  // "NAME = EXPR"
  std::vector<std::string> derived_configurations;  // files and directories (DER-301)
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
  ReplayFormat format = ReplayFormat::kText;
  std::uint64_t memory = std::uint64_t{512} << 20;
  std::uint64_t limit = 10'000'000;  // a run of more times is refused
};

// `describe` makes the description of an option for --help, `hint` ends the page.
void AddReplay(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
               ReplayArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_REPLAY_ARGUMENTS_H_

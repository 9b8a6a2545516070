#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_CHECK_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_CHECK_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validator/protocol_check/report_arguments.h"

// The arguments of `agent check`, and how they are read.

namespace pmproof::validator {

struct AgentCheckArguments : ReportArguments {
  std::vector<std::string> command;
  std::optional<std::string> dso;  // FILE[:INIT]: instead of a command
  bool pipe = false;
  std::optional<std::string> unix_path;
  std::optional<std::uint16_t> inet_port;
  std::optional<std::uint16_t> ipv6_port;
  std::optional<std::uint32_t> domain;
  std::optional<std::string> pmns;
  std::vector<std::string> roots;
  std::vector<std::string> stores;
  std::vector<std::string> timeouts;  // "10", "creds=10"
  bool notready = false;
  bool slow = false;
};

// `describe` makes the description of an option for --help, `hint` ends the page.
void AddAgentCheck(CLI::App& agent, std::string (*describe)(const char* text), const char* hint,
                   AgentCheckArguments* arguments);

// What is missing in the arguments or contradicts itself; empty if nothing does.
std::string MissingArgument(const AgentCheckArguments& arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_CHECK_ARGUMENTS_H_

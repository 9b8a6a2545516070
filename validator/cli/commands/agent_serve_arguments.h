#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_SERVE_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_SERVE_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

// The arguments of `agent serve`, and how they are read.

namespace pmproof::validator {

struct AgentServeArguments {
  std::string agent;  // "trivial", "simple"
  std::optional<std::uint32_t> domain;
  bool pipe = false;  // the default, said
  std::optional<std::string> unix_path;
  std::optional<std::uint16_t> inet_port;
  std::optional<std::uint16_t> ipv6_port;
  std::string configuration;  // simple.conf; empty: where PCP has it
  std::string help_text;      // base name of compiled help; empty: its own texts
  std::string log;
  std::string user;
  std::string print;  // the file of the agent's folder to print, instead of serving
};

// Below the command `agent`. `describe` makes the description of an option for --help, `hint` ends
// the page.
void AddAgentServe(CLI::App& agent, std::string (*describe)(const char* text), const char* hint,
                   AgentServeArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_SERVE_ARGUMENTS_H_

#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_HOST_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_HOST_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

// The arguments of `agent host`, which `agent check --dso` and `agent run` start.

namespace pmproof::validator {

struct AgentHostArguments {
  std::string library;  // FILE[:INIT]
  std::uint32_t domain = 0;
  std::string report;
};

// `describe` makes the description of an option for --help, `hint` ends the page.
void AddAgentHost(CLI::App& agent, std::string (*describe)(const char* text), const char* hint,
                  AgentHostArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_HOST_ARGUMENTS_H_

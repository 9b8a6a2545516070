#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_RUN_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_RUN_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

// The arguments of `agent run`.

namespace pmproof::validator {

struct AgentRunArguments {
  std::string script;  // "-": standard input
  std::vector<std::string> command;
  std::optional<std::string> names;
  double greeting = 3;  // seconds
  double answer = 10;   // seconds
  bool echo = false;
};

// `describe` makes the description of an option for --help, `hint` ends the page.
void AddAgentRun(CLI::App& agent, std::string (*describe)(const char* text), const char* hint,
                 AgentRunArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_RUN_ARGUMENTS_H_

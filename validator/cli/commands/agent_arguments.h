#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "validator/cli/commands/agent_check_arguments.h"
#include "validator/cli/commands/agent_host_arguments.h"
#include "validator/cli/commands/agent_run_arguments.h"
#include "validator/cli/commands/agent_serve_arguments.h"

// The command `agent`. Each of its subcommands has a folder of its own, and here a member, in
// command_line_agent.cc a line that reads it, in command_agent.cc a line that runs it.

namespace pmproof::validator {

struct AgentArguments {
  std::string chosen;  // the subcommand
  AgentCheckArguments check;
  AgentServeArguments serve;
  AgentRunArguments run;
  AgentHostArguments host;
};

// `describe` makes the description of an option for --help, `hint` ends the page.
void AddAgent(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
              AgentArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_ARGUMENTS_H_

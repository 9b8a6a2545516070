#include "validator/cli/commands/agent_arguments.h"

namespace pmproof::validator {

void AddAgent(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
              AgentArguments* arguments) {
  CLI::App* agent = app.add_subcommand("agent", "Agents (PMDAs)")->group("Commands");
  AddAgentCheck(*agent, describe, hint, &arguments->check);
  AddAgentServe(*agent, describe, hint, &arguments->serve);
  AddAgentRun(*agent, describe, hint, &arguments->run);
  AddAgentHost(*agent, describe, hint, &arguments->host);

  for (CLI::App* command : agent->get_subcommands(nullptr)) {
    command->callback([arguments, command] { arguments->chosen = command->get_name(); });
  }
  agent->require_subcommand(1);
  agent->footer(hint);
}

}  // namespace pmproof::validator

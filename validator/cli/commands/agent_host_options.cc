#include "validator/cli/commands/agent_host_arguments.h"

namespace pmproof::validator {

void AddAgentHost(CLI::App& agent, std::string (*describe)(const char* text), const char* hint,
                  AgentHostArguments* arguments) {
  CLI::App* host = agent.add_subcommand(
      "host", "Serves a shared-object agent on standard input and output, as a daemon would");
  host->add_option("LIBRARY", arguments->library,
                   describe("The shared object, and the function that initialises it (default: "
                            "of pmda_NAME.so NAME_init)"))
      ->required()
      ->type_name("FILE[:INIT]");
  host->add_option("-d,--domain", arguments->domain,
                   describe("The agent's domain number; of several the last counts, so that "
                            "words may follow as with any agent (PMD-005)"))
      ->take_last()
      ->check(CLI::Range(0, 510).description(""))
      ->capture_default_str()
      ->type_name("N");
  host->add_option("--report", arguments->report,
                   describe("Append what is learned of the agent to FILE, as lines of JSON "
                            "(default: text on standard error)"))
      ->type_name("FILE");
  host->footer(std::string("The agent's code runs in this process, and may end it.\n"
                           "Exit status: 0 the collector closed the channel; 3 the agent can not "
                           "be loaded, or\nrefuses to start.\n") +
               hint);
}

}  // namespace pmproof::validator

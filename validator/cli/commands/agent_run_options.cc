#include "validator/cli/commands/agent_run_arguments.h"

namespace pmproof::validator {

void AddAgentRun(CLI::App& agent, std::string (*describe)(const char* text), const char* hint,
                 AgentRunArguments* arguments) {
  CLI::App* run = agent.add_subcommand("run", "Replay a script in dbpmda's command language");
  run->add_option("SCRIPT", arguments->script, describe("The script; - for standard input"))
      ->required()
      ->type_name("SCRIPT");
  run->add_option("COMMAND", arguments->command,
                  describe("The agent, as by `open pipe COMMAND` before the script"))
      ->type_name("COMMAND...");
  run->add_option("-n,--namespace", arguments->names,
                  describe("Names of metrics, as PMNS source (default: none)"))
      ->type_name("FILE");
  run->add_flag("-e,--echo-input", arguments->echo, describe("Print the script as it is read"));
  run->add_option("-q,--creds-timeout", arguments->greeting,
                  describe("How long an agent may take to greet (default: 3)"))
      ->check(CLI::Range(0.001, 86400.0).description(""))
      ->type_name("SECONDS");
  run->add_option("--timeout", arguments->answer,
                  describe("How long an agent may take to answer (default: 10)"))
      ->check(CLI::Range(0.001, 86400.0).description(""))
      ->type_name("SECONDS");
  run->footer(
      std::string(
          "Standard output is what dbpmda prints for the same script, but for addresses, which "
          "are 0x0,\nprocess numbers, and the explanations of `help`; its troubles are on standard "
          "error, behind\nSCRIPT:LINE.\n"
          "Exit status: 0 done, whatever the agent answered; 2 the script has errors; 3 an agent "
          "could\nnot be started, did not answer, or broke the protocol; 4 the script can not be "
          "read.\n") +
      hint);
}

}  // namespace pmproof::validator

#include <vector>

#include "validator/cli/commands/agent_serve_arguments.h"

namespace pmproof::validator {
namespace {

constexpr char kFooter[] =
    "Without --unix, --inet or --ipv6 the collector is at standard input and output, as with "
    "PCP's\n"
    "`pipe` agents. Of a socket one connection is taken; with it ends the agent.\n"
    "A line for pmcd.conf:  simple 253 pipe binary /usr/bin/pmproof agent serve simple\n"
    "Exit status: 0 the collector has gone, or a file was printed; 2 wrong usage; 4 a file, a user "
    "or an\n"
    "address can not be had.\n";

}  // namespace

void AddAgentServe(CLI::App& agent, std::string (*describe)(const char* text), const char* hint,
                   AgentServeArguments* arguments) {
  CLI::App* serve = agent.add_subcommand("serve", "Be a reference agent: trivial or simple");
  serve->add_option("AGENT", arguments->agent, describe("trivial or simple"))
      ->check(CLI::IsMember(std::vector<std::string>{"trivial", "simple"}).description(""))
      ->type_name("")
      ->required();
  serve
      ->add_option("-d,--domain", arguments->domain,
                   describe("Domain number (default: trivial 250, simple 253)"))
      ->check(CLI::Range(0U, 510U).description(""))
      ->type_name("N");
  CLI::Option* pipe =
      serve->add_flag("--pipe", arguments->pipe, describe("Standard input and output (default)"));
  CLI::Option* unix_path =
      serve->add_option("--unix", arguments->unix_path, describe("Listen on a unix socket"))
          ->type_name("PATH");
  CLI::Option* inet = serve
                          ->add_option("--inet", arguments->inet_port,
                                       describe("Listen on the IPv4 loopback address; 0: any free "
                                                "port, told on standard error"))
                          ->type_name("PORT");
  CLI::Option* ipv6 = serve
                          ->add_option("--ipv6", arguments->ipv6_port,
                                       describe("The same on the IPv6 loopback address"))
                          ->type_name("PORT");
  const std::vector<CLI::Option*> channels = {pipe, unix_path, inet, ipv6};
  for (CLI::Option* one : channels) {
    for (CLI::Option* other : channels) {
      if (one != other) one->excludes(other);
    }
  }
  serve
      ->add_option("--configuration", arguments->configuration,
                   describe("simple's simple.conf (default: simple/simple.conf below PCP_PMDAS_DIR "
                            "of the environment, of /etc/pcp.conf, or /var/lib/pcp/pmdas)"))
      ->type_name("FILE");
  serve
      ->add_option("--help-text", arguments->help_text,
                   describe("Compiled help text BASE.dir and BASE.pag, instead of its own"))
      ->type_name("BASE");
  serve
      ->add_option("--log", arguments->log,
                   describe("What standard error is written to (it is made anew)"))
      ->type_name("FILE");
  serve->add_option("--user", arguments->user, describe("Run as this user"))->type_name("NAME");
  serve
      ->add_option(
          "--print", arguments->print,
          describe("Print a file of the agent's folder and end: domain.h, pmns, root, help "
                   "or simple.conf"))
      ->type_name("FILE");
  serve->footer(std::string(kFooter) + hint);
}

}  // namespace pmproof::validator

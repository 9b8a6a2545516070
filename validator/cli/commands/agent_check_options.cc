#include "validator/cli/commands/agent_check_arguments.h"

namespace pmproof::validator {
namespace {

constexpr char kFooter[] =
    "COMMAND is started as pmcd does it, once for nearly every check; nothing that it starts is\n"
    "left behind. Its metrics are found by --pmns, else by PMNS_TRAVERSE and by asking for one\n"
    "PMID after the other. Nothing is stored into a known metric without --store.\n"
    "Exit status: 0 conformant, or all of a selection (--check) passed; 1 a check as grave as\n"
    "--fail-on failed; 2 wrong usage, or nothing was checked; 3 the agent can not be started, "
    "does\n"
    "not get through the handshake, or ends behind it; 6 undetermined: no metric was found, or a\n"
    "required check could not be made.\n";

void AddTransport(CLI::App& check, std::string (*describe)(const char* text),
                  AgentCheckArguments* arguments) {
  check
      .add_option("--dso", arguments->dso,
                  describe("The agent is a shared object, loaded by a process of its own; INIT "
                           "initialises it (default: of pmda_NAME.so NAME_init); no COMMAND"))
      ->type_name("FILE[:INIT]");
  check.add_flag("--pipe", arguments->pipe,
                 describe("The agent talks over standard input and output (default)"));
  check
      .add_option("--unix", arguments->unix_path,
                  describe("COMMAND makes it listen on this unix socket"))
      ->type_name("PATH");
  check
      .add_option("--inet", arguments->inet_port,
                  describe("COMMAND makes it listen on this port of the loopback address"))
      ->check(CLI::Range(1, 65535).description(""))
      ->type_name("PORT");
  check.add_option("--ipv6", arguments->ipv6_port, describe("The same, IPv6"))
      ->check(CLI::Range(1, 65535).description(""))
      ->type_name("PORT");
}

void AddWhat(CLI::App& check, std::string (*describe)(const char* text),
             AgentCheckArguments* arguments) {
  check
      .add_option("--domain", arguments->domain,
                  describe("The agent's domain number (default: that of its metrics)"))
      ->check(CLI::Range(0, 510).description(""))
      ->type_name("N");
  check
      .add_option("--pmns", arguments->pmns,
                  describe("The agent's name space, as PMNS source (a file named pmns or root)"))
      ->type_name("FILE");
  check
      .add_option("--root", arguments->roots,
                  describe("Ask the agent for its names below this one (default: names taken from "
                           "COMMAND); may be repeated"))
      ->type_name("NAME")
      ->allow_extra_args(false);
  check
      .add_option("--store", arguments->stores,
                  describe("Values may be stored into this metric (a name, a PMID, or all); checks "
                           "of stores are not made on others; may be repeated"))
      ->type_name("METRIC")
      ->allow_extra_args(false);
  AddCheckSelection(check, describe, arguments);
  check.add_flag("--notready", arguments->notready,
                 describe("Its entry in pmcd.conf has `notready`: it says when it is ready"));
  check.add_flag("--slow", arguments->slow,
                 describe("Also the checks that wait long by their nature (half a minute)"));
  check
      .add_option(
          "--timeout", arguments->timeouts,
          describe("How long the agent may take to answer (default: 5), or, as NAME=SECONDS,"
                   " creds=3 from its start, end=2 to end; how long it is listened to: "
                   "quiet=0.5, silent=0.2; how long pmproof waits: late=20, counter=0.2; "
                   "may be repeated"))
      ->type_name("[NAME=]SECONDS")
      ->allow_extra_args(false);
}

}  // namespace

void AddAgentCheck(CLI::App& agent, std::string (*describe)(const char* text), const char* hint,
                   AgentCheckArguments* arguments) {
  CLI::App* check = agent.add_subcommand(
      "check", "Act as the collector, and make the conformance checks on any agent");
  check
      ->add_option("COMMAND", arguments->command,
                   describe("Starts the agent; behind --, found by PATH, no shell"))
      ->type_name("");
  AddTransport(*check, describe, arguments);
  AddWhat(*check, describe, arguments);
  AddReportOutput(*check, describe, arguments);
  check->footer(std::string(kFooter) + hint);
}

std::string MissingArgument(const AgentCheckArguments& arguments) {
  if (arguments.print_schema) return "";
  if (arguments.dso && !arguments.command.empty()) {
    return "--dso takes no COMMAND: the agent is loaded by pmproof";
  }
  if (!arguments.dso && arguments.command.empty()) {
    return "no COMMAND given, which stands behind --";
  }
  const int transports =
      int{arguments.dso.has_value()} + int{arguments.pipe} + int{arguments.unix_path.has_value()} +
      int{arguments.inet_port.has_value()} + int{arguments.ipv6_port.has_value()};
  if (transports > 1) return "only one of --dso, --pipe, --unix, --inet and --ipv6 can be given";
  return WrongOutputs(arguments);
}

}  // namespace pmproof::validator

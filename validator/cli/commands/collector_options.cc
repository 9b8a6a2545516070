#include "validator/cli/commands/collector_arguments.h"
#include "validator/collector/cast.h"

namespace pmproof::validator {
namespace {

constexpr char kCheckFooter[] =
    "Without --unix, --port and --setup the collector is at port 44321 of this machine. It is\n"
    "expected to have the agents pmcd, sample, trivial and simple, and no agent of domain 99; the\n"
    "value of simple.numfetch is changed. The checks of what a collector does with agents that\n"
    "misbehave need such agents: see pmproof collector config --help.\n"
    "Exit status: 0 conformant, or all of a selection (--check) passed; 1 a check as grave as\n"
    "--fail-on failed; 2 wrong usage, or nothing was checked; 3 the collector can not be reached, "
    "or\ndoes not let clients in; 6 undetermined: a required check could not be made.\n";

constexpr char kConfigFooter[] =
    "Writes into DIR, which is made, or is empty: checks.conf, denied.conf, limited.conf,\n"
    "read_only.conf (each a pmcd.conf) and pmns; and prints the four lines that start the\n"
    "collectors, each in the foreground, for a shell. When they run:\n"
    "  pmproof collector check --setup DIR\n"
    "The agents of checks.conf that misbehave are dropped by the collector in the course of the\n"
    "checks: start it afresh for the next run.\n";

void AddCheck(CLI::App& group, std::string (*describe)(const char* text), const char* hint,
              CollectorArguments* arguments) {
  CLI::App* check = group.add_subcommand(
      "check", "Act as its client, and make the conformance checks of a collector");
  check
      ->add_option("--host", arguments->host,
                   describe("Where the collector is (default: the loopback address)"))
      ->type_name("HOST");
  check->add_option("--port", arguments->port, describe("Its port (default: 44321)"))
      ->check(CLI::Range(1, 65535).description(""))
      ->type_name("N");
  check->add_option("--unix", arguments->unix_path, describe("Its unix socket"))
      ->type_name("PATH")
      ->excludes("--host")
      ->excludes("--port");
  check
      ->add_option("--setup", arguments->setup,
                   describe("The folder that pmproof collector config has made, and from which "
                            "the collector was started: all checks are made, by its unix socket "
                            "unless --port is given"))
      ->type_name("DIR")
      ->excludes("--unix");
  check
      ->add_option("--collector-version", arguments->version,
                   describe("The version of PCP whose behaviour is due (default: what the metric "
                            "pmcd.version says, else that of any)"))
      ->type_name("VERSION");
  AddCheckSelection(*check, describe, arguments);
  check
      ->add_option(
          "--timeout", arguments->timeouts,
          describe("NAME=SECONDS: reply=5, the collector's time limit for clients and agents "
                   "(pmcd -t); lateness=5, how much later it may act; patience=30, how long "
                   "anything is waited for; may be repeated"))
      ->type_name("NAME=SECONDS")
      ->allow_extra_args(false);
  AddReportOutput(*check, describe, arguments);
  check->footer(std::string(kCheckFooter) + hint);
}

void AddConfig(CLI::App& group, std::string (*describe)(const char* text),
               CollectorArguments* arguments) {
  CLI::App* config = group.add_subcommand(
      "config", "Write what a collector is started with so that all checks can be made");
  config
      ->add_option("DIR", arguments->folder, describe("A folder that does not exist, or is empty"))
      ->type_name("")
      ->required();
  config
      ->add_option("--pmcd", arguments->pmcd,
                   describe("The collector (default: /usr/lib/pcp/bin/pmcd)"))
      ->type_name("FILE");
  config
      ->add_option("--pmdas", arguments->pmdas,
                   describe("Where its agents pmcd and sample are (default: /usr/lib/pcp/pmdas)"))
      ->type_name("DIR");
  config
      ->add_option("--pmproof", arguments->pmproof,
                   describe("The program that the collector starts for its other agents "
                            "(default: this one)"))
      ->type_name("FILE");
  config
      ->add_option("--user", arguments->user,
                   describe("Whom the collector and sample run as (default: their own, pcp)"))
      ->type_name("NAME");
  config
      ->add_option("--simple", arguments->simple,
                   describe("A word of the command that is the agent simple; may be repeated "
                            "(default: pmproof agent serve simple)"))
      ->type_name("WORD")
      ->allow_extra_args(false);
  config
      ->add_option("--trivial", arguments->trivial,
                   describe("The same for trivial (default: pmproof agent serve trivial)"))
      ->type_name("WORD")
      ->allow_extra_args(false);
  config->footer(kConfigFooter);
}

void AddPuppet(CLI::App& group, std::string (*describe)(const char* text),
               CollectorArguments* arguments) {
  CLI::App* agent = group.add_subcommand(
      "agent", "What a collector starts (see config): an agent that collector check directs");
  std::vector<std::string> roles;
  for (const collector::Role& role : collector::kRoles) roles.emplace_back(role.name);
  agent->add_option("--role", arguments->role, describe("Which of them it is"))
      ->check(CLI::IsMember(roles).description(""))
      ->type_name("NAME")
      ->required();
  agent
      ->add_option("--control", arguments->control,
                   describe("The unix socket where collector check listens"))
      ->type_name("PATH")
      ->required();
}

}  // namespace

void AddCollector(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
                  CollectorArguments* arguments) {
  CLI::App* group = app.add_subcommand("collector", "Collectors (pmcd)")->group("Commands");
  AddCheck(*group, describe, hint, arguments);
  AddConfig(*group, describe, arguments);
  AddPuppet(*group, describe, arguments);
  for (CLI::App* command : group->get_subcommands(nullptr)) {
    command->callback([arguments, command] { arguments->chosen = command->get_name(); });
  }
  group->require_subcommand(1);
  group->footer(hint);
}

}  // namespace pmproof::validator

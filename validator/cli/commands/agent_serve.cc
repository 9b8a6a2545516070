// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/reference_agents/agent_files.h"
#include "reference/pmda/reference_agents/reference_program.h"
#include "validator/cli/command_table.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

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
  std::string debug;
  std::string print;  // the file of the agent's folder to print, instead of serving
};

ExitStatus Print(const AgentServeArguments& arguments, const Environment& environment) {
  if (const auto text = pmda::AgentFile(arguments.agent, arguments.print)) {
    environment.out << *text;
    return ExitStatus::kOk;
  }
  environment.err << "pmproof: " << arguments.agent << " has no file "
                  << Displayable(arguments.print) << "; it has:";
  for (const std::string_view file : pmda::AgentFileNames(arguments.agent)) {
    environment.err << ' ' << file;
  }
  environment.err << '\n';
  return ExitStatus::kUsage;
}

ExitStatus RunAgentServe(const AgentServeArguments& arguments, const Environment& environment) {
  if (!arguments.print.empty()) return Print(arguments, environment);
  pmda::AgentOptions options;
  options.domain = arguments.domain;
  options.log = arguments.log;
  options.help = arguments.help_text;
  options.user = arguments.user;
  options.debug = arguments.debug;
  if (arguments.unix_path) options.listen = pmda::Address::Unix(*arguments.unix_path);
  if (arguments.inet_port) options.listen = pmda::Address::Inet(*arguments.inet_port);
  if (arguments.ipv6_port) options.listen = pmda::Address::Inet6(*arguments.ipv6_port);
  const auto served = pmda::RunReferenceAgent(arguments.agent, options, arguments.configuration);
  if (served) return ExitStatus::kOk;
  environment.err << "pmproof: " << Displayable(served.error().ToText()) << '\n';
  return served.error().kind == Status::Kind::kUsage ? ExitStatus::kUsage : ExitStatus::kUnreadable;
}

class AgentServeCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand("AGENT", "Which", &arguments_.agent).Required().choices = {"trivial", "simple"};
    options.Number("-d,--domain", "N", "Domain number", 0, 510, &arguments_.domain)
        .Default("trivial 250, simple 253");
    options.Flag("-p,--pipe", "Standard input and output (default)", &arguments_.pipe)
        .Excludes({"--unix", "--inet", "--ipv6"});
    options.Text("-u,--unix", "PATH", "Listen on a unix socket", &arguments_.unix_path)
        .Excludes({"--inet", "--ipv6"});
    options
        .Number("-i,--inet", "PORT",
                "Listen on the IPv4 loopback address; 0: any free port, told on standard error", 0,
                65535, &arguments_.inet_port)
        .Excludes({"--ipv6"});
    options.Number("-6,--ipv6", "PORT", "The same on the IPv6 loopback address", 0, 65535,
                   &arguments_.ipv6_port);
    options.Text("--configuration", "FILE", "simple's simple.conf", &arguments_.configuration)
        .Default(
            "simple/simple.conf below PCP_PMDAS_DIR of the environment, of /etc/pcp.conf, or "
            "/var/lib/pcp/pmdas");
    options.Text("--help-text", "BASE",
                 "Compiled help text BASE.dir and BASE.pag, instead of its own",
                 &arguments_.help_text);
    options.Text("-l,--log", "FILE", "What standard error is written to (it is made anew)",
                 &arguments_.log);
    options.Text("-U,--user", "NAME", "Run as this user", &arguments_.user);
    options.Text("-D,--debug", "WHAT", "Debugging options, as PCP's agents take: ignored",
                 &arguments_.debug);
    options.Text(
        "--print", "FILE",
        "Print a file of the agent's folder and end: domain.h, pmns, root, help or simple.conf",
        &arguments_.print);
    options
        .Notes(
            "Without --unix, --inet or --ipv6 the collector is at standard input and output, as "
            "with PCP's "
            "`pipe` agents. Of a socket one connection is taken; with it ends the agent. The short "
            "options are those of PCP's agents (PMD-005), but for -h: what that gives there is "
            "--help-text here.\n"
            "A line for pmcd.conf:  simple 253 pipe binary /usr/bin/pmproof agent serve simple")
        .Examples({"pmproof agent serve simple --unix /tmp/simple.socket",
                   "pmproof agent serve trivial --print pmns"})
        .ExitStatuses(
            "0 the collector has gone, or a file was printed; 2 wrong usage; 4 a file, a user or "
            "an address "
            "cannot be had");
  }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    return RunAgentServe(arguments_, environment);
  }

 private:
  AgentServeArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeAgentServe() { return std::make_unique<AgentServeCommand>(); }

}  // namespace pmproof::validator

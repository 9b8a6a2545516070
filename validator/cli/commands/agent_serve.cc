#include "validator/cli/commands/agent_serve.h"
#include "reference/pmda/reference_agents/agent_files.h"
#include "reference/pmda/reference_agents/reference_program.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

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

}  // namespace

ExitStatus RunAgentServe(const AgentServeArguments& arguments, const Environment& environment) {
  if (!arguments.print.empty()) return Print(arguments, environment);
  pmda::AgentOptions options;
  options.domain = arguments.domain;
  options.log = arguments.log;
  options.help = arguments.help_text;
  options.user = arguments.user;
  if (arguments.unix_path) options.listen = pmda::Address::Unix(*arguments.unix_path);
  if (arguments.inet_port) options.listen = pmda::Address::Inet(*arguments.inet_port);
  if (arguments.ipv6_port) options.listen = pmda::Address::Inet6(*arguments.ipv6_port);
  const auto served = pmda::RunReferenceAgent(arguments.agent, options, arguments.configuration);
  if (served) return ExitStatus::kOk;
  environment.err << "pmproof: " << Displayable(served.error().ToText()) << '\n';
  return served.error().kind == Status::Kind::kUsage ? ExitStatus::kUsage : ExitStatus::kUnreadable;
}

}  // namespace pmproof::validator

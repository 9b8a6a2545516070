#include "validator/cli/commands/agent_host.h"
#include "reference/pmda/dso/host.h"
#include "reference/pmda/transport/descriptor_transport.h"
#include "validator/agent/host/host_report.h"
#include "validator/cli/command_support.h"

namespace pmproof::validator {

ExitStatus RunAgentHost(const AgentHostArguments& arguments, const Environment& environment) {
  HostReporter reporter(arguments.library, arguments.report);
  if (!reporter.open()) {
    return Fail(environment, ExitStatus::kUsage, arguments.report + " can not be written");
  }
  // Before anything of the agent runs: what it prints shall not get between PDUs.
  const auto transport = pmda::TakeStandardStreams();
  if (!transport) return Fail(environment, ExitStatus::kInternal, transport.error().ToText());
  const dso::HostEnd end = dso::RunHost(dso::LibraryName::Parse(arguments.library),
                                        arguments.domain, **transport, reporter);
  return end == dso::HostEnd::kNotStarted ? ExitStatus::kTesteeFailed : ExitStatus::kOk;
}

}  // namespace pmproof::validator

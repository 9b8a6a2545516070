// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/dso/host.h"
#include "reference/pmda/transport/descriptor_transport.h"
#include "validator/agent/host/host_report.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"

namespace pmproof::validator {
namespace {

struct AgentHostArguments {
  std::string library;  // FILE[:INIT]
  std::uint32_t domain = 0;
  std::string report;
};

ExitStatus RunAgentHost(const AgentHostArguments& arguments, const Environment& environment) {
  HostReporter reporter(arguments.library, arguments.report);
  if (!reporter.open()) {
    return Fail(environment, ExitStatus::kUsage, arguments.report + " cannot be written");
  }
  // Before anything of the agent runs: what it prints shall not get between PDUs.
  const auto transport = pmda::TakeStandardStreams();
  if (!transport) return Fail(environment, ExitStatus::kInternal, transport.error().ToText());
  const dso::HostEnd end = dso::RunHost(dso::LibraryName::Parse(arguments.library),
                                        arguments.domain, **transport, reporter);
  return end == dso::HostEnd::kNotStarted ? ExitStatus::kTesteeFailed : ExitStatus::kOk;
}

class AgentHostCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options
        .Operand(
            "LIBRARY",
            "The shared object, or FILE:INIT with the function that initialises it (default: of "
            "pmda_NAME.so NAME_init)",
            &arguments_.library)
        .Required();
    options
        .Number("-d,--domain", "N",
                "The agent's domain number; of several the last counts, so that words may follow "
                "as with any "
                "agent (PMD-005)",
                0, 510, &arguments_.domain)
        .Default("0");
    options
        .Text("--report", "FILE", "Append what is learned of the agent to FILE, as lines of JSON",
              &arguments_.report)
        .Default("text on standard error");
    options.Notes("The agent's code runs in this process, and may end it.")
        .Examples({"pmproof agent host --domain 253 pmda_simple.so:simple_init"})
        .ExitStatuses(
            "0 the collector closed the channel; 3 the agent cannot be loaded, or refuses to "
            "start");
  }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    return RunAgentHost(arguments_, environment);
  }

 private:
  AgentHostArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeAgentHost() { return std::make_unique<AgentHostCommand>(); }

}  // namespace pmproof::validator

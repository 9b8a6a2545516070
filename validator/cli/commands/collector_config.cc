// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/collector/configuration.h"
#include "validator/collector/write_configuration.h"
#include "validator/output/interruption.h"

namespace pmproof::validator {
namespace {

struct CollectorConfigArguments {
  std::string folder;
  std::string pmcd = "/usr/lib/pcp/bin/pmcd";
  std::string pmdas = "/usr/lib/pcp/pmdas";
  std::string pmproof;  // empty: this program
  std::string user;     // empty: pcp
  std::vector<std::string> simple;
  std::vector<std::string> trivial;
};

ExitStatus RunConfig(const CollectorConfigArguments& arguments, const Environment& environment) {
  Interruption interruption;
  interruption.Defer();  // all files are written, or none
  const auto written = collector::WriteConfiguration(
      {.folder = arguments.folder, .pmproof = arguments.pmproof}, {.layout = {},
                                                                   .pmproof = {},
                                                                   .pmcd = arguments.pmcd,
                                                                   .pmdas = arguments.pmdas,
                                                                   .user = arguments.user,
                                                                   .simple = arguments.simple,
                                                                   .trivial = arguments.trivial});
  interruption.Obey();
  if (!written) {
    const bool usage = written.error().kind == Status::Kind::kUsage;
    return Fail(environment, usage ? ExitStatus::kUsage : ExitStatus::kInternal,
                written.error().ToText());
  }
  const auto ports = collector::FreePorts(collector::kInstances.size());
  if (!ports) return Fail(environment, ExitStatus::kUnreadable, ports.error().ToText());
  for (std::size_t i = 0; i < ports->size(); ++i) {
    environment.out << collector::StartLine(*written, collector::kInstances[i], (*ports)[i])
                    << '\n';
  }
  return ExitStatus::kOk;
}

class CollectorConfigCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand("DIR", "A folder that does not exist, or is empty", &arguments_.folder)
        .Required();
    options.Text("--pmcd", "FILE", "The collector", &arguments_.pmcd)
        .Default("/usr/lib/pcp/bin/pmcd");
    options.Text("--pmdas", "DIR", "Where its agents pmcd and sample are", &arguments_.pmdas)
        .Default("/usr/lib/pcp/pmdas");
    options
        .Text("--pmproof", "FILE", "The program that the collector starts for its other agents",
              &arguments_.pmproof)
        .Default("this one");
    options.Text("--user", "NAME", "Whom the collector and sample run as", &arguments_.user)
        .Default("their own, pcp");
    options
        .Texts("--simple", "WORD", "A word of the command that is the agent simple",
               &arguments_.simple)
        .Default("pmproof agent serve simple");
    options.Texts("--trivial", "WORD", "The same for trivial", &arguments_.trivial)
        .Default("pmproof agent serve trivial");
    options
        .Notes(
            "Writes into DIR, which is made, or is empty: checks.conf, denied.conf, limited.conf, "
            "read_only.conf (each a pmcd.conf) and pmns; and prints the four lines that start the "
            "collectors, each in the foreground, for a shell. When they run:\n"
            "  pmproof collector check --setup DIR\n"
            "The agents of checks.conf that misbehave are dropped by the collector in the course "
            "of the "
            "checks: start it afresh for the next run.")
        .Examples({"pmproof collector config --user pcp /tmp/setup"})
        .ExitStatuses(
            "0 done; 2 wrong usage, or DIR is not empty; 4 no port is free; 5 DIR cannot be "
            "written, and nothing is left");
  }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    return RunConfig(arguments_, environment);
  }

 private:
  CollectorConfigArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeCollectorConfig() {
  return std::make_unique<CollectorConfigCommand>();
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "reference/archive/output_storage.h"
#include "reference/pmda/transport/orphan_reaper.h"
#include "validator/agent/replay/exchange_file.h"
#include "validator/agent/run.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/commands/agent_names.h"
#include "validator/cli/commands/agent_start.h"
#include "validator/output/report_file.h"
#include "validator/protocol_check/report_outputs.h"
#include "validator/protocol_check/run_watch.h"
#include "validator/schema/agent_report_schema.h"

namespace pmproof::validator {
namespace {

struct AgentCheckArguments : ReportArguments {
  AgentStart start;
  AgentNames names;
  std::vector<std::string> stores;
  bool slow = false;
  std::optional<std::uint32_t> budget;  // s
  std::optional<std::string> record;    // a file
};

// Returns the status to end with where it cannot be written, after it has said why.
std::optional<ExitStatus> WriteRecord(const AgentCheckArguments& arguments,
                                      const agent::AgentReport& report,
                                      const agent::Knowledge& known,
                                      const Environment& environment) {
  if (!arguments.record) return std::nullopt;
  const auto output = archive::MakePosixOutput();
  const auto failed = WriteReport(*output, *arguments.record, [&](std::ostream& out) {
    agent::WriteExchanges(report, known, arguments.start.notready, out);
  });
  if (!failed) return std::nullopt;
  return Fail(environment, ExitStatus::kInternal, "--record: " + failed->ToText());
}

ExitStatus RunAgentCheck(const AgentCheckArguments& arguments, const CommonArguments& common,
                         const Environment& environment) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : agent_report_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  const auto usage = [&](const std::string& message) {
    return Fail(environment, ExitStatus::kUsage, message + "; see pmproof agent check --help");
  };
  const CheckCatalogue catalogue = CheckCatalogue::Shipped();

  auto started = SubjectOf(arguments.start, arguments.names.domain);
  if (!started) {
    return started.error().usage
               ? usage(started.error().message)
               : Fail(environment, ExitStatus::kInternal, started.error().message);
  }
  const agent::Subject& subject = started->subject;
  std::optional<HostReportFile>& host_report = started->host_report;
  agent::RunOptions options{.jobs = common.jobs, .slow = arguments.slow};
  if (arguments.budget) options.budget = std::chrono::seconds(*arguments.budget);
  auto selection = SelectChecks(arguments, catalogue, CheckEntry::Subject::kAgent);
  if (!selection) return usage(selection.error());
  options.added = std::move(selection->added);
  options.removed = std::move(selection->removed);
  pmda::NameTree names;
  auto discovery = arguments.names.Read(environment, &names);
  if (!discovery) return Fail(environment, ExitStatus::kUnreadable, discovery.error());
  discovery->stores = arguments.stores;
  ReportWriting reports(arguments.outputs, environment);
  if (const auto refusal = reports.Refuse({}); !refusal.empty()) return usage(refusal);
  agent::Knowledge known;
  if (arguments.record) {
    const std::string refusal =
        RefuseReport(environment.storage, *arguments.record, arguments.outputs.force());
    if (!refusal.empty()) return usage("--record: " + refusal);
    options.record = true;
    options.knowledge = &known;
  }

  // An agent that kills its guardian leaves orphans to this process.
  const auto reaper = pmda::OrphanReaper::Become();
  RunWatch watch("agent check", environment.err,
                 {.hurry =
                      [&] {
                        // Checks whose agents are gone wait for nothing.
                        if (reaper) reaper->Sweep(pmda::Deadline::Passed());
                      },
                  .clean_up = [&] { host_report.reset(); }});

  const bool bar = WantsBar(common, environment);
  options.stop = [&] { return watch.stop(); };
  options.progress = [&](std::size_t done, std::size_t all) {
    watch.Progress(done, all);
    if (bar) environment.err << "\r" << done << "/" << all << " checks" << std::flush;
  };
  const std::vector<agent::Check> checks = agent::AllChecks();
  const agent::AgentReport report =
      agent::CheckAgent(subject, *discovery, checks, catalogue, options);
  if (reaper) reaper->Sweep(pmda::Deadline::After(std::chrono::seconds(10)));
  if (bar) environment.err << "\r\x1b[K" << std::flush;
  if (watch.Interrupted()) {
    host_report.reset();
    watch.Obey();
  }
  if (const auto failed = WriteRecord(arguments, report, known, environment)) return *failed;
  return WriteReports(report, catalogue, arguments, common, reports, environment);
}

class AgentCheckCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operands("COMMAND", "Starts the agent; stands after --, found by PATH, no shell",
                     &arguments_.start.command);
    arguments_.start.DeclareTransport(options);
    DeclareSubject(options);
    DeclareReports(options, &arguments_);
    options
        .Notes(
            "COMMAND is started as pmcd does it, once for nearly every check; nothing that it "
            "starts is left "
            "running. Its metrics are found by --pmns, else by PMNS_TRAVERSE and by asking for one "
            "PMID "
            "after the other. Nothing is stored into a known metric without --store.")
        .Examples({"pmproof agent check -- pmproof agent serve simple",
                   "pmproof agent check --dso pmda_simple.so --domain 253 --output junit:agent.xml",
                   "pmproof agent check --record failures.json -- ./my_agent"})
        .ExitStatuses(
            "0 conformant, or all of a selection (--check) passed; 1 a check as grave as --fail-on "
            "failed; 2 wrong usage, or nothing was checked; 3 the agent cannot be started, does "
            "not get through the handshake, or answers nothing after it; 6 undetermined: no metric "
            "was found, "
            "or a required check could not be made");
  }

  std::string Wrong(const Catalogue&) override {
    if (arguments_.print_schema) return "";
    if (!arguments_.start.any()) return "no COMMAND given, which stands after --";
    if (auto wrong = arguments_.start.Wrong(); !wrong.empty()) return wrong;
    return arguments_.outputs.Wrong();
  }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return RunAgentCheck(arguments_, common, environment);
  }

 private:
  void DeclareSubject(Options& options) {
    arguments_.names.Declare(options);
    options.Texts(
        "--store", "METRIC",
        "Values may be stored into this metric (a name, a PMID, or all); checks of stores are not "
        "made on others",
        &arguments_.stores);
    options.Flag("--slow", "Also the checks that wait long by their nature (half a minute)",
                 &arguments_.slow);
    arguments_.start.DeclarePatience(options);
    options.Number("--budget", "SECONDS",
                   "For the whole run; what is not made by then is listed as not checked", 1, 86400,
                   &arguments_.budget);
    options.Text("--record", "FILE",
                 "Write all that passed in the checks that fail, for pmproof agent replay",
                 &arguments_.record);
  }

  AgentCheckArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeAgentCheck() { return std::make_unique<AgentCheckCommand>(); }

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include "reference/pmda/transport/orphan_reaper.h"
#include "validator/agent_files/run.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/commands/agent_start.h"
#include "validator/protocol_check/report_outputs.h"
#include "validator/protocol_check/run_watch.h"
#include "validator/schema/agent_report_schema.h"

namespace pmproof::validator {
namespace {

struct AgentFilesArguments : ReportArguments {
  agent_files::Question question;
  AgentStart start;
};

ExitStatus RunAgentFiles(const AgentFilesArguments& arguments, const CommonArguments& common,
                         const Environment& environment) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : agent_report_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  const auto usage = [&](const std::string& message) {
    return Fail(environment, ExitStatus::kUsage, message + "; see pmproof agent files --help");
  };
  const CheckCatalogue catalogue = CheckCatalogue::Shipped();
  const std::string& folder = arguments.question.folder;
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return Fail(environment, ExitStatus::kUnreadable,
                folder + ": " + (error ? error.message() : "not a folder"));
  }
  const auto selection = SelectChecks(arguments, catalogue, CheckEntry::Subject::kFiles);
  if (!selection) return usage(selection.error());
  auto started = SubjectOf(arguments.start, arguments.question.domain);
  if (!started) {
    return started.error().usage
               ? usage(started.error().message)
               : Fail(environment, ExitStatus::kInternal, started.error().message);
  }
  ReportWriting reports(arguments.outputs, environment);
  if (const auto refusal = reports.Refuse({}); !refusal.empty()) return usage(refusal);

  const auto reaper = pmda::OrphanReaper::Become();
  RunWatch watch("agent files", environment.err,
                 {.hurry =
                      [&] {
                        if (reaper) reaper->Sweep(pmda::Deadline::Passed());
                      },
                  .clean_up = [&] { started->host_report.reset(); }});
  const bool bar = WantsBar(common, environment);
  agent_files::RunOptions options;
  options.selects = [&](Clause id) { return selection->Selects(id); };
  options.stop = [&] { return watch.stop(); };
  options.progress = [&](std::size_t done, std::size_t all) {
    watch.Progress(done, all);
    if (bar) environment.err << "\r" << done << "/" << all << " checks" << std::flush;
  };
  std::optional<agent::Subject> subject;
  if (arguments.start.any()) subject = started->subject;
  const agent::AgentReport report =
      agent_files::CheckFiles(arguments.question, subject, catalogue, options);
  if (reaper) reaper->Sweep(pmda::Deadline::After(std::chrono::seconds(10)));
  if (bar) environment.err << "\r\x1b[K" << std::flush;
  if (watch.Interrupted()) {
    started->host_report.reset();
    watch.Obey();
  }
  return WriteReports(report, catalogue, arguments, common, reports, environment);
}

class AgentFilesCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand("DIR",
                    "The agent's folder, as it is installed: domain.h, pmns, root, help, help.dir "
                    "and help.pag, Install, Remove",
                    &arguments_.question.folder);
    options.Operands("COMMAND", "Starts the agent, too; stands after --, found by PATH, no shell",
                     &arguments_.start.command);
    DeclareQuestion(options);
    arguments_.start.DeclareTransport(options);
    arguments_.start.DeclarePatience(options);
    DeclareReports(options, &arguments_);
    options
        .Notes(
            "What is not in the folder is not checked. Nothing in it is changed: Install and "
            "Remove run on a copy, in a private root of bubblewrap without network, where PCP's "
            "programs are fakes; where that is impossible they are not run. With COMMAND or --dso "
            "the agent is asked for what its files say of it.")
        .Examples({"pmproof agent files /var/lib/pcp/pmdas/simple",
                   "pmproof agent files . --stdpmid stdpmid.local --output html:files.html",
                   "pmproof agent files . -- ./pmdasimple -d 253"})
        .ExitStatuses(
            "0 conformant, or all of a selection (--check) passed; 1 a check as grave as --fail-on "
            "failed; 2 wrong usage, or nothing was checked; 4 DIR is not a folder that can be "
            "read; 6 undetermined: the domain is not known");
  }

  std::string Wrong(const Catalogue&) override {
    if (arguments_.print_schema) return "";
    if (arguments_.question.folder.empty()) return "no DIR given";
    if (auto wrong = arguments_.start.Wrong(); !wrong.empty()) return wrong;
    return arguments_.outputs.Wrong();
  }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return RunAgentFiles(arguments_, common, environment);
  }

 private:
  void DeclareQuestion(Options& options) {
    agent_files::Question& question = arguments_.question;
    options.Number("--domain", "N", "The agent's domain number", 0, 510, &question.domain)
        .Default("that of domain.h, else that of --stdpmid");
    options.Texts("--stdpmid", "FILE",
                  "A part of the register of domains: PCP's stdpmid.pcp or stdpmid.local, or the "
                  "stdpmid that is made of them",
                  &question.stdpmid);
    options.Texts("--include", "FOLDER", "Where #include looks after DIR, for stdpmid for example",
                  &question.includes);
    options
        .Text("--pmcd-conf", "FILE", "A pmcd.conf that has the agent's line", &question.pmcd_conf)
        .Default("the one that Install makes");
  }

  AgentFilesArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeAgentFiles() { return std::make_unique<AgentFilesCommand>(); }

}  // namespace pmproof::validator

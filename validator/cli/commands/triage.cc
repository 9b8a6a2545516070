// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/commands/triage_support.h"
#include "validator/cli/output_options.h"
#include "validator/cli/report_time.h"
#include "validator/cli/report_writing.h"
#include "validator/schema/triage_schema.h"
#include "validator/text/display.h"
#include "validator/text/progress.h"
#include "validator/triage/read_triage.h"
#include "validator/triage/render_triage.h"
#include "validator/triage/triage.h"

namespace pmproof::validator {
namespace {

struct TriageArguments {
  std::vector<std::string> archives;
  OutputOptions outputs{{"text", "json", "csv", "html"}};
  TriageDurations durations;
  MemoryOption memory{MemoryOption::Of::kEachArchive};
  std::optional<std::string> report;  // in place of archives
  bool print_schema = false;
};

// Made by checking the archives, or from a report on them.
Result<Triage> MakeTriageOf(const TriageArguments& arguments, const CommonArguments& common,
                            const Environment& environment) {
  if (arguments.report) {
    return FromFile<Triage>(environment.storage, *arguments.report, [&](Bytes document) {
      return ReadTriage(document, *arguments.report, environment.catalogue);
    });
  }
  MachineCheck machine(common, environment);
  machine.options.memory = arguments.memory.budget();
  std::unique_ptr<ProgressBar> bar;
  if (WantsBar(common, environment)) bar = std::make_unique<ProgressBar>(environment.err);
  return TriageAll(environment.storage, arguments.archives, environment.catalogue,
                   TriageOptionsOf(machine.options, arguments.durations), bar.get());
}

// Of a report's archives those that a file with the name of an output could be part of.
std::vector<std::string> ArchivesNear(const OutputOptions& outputs, const Triage& triage) {
  std::set<std::string> bases;
  for (const OutputRequest& request : outputs.requests()) {
    if (!request.path) continue;
    const auto name =
        archive::ParseFileName(std::filesystem::path(*request.path).filename().string());
    if (name) bases.insert(name->base);
  }
  std::vector<std::string> near;
  for (const TriagedArchive& archive : triage.archives) {
    const std::string name = std::filesystem::path(archive.name).filename().string();
    const bool is_near =
        std::ranges::any_of(bases, [&](const std::string& base) { return name.starts_with(base); });
    if (is_near) near.push_back(archive.name);
  }
  return near;
}

ExitStatus RunTriage(const TriageArguments& arguments, const CommonArguments& common,
                     const Environment& environment) {
  ReportWriting reports(arguments.outputs, environment);
  if (const std::string refusal = reports.Refuse(arguments.archives); !refusal.empty()) {
    return Fail(environment, ExitStatus::kUsage, refusal);
  }
  const Result<Triage> made = MakeTriageOf(arguments, common, environment);
  if (!made) return Fail(environment, ExitStatus::kUnreadable, made.error().ToText());
  const Triage& triage = *made;
  if (arguments.report) {
    const std::string refusal = reports.Refuse(ArchivesNear(arguments.outputs, triage));
    if (!refusal.empty()) return Fail(environment, ExitStatus::kUsage, refusal);
  }
  const auto failed = reports.Write(
      common, [&](const std::string& format, const Screen& screen, std::ostream& out) {
        if (format == "json") return RenderTriageJson(triage, environment.catalogue, out);
        if (format == "csv") return RenderTriageCsv(triage, out);
        if (format == "html") {
          return RenderTriageHtml(triage, environment.catalogue, TimeOfPage(), out);
        }
        RenderTriageText(triage, screen, out);
      });
  if (failed) return *failed;
  if (!reports.OnStandardOutput("text")) {
    for (const Status& error : triage.errors) {
      environment.err << "pmproof: " << Displayable(error.ToText()) << '\n';
    }
    if (!common.quiet) environment.err << TriageLine(triage) << '\n';
  }
  return ExitStatusOf(triage);
}

class TriageCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operands("ARCHIVE",
                     "Base name, any file of an archive, or a directory: each archive below it",
                     &arguments_.archives);
    arguments_.outputs.Declare(options, "Let --output overwrite files (never an archive's)");
    arguments_.durations.Declare(options);
    arguments_.memory.Declare(options, "It is undecided then. What is kept of each has 16K more");
    options
        .Text("--report", "REPORT",
              "In place of archives: a report of check --triage --format json, by which nothing is "
              "checked again",
              &arguments_.report)
        .Excludes({"--live-within", "--gap"});
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options
        .Notes(
            "Each archive is undecided (it could not be read), lost (nothing to save), orphan "
            "(without .meta or volumes), duplicate (a part exists in several forms), salvageable, "
            "live or sound; for each but the sound ones there is a reason and the next step. Of "
            "each directory with several archives it is said which gaps and overlaps their spans "
            "have, which metrics some of them lack, what a damaged one hides, and which rules on "
            "sets (ARC-2101 to ARC-2109) are broken.")
        .Examples({"pmproof triage /var/log/pcp/pmlogger",
                   "pmproof triage --output html:triage.html --output csv:triage.csv archives",
                   "pmproof triage --report night.json"})
        .ExitStatuses(
            "0 all are sound or live; 1 some are not; 2 wrong usage; 4 an input is missing, "
            "unreadable or not a PCP archive at all; 5 internal error of pmproof, or a report "
            "could not be written; 6 a memory budget was exceeded. Of several the first of 5, 4, "
            "6, 1");
  }

  std::string Wrong(const Catalogue&) override {
    if (arguments_.print_schema) return "";
    if (arguments_.report && !arguments_.archives.empty()) return "--report is in place of ARCHIVE";
    if (!arguments_.report && arguments_.archives.empty()) return "no ARCHIVE given";
    std::string wrong = arguments_.durations.Wrong();
    return wrong.empty() ? arguments_.outputs.Wrong() : wrong;
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (arguments_.print_schema) {
      for (const EmbeddedFile& file : triage_schema()) environment.out << file.content;
      return ExitStatus::kOk;
    }
    return RunTriage(arguments_, common, environment);
  }

 private:
  TriageArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeTriage() { return std::make_unique<TriageCommand>(); }

}  // namespace pmproof::validator

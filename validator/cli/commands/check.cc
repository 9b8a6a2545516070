// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "validator/check/check.h"
#include "validator/check/report/render.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/output_options.h"
#include "validator/cli/report_writing.h"
#include "validator/cli/rule_options.h"
#include "validator/schema/report_schema.h"
#include "validator/text/display.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const Format format : kFormats) names.emplace_back(ToText(format));
  return names;
}

struct CheckArguments {
  std::vector<std::string> archives;
  OutputOptions outputs{FormatNames()};
  Severity fail_on = Severity::kError;
  Severity show = Severity::kWarning;
  Profile profile = Profile::kArchival;
  std::vector<std::string> rule_options;  // "+ARC-1102", "-ARC-1102"
  RuleSelection rules;
  std::uint64_t max_findings = 20;
  MemoryOption memory{MemoryOption::Of::kEachArchive};
  bool sets = false;
  bool disclose = false;
  bool print_schema = false;
};

void WriteErrors(const Report& report, std::ostream& err) {
  const auto write = [&](const std::string& text) {
    err << "pmproof: " << Displayable(text) << '\n';
  };
  for (const ArchiveReport& archive : report.archives) {
    if (archive.failure) write(archive.archive + ": no verdict: " + archive.failure->ToText());
    for (const std::string& error : archive.internal_errors) {
      err << "pmproof: " << Displayable(archive.archive)
          << ": internal error: " << Displayable(error) << '\n';
    }
  }
  for (const Status& error : report.errors) write(error.ToText());
}

ExitStatus RunCheck(const CheckArguments& arguments, const CommonArguments& common,
                    const Environment& environment) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : report_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  ReportWriting reports(arguments.outputs, environment);
  // Before the check: nobody wants to hear of it an hour later.
  if (const std::string refusal = reports.Refuse(arguments.archives); !refusal.empty()) {
    return Fail(environment, ExitStatus::kUsage, refusal);
  }

  MachineCheck machine(common, environment);
  CheckOptions& options = machine.options;
  options.profile = arguments.profile;
  options.max_findings = arguments.max_findings;
  options.sets = arguments.sets;
  options.disclose = arguments.disclose;
  options.rules = arguments.rules;
  options.memory = arguments.memory.budget();
  Report report;
  {
    std::unique_ptr<ProgressBar> bar;
    if (WantsBar(common, environment)) bar = std::make_unique<ProgressBar>(environment.err);
    report = CheckAll(environment.storage, arguments.archives, environment.catalogue, options,
                      bar.get());
  }

  RenderOptions render;
  render.fail_on = arguments.fail_on;
  render.show = arguments.show;
  render.quiet = common.quiet;
  const auto failed = reports.Write(common, [&](const std::string& format, const Screen& screen,
                                                std::ostream& out) {
    render.screen = screen;
    Render(ParseFormat(format).value_or(Format::kText), report, environment.catalogue, render, out);
  });
  if (failed) return *failed;
  const bool text_on_stdout = reports.OnStandardOutput("text");
  // On a terminal the text has said it; a script reads it here in any case.
  if (!text_on_stdout || !environment.out_screen.terminal || !environment.err_screen.terminal)
    WriteErrors(report, environment.err);
  if (!text_on_stdout && !common.quiet) environment.err << SummaryLine(report) << '\n';
  return ExitStatusOf(report, arguments.fail_on);
}

class CheckCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operands("ARCHIVE",
                     "Base name, any file of an archive, or a directory: each archive below it",
                     &arguments_.archives);
    arguments_.outputs.Declare(options, "Let --output overwrite files (never an archive's)");
    options.Flag("--set",
                 "The archives of each directory are also checked as one set, as PCP opens a "
                 "directory; those "
                 "of a list A,B,... always are",
                 &arguments_.sets);
    options.Flag(
        "--disclose",
        "Also say where the archive tells of people and machines (names of hosts, "
        "addresses, users, command lines, home directories, identifiers): in text, json, jsonl "
        "and html. Reads the volumes once more",
        &arguments_.disclose);
    DeclareRules(options);
    options
        .Number("--max-findings", "N",
                "Findings shown of one rule and severity; one more stands for the rest", 0,
                kMostNumber, &arguments_.max_findings)
        .Default("20");
    arguments_.memory.Declare(options, "There is no verdict then");
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options
        .Examples({"pmproof check /var/log/pcp/pmlogger",
                   "pmproof check --format text --output sarif:report.sarif archives",
                   "pmproof check --disclose --output json:tells.json archive",
                   "pmproof check --only label,index,metadata --rule -ARC-1102 archive"})
        .ExitStatuses(
            "0 conformant, or done; 1 findings at or above --fail-on; 2 wrong usage; 4 an input is "
            "missing, "
            "unreadable or not a PCP archive at all; 5 internal error of pmproof, or a report "
            "could not be "
            "written; 6 a time or memory budget was exceeded, verdict unknown. Of several the "
            "first of 5, 4, "
            "6, 1");
  }

  std::string Wrong(const Catalogue& catalogue) override {
    if (arguments_.print_schema) return "";
    if (arguments_.archives.empty()) return "no ARCHIVE given";
    if (std::string wrong = arguments_.outputs.Wrong(); !wrong.empty()) return wrong;
    if (std::string wrong = SelectRules(arguments_.rule_options, catalogue, &arguments_.rules);
        !wrong.empty())
      return wrong;
    const bool any = std::ranges::any_of(catalogue.entries(), [&](const Rule& rule) {
      return arguments_.rules.Selects(rule) && rule.In(arguments_.profile).has_value();
    });
    return any ? "" : "--rule, --only and --profile leave no rule to check";
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return RunCheck(arguments_, common, environment);
  }

 private:
  void DeclareRules(Options& options) {
    options
        .Choice("--fail-on", "SEVERITY", "Exit with 1 at findings of this severity or graver",
                std::vector<NamedValue<Severity>>{{"error", Severity::kError},
                                                  {"warning", Severity::kWarning},
                                                  {"info", Severity::kInfo}},
                &arguments_.fail_on)
        .Default("error");
    options
        .Choice("--show", "SEVERITY",
                "Text and junit: show findings of this severity or graver, count the others",
                std::vector<NamedValue<Severity>>{{"error", Severity::kError},
                                                  {"warning", Severity::kWarning},
                                                  {"info", Severity::kInfo}},
                &arguments_.show)
        .Default("warning");
    options
        .Choice("--profile", "PROFILE", "live allows what is normal while an archive is written",
                std::vector<NamedValue<Profile>>{{"archival", Profile::kArchival},
                                                 {"live", Profile::kLive}},
                &arguments_.profile)
        .Default("archival");
    std::vector<std::string> parts;
    for (const RulePart part : kRuleParts) parts.emplace_back(ToText(part));
    options.Add({.names = {"--only"},
                 .value_name = "PART,...",
                 .help = "Only rules about these parts; rules about files are always checked",
                 .choices = parts,
                 .repeats = true,
                 .delimiter = ',',
                 .take = [this](std::string_view name) {
                   if (const auto part = ParseRulePart(name))
                     arguments_.rules.only.push_back(*part);
                   return std::string();
                 }});
    options.Texts("--rule", "+ID|-ID",
                  "-ID leaves a rule out; +ID checks it beside those of --only, or, without "
                  "--only, checks no "
                  "other",
                  &arguments_.rule_options);
  }

  CheckArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeCheck() { return std::make_unique<CheckCommand>(); }

}  // namespace pmproof::validator

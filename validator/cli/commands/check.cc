// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/check/check.h"
#include "validator/check/report/render.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/commands/check_against.h"
#include "validator/cli/commands/policy_file.h"
#include "validator/cli/commands/triage_support.h"
#include "validator/cli/judge_options.h"
#include "validator/cli/output_options.h"
#include "validator/cli/report_time.h"
#include "validator/cli/report_writing.h"
#include "validator/policy/policy_judge.h"
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

// An absolute URI (RFC 3986) of this alphabet, which is written into SARIF as it is.
bool IsSite(std::string_view text) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/%@[]";
  const bool known =
      text.starts_with("https://") || text.starts_with("http://") || text.starts_with("file:///");
  return known && text.find_first_not_of(kAlphabet) == std::string_view::npos;
}

struct CheckArguments {
  std::vector<std::string> archives;
  OutputOptions outputs{FormatNames()};
  JudgeOptions judge;
  Severity show = Severity::kWarning;
  MemoryOption memory{MemoryOption::Of::kEachArchive};
  bool sets = false;
  bool disclose = false;
  bool triage = false;
  TriageDurations durations;
  std::optional<std::string> report;  // in place of archives
  std::string docs;
  std::optional<std::string> policy;
  AgainstOptions against;
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

// A report, and what `triage` says of each of its entries, where that was asked for.
struct Checked {
  Report report;
  std::vector<TriageNote> notes;
};

// Checks the archives that are named, or the sets of those that a report knows. Judges by the
// policy, if there is one.
Result<Checked> Check(const CheckArguments& arguments, const CheckOptions& options,
                      const policy::Policy* policy, const CommonArguments& common,
                      const Environment& environment) {
  const TriageOptions triage = TriageOptionsOf(options, arguments.durations);
  Checked checked;
  checked.report.profile = options.profile;
  if (arguments.report) {
    auto archives = FromFile<std::vector<ArchiveReport>>(
        environment.storage, *arguments.report, [&](Bytes document) {
          return ArchivesOfReport(document, *arguments.report, environment.catalogue);
        });
    if (!archives) return tl::unexpected(archives.error());
    KnownSets known = CheckKnownSets(environment.storage, std::move(*archives),
                                     environment.catalogue, triage, arguments.triage);
    checked.report.archives = std::move(known.sets);
    checked.notes = std::move(known.notes);
  } else {
    std::unique_ptr<ProgressBar> bar;
    if (WantsBar(common, environment)) bar = std::make_unique<ProgressBar>(environment.err);
    checked.report = CheckAll(environment.storage, arguments.archives, environment.catalogue,
                              options, bar.get());
  }
  if (policy != nullptr) {
    JudgeByPolicy(*policy, arguments.archives, options, environment.storage, &checked.report);
  }
  if (arguments.triage && !arguments.report) {
    checked.notes =
        TriageReport(environment.storage, checked.report, environment.catalogue, triage);
  }
  return checked;
}

// What is held against an original is judged by all rules: a selection does not make it sound.
ExitStatus RunAgainst(const CheckArguments& arguments, const CommonArguments& common,
                      const Environment& environment) {
  MachineCheck machine(common, environment);
  machine.options.profile = arguments.judge.profile();
  machine.options.max_findings = arguments.judge.max_findings();
  machine.options.memory = arguments.memory.budget();
  return arguments.against.Run(
      arguments.archives,
      {machine.options, arguments.judge.fail_on(), arguments.judge.max_findings()},
      arguments.outputs, common, environment);
}

ExitStatus RunCheck(const CheckArguments& arguments, const CommonArguments& common,
                    const Environment& environment) {
  if (arguments.print_schema && arguments.against.asked()) {
    AgainstOptions::PrintSchema(environment);
    return ExitStatus::kOk;
  }
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : report_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  if (arguments.against.asked()) return RunAgainst(arguments, common, environment);
  ReportWriting reports(arguments.outputs, environment);
  // Before the check: nobody wants to hear of it an hour later.
  if (const std::string refusal = reports.Refuse(arguments.archives); !refusal.empty()) {
    return Fail(environment, ExitStatus::kUsage, refusal);
  }

  std::optional<policy::Policy> policy;
  Profile profile = arguments.judge.profile();
  if (arguments.policy) {
    ExitStatus status = ExitStatus::kOk;
    std::optional<LoadedPolicy> loaded = LoadPolicy(*arguments.policy, environment, &status);
    if (!loaded) return status;
    policy = std::move(loaded->policy);
    if (!arguments.judge.has_profile()) profile = policy->profile.value_or(profile);
    std::string wrong = arguments.judge.WrongIn(profile, environment.catalogue);
    for (const OutputRequest& request : arguments.outputs.requests()) {
      if (!wrong.empty() || !request.path) continue;
      wrong = RefusePolicyAsOutput(*arguments.policy, *request.path);
    }
    if (!wrong.empty()) return Fail(environment, ExitStatus::kUsage, wrong);
  }

  MachineCheck machine(common, environment);
  CheckOptions& options = machine.options;
  options.profile = profile;
  options.max_findings = arguments.judge.max_findings();
  options.sets = arguments.sets;
  options.disclose = arguments.disclose;
  const auto is_asked_for = [&](Format format) {
    return std::ranges::any_of(arguments.outputs.requests(), [&](const OutputRequest& request) {
      return request.format == ToText(format);
    });
  };
  options.picture = is_asked_for(Format::kHtml);
  options.contents = is_asked_for(Format::kBatch);
  options.rules = arguments.judge.rules();
  options.memory = arguments.memory.budget();
  if (policy) options.by_metric = policy::RulesByMetric(*policy);
  const Result<Checked> checked =
      Check(arguments, options, policy ? &*policy : nullptr, common, environment);
  if (!checked) return Fail(environment, ExitStatus::kUnreadable, checked.error().ToText());
  const Report& report = checked->report;

  RenderOptions render;
  if (arguments.triage) render.triage = &checked->notes;
  render.fail_on = arguments.judge.fail_on();
  render.show = arguments.show;
  render.quiet = common.quiet;
  render.docs = arguments.docs;
  if (!render.docs.empty() && !render.docs.ends_with('/')) render.docs += '/';
  render.time = options.now;
  render.made = TimeOfPage();
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
  // A report that knows no set is an answer.
  if (arguments.report && report.archives.empty()) return ExitStatus::kOk;
  return ExitStatusOf(report, arguments.judge.fail_on());
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
        "addresses, users, command lines, home directories, identifiers): in text, json, jsonl, "
        "batch and html. Reads the volumes once more",
        &arguments_.disclose);
    options.Flag("--triage",
                 "Also say of each archive what triage says: its condition, why, what to do next; "
                 "with --set also of each directory what its archives hide from readers. In json, "
                 "jsonl and batch",
                 &arguments_.triage);
    arguments_.durations.Declare(options, " (with --triage)", " (with --triage and --set)");
    options
        .Text("--report", "REPORT",
              "With --set, in place of archives: a report of check --format json. The sets of its "
              "archives are checked, and the archives are not checked again",
              &arguments_.report)
        .Excludes({"--against", "--disclose", "--live-within"});
    arguments_.against.Declare(options);
    options
        .Text("--policy", "FILE",
              "Judge by this policy: severities that are others, facts that archives must have, "
              "the profile. TOML or JSON (see pmproof policy check)",
              &arguments_.policy)
        .FromSettings()
        .Excludes({"--against"});
    arguments_.judge.Declare(options);
    options
        .Choice("--show", "SEVERITY",
                "Text, junit and github: show findings of this severity or graver, count the "
                "others",
                std::vector<NamedValue<Severity>>{{"error", Severity::kError},
                                                  {"warning", Severity::kWarning},
                                                  {"info", Severity::kInfo}},
                &arguments_.show)
        .Default("warning")
        .FromSettings();
    options
        .Text("--docs", "URL",
              "Sarif, html: where the pages are that qa/docs/build makes; each rule links to its "
              "place "
              "there",
              &arguments_.docs)
        .FromSettings();
    arguments_.memory.Declare(options,
                              "There is no verdict then. What is kept of each has 16K more");
    options.Flag("--schema", "Print the JSON Schema of --format json (of that with --against)",
                 &arguments_.print_schema);
    options
        .Notes(
            "With --against there is one of three outcomes: 'nothing lost'; 'lossy as declared', "
            "if all that is lost or other is named by --allow; 'loss'. Both sides are checked as "
            "well, and where readers do not get to the end of one there is no answer.")
        .Examples({"pmproof check /var/log/pcp/pmlogger",
                   "pmproof check --format text --output sarif:report.sarif archives",
                   "pmproof check --quiet --force --output openmetrics:pmproof.prom archives",
                   "pmproof check --triage --output json:night.json /archives",
                   "pmproof check --set --report night.json",
                   "pmproof check --disclose --output json:tells.json archive",
                   "pmproof check --policy policy.toml --fail-on warning /archives/incoming",
                   "pmproof check --against original kept/archive",
                   "pmproof check --against week --allow seams,labels monday tuesday",
                   "pmproof check --against original --allow reduce reduced",
                   "pmproof check --only label,index,metadata --rule -ARC-1102 archive"})
        .ExitStatuses(
            "0 conformant, or done; 1 findings at or above --fail-on, or a loss --against "
            "ORIGINAL, or a finding of the policy; 2 "
            "wrong usage, or a policy is wrong; 4 an input is "
            "missing, "
            "unreadable or not a PCP archive at all; 5 internal error of pmproof, or a report "
            "could not be "
            "written; 6 a time or memory budget was exceeded, verdict unknown. Of several the "
            "first of 5, 4, "
            "6, 1");
  }

  std::string Wrong(const Catalogue& catalogue) override {
    if (arguments_.print_schema) return "";
    if (arguments_.report) {
      if (!arguments_.archives.empty()) return "--report is in place of ARCHIVE";
      if (!arguments_.sets) return "--report needs --set: only sets are checked";
    } else if (arguments_.archives.empty()) {
      return "no ARCHIVE given";
    }
    if (std::string wrong = arguments_.outputs.Wrong(); !wrong.empty()) return wrong;
    if (std::string wrong = arguments_.against.Wrong(arguments_.outputs); !wrong.empty()) {
      return wrong;
    }
    if (!arguments_.docs.empty() && !IsSite(arguments_.docs)) {
      return "--docs: not an absolute http, https or file URL: " + arguments_.docs;
    }
    if (std::string wrong = arguments_.judge.Wrong(catalogue); !wrong.empty()) return wrong;
    const RuleSelection& rules = arguments_.judge.rules();
    const bool all_rules = rules.only.empty() && rules.added.empty() && rules.removed.empty();
    if (arguments_.triage && !arguments_.report && !all_rules) {
      return "--triage needs all rules: without --only and --rule";
    }
    const TriageDurations& durations = arguments_.durations;
    if (durations.has_live_within() && !arguments_.triage) return "--live-within needs --triage";
    if (durations.has_gap() && !arguments_.triage) return "--gap needs --triage";
    return durations.Wrong();
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return RunCheck(arguments_, common, environment);
  }

 private:
  CheckArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeCheck() { return std::make_unique<CheckCommand>(); }

}  // namespace pmproof::validator

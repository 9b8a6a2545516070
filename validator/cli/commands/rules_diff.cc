// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/loss_watch.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/identifier.h"
#include "validator/cli/output_options.h"
#include "validator/cli/report_writing.h"
#include "validator/replay/when.h"
#include "validator/rules_diff/compare_rules.h"
#include "validator/rules_diff/draw_curves.h"
#include "validator/rules_diff/profile_sheet.h"
#include "validator/rules_diff/render_comparison.h"
#include "validator/schema/rules_diff_schema.h"
#include "validator/text/display.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

struct RulesDiffArguments {
  std::vector<std::string> archives;
  std::string baseline;
  std::string candidate;
  std::vector<std::string> metrics;
  std::optional<std::string> start;
  std::optional<std::string> finish;
  std::optional<std::string> interval;
  bool counter_wrap = false;  // PCP_COUNTER_WRAP (INT-802)
  OutputOptions outputs{{"text", "json", "html"}};
  std::size_t examples = 10;
  std::size_t most = 12;
  MemoryOption memory;
  std::uint64_t limit = 10'000'000;  // more times of an archive are refused
  bool print_schema = false;
};

using replay::ReplayArchive;

// What is opened as one: an archive, or those of a list.
struct Unit {
  std::string name;
  std::vector<std::string> members;
  std::uint64_t bytes = 0;
};

// On one page.
constexpr std::size_t kMostCharts = 48;

class RulesDiff {
 public:
  RulesDiff(const RulesDiffArguments& arguments, const CommonArguments& common,
            const Environment& environment, replay::Profile baseline, replay::Profile candidate)
      : arguments_(arguments),
        common_(common),
        environment_(environment),
        baseline_(std::move(baseline)),
        candidate_(std::move(candidate)) {
    report_.baseline = {std::string(baseline_->name()), std::string(baseline_->summary())};
    report_.candidate = {std::string(candidate_->name()), std::string(candidate_->summary())};
  }

  ExitStatus Run() {
    if (const std::string problem = CheckTimes(); !problem.empty()) {
      return Fail(environment_, ExitStatus::kUsage, problem);
    }
    ReportWriting reports(arguments_.outputs, environment_);
    if (const std::string refusal = reports.Refuse(arguments_.archives); !refusal.empty()) {
      return Fail(environment_, ExitStatus::kUsage, refusal);
    }
    CollectUnits();
    CompareAll();
    const bool html =
        std::ranges::any_of(arguments_.outputs.requests(),
                            [](const OutputRequest& request) { return request.format == "html"; });
    if (html) DrawAll();
    const auto failed =
        reports.Write(common_, [&](const std::string& format, const Screen& screen,
                                   std::ostream& out) { Render(format, screen, out); });
    if (failed) return *failed;
    text_on_stdout_ = reports.OnStandardOutput("text");
    SayErrors();
    return StatusOf();
  }

 private:
  std::string CheckTimes() {
    for (const auto& [option, text] : {std::pair("--start: no time: ", arguments_.start),
                                       std::pair("--finish: no time: ", arguments_.finish)}) {
      if (text && !ParseWhen(*text, {})) {
        return option + *text + " (@EPOCH[.FRACTION], ISO 8601, or +DURATION from the start)";
      }
    }
    if (!arguments_.interval) return "";
    interval_ = ParseDuration(*arguments_.interval);
    if (interval_ && *interval_ > 0) return "";
    return "--interval: no duration above 0: " + *arguments_.interval +
           " (such as 10s, 500ms, 1.5min)";
  }

  void CollectUnits() {
    std::vector<std::string> singles;
    for (const std::string& argument : arguments_.archives) {
      if (argument.find(',') == std::string::npos) {
        singles.push_back(argument);
        continue;
      }
      AddUnits(std::exchange(singles, {}));
      AddUnits({argument});
    }
    AddUnits(singles);
  }

  void AddUnits(const std::vector<std::string>& arguments) {
    if (arguments.empty()) return;
    archive::ArchiveNames found =
        archive::ListArchives(environment_.storage, arguments, /*recursive=*/true);
    std::ranges::move(found.errors, std::back_inserter(report_.errors));
    if (!found.lists.empty()) {
      Add({found.lists.front().name, std::move(found.names)});
      return;
    }
    for (std::string& name : found.names) {
      std::string member = name;
      Add({std::move(name), {std::move(member)}});
    }
  }

  void Add(Unit unit) {
    if (unit.members.empty() || std::ranges::count(units_, unit.name, &Unit::name) > 0) return;
    for (const std::string& member : unit.members) {
      unit.bytes += archive::FoundArchive(environment_.storage, member).files().stored_size;
    }
    units_.push_back(std::move(unit));
  }

  // Archives side by side, each with its part of the memory; the report does not depend on that.
  void CompareAll() {
    std::unique_ptr<ProgressBar> bar;
    if (WantsBar(common_, environment_)) bar = std::make_unique<ProgressBar>(environment_.err);
    std::uint64_t bytes = 0;
    for (const Unit& unit : units_) bytes += unit.bytes;
    if (bar) bar->Expect(units_.size(), bytes);
    report_.archives.resize(units_.size());
    const std::size_t threads =
        std::max<std::size_t>(1, std::min<std::size_t>(common_.jobs, units_.size()));
    const archive::MemoryBudget share(arguments_.memory.budget().bytes() / threads);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < units_.size(); i = next++) {
        try {
          report_.archives[i] = CompareOne(units_[i], share, bar.get());
        } catch (const std::bad_alloc&) {
          report_.archives[i].failure = archive::BeyondBudget("");
        }
        report_.archives[i].archive = units_[i].name;
        if (bar) bar->ArchiveDone();
      }
    };
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(work);
    work();
  }

  Comparison CompareOne(const Unit& unit, const archive::MemoryBudget& share,
                        ProgressSink* progress) {
    Comparison failed;
    const archive::LossWatch storage(environment_.storage);
    const auto archive = ReplayArchive::Open(storage, unit.members, share);
    if (!archive) {
      failed.failure = archive.error();
      return failed;
    }
    CompareOptions options;
    options.metrics = arguments_.metrics;
    options.interval = interval_;
    options.memory = share.Answers();
    options.examples = arguments_.examples;
    options.most = arguments_.most;
    options.limit = arguments_.limit;
    const Timestamp start = (*archive)->origin().start();
    if (arguments_.start) options.start = ParseWhen(*arguments_.start, start);
    if (arguments_.finish) options.finish = ParseWhen(*arguments_.finish, start);
    std::uint64_t reported = 0;
    options.progress = [&](double done) {
      const auto bytes = static_cast<std::uint64_t>(static_cast<double>(unit.bytes) * done);
      if (progress != nullptr && bytes > reported)
        progress->AddBytes(bytes - std::exchange(reported, bytes));
    };
    Comparison found = CompareRules(**archive, baseline_, candidate_, options);
    if (std::optional<Status> loss = storage.loss()) {
      failed.failure = std::move(loss);
      found = std::move(failed);
    }
    if (progress != nullptr) progress->AddBytes(unit.bytes - std::min(reported, unit.bytes));
    NoteNearest(**archive, found);
    return found;
  }

  // Which metrics the user may have meant. Called by several threads.
  void NoteNearest(const ReplayArchive& archive, const Comparison& found) {
    if (found.unknown.empty()) return;
    std::vector<std::string> known;
    for (const auto& [pmid, metric] : archive.metrics())
      known.insert(known.end(), metric.names.begin(), metric.names.end());
    const std::lock_guard<std::mutex> lock(hinting_);
    for (const std::string& name : found.unknown) {
      const std::string hint = NearestHint(name, known);
      if (!hint.empty()) hints_.insert("--metric: there is no " + name + hint);
    }
  }

  // The metric-instances that differ most of all archives.
  void DrawAll() {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < units_.size(); ++i) {
      for (const DifferingSeries& series : report_.archives[i].most) {
        order.emplace_back(-series.weight, i);
      }
    }
    std::ranges::sort(order);
    order.resize(std::min(order.size(), kMostCharts));
    for (std::size_t i = 0; i < units_.size(); ++i) {
      Comparison& comparison = report_.archives[i];
      const auto count = static_cast<std::size_t>(
          std::ranges::count(order, i, &std::pair<double, std::size_t>::second));
      if (count == 0 || comparison.failure) continue;
      const archive::LossWatch storage(environment_.storage);
      const auto archive =
          ReplayArchive::Open(storage, units_[i].members, arguments_.memory.budget());
      comparison.failure =
          archive ? DrawCurves(**archive, baseline_, candidate_,
                               arguments_.memory.budget().Answers(), count, &comparison)
                  : archive.error();
      if (std::optional<Status> loss = storage.loss()) {
        Comparison nothing;
        nothing.archive = std::move(comparison.archive);
        nothing.failure = std::move(loss);
        comparison = std::move(nothing);
      }
    }
  }

  void Render(const std::string& format, const Screen& screen, std::ostream& out) const {
    if (format == "json") return RenderComparisonJson(report_, out);
    if (format == "html") return RenderComparisonHtml(report_, out);
    RenderComparisonText(report_, screen, out);
  }

  void SayErrors() const {
    const auto say = [&](const std::string& line) {
      environment_.err << "pmproof: " << Displayable(line) << '\n';
    };
    for (const std::string& hint : hints_) say(hint);
    // On a terminal the text has said it; a script reads it here in any case.
    if (text_on_stdout_ && environment_.out_screen.terminal && environment_.err_screen.terminal)
      return;
    for (const Comparison& comparison : report_.archives) {
      for (const Status& status : comparison.passed_over) say(status.ToText());
      if (comparison.failure) say(comparison.archive + ": " + comparison.failure->ToText());
    }
    for (const Status& error : report_.errors) say(error.ToText());
    if (!text_on_stdout_ && !common_.quiet) {
      const Tally total = report_.Total().total;
      environment_.err << total.Differing() << " of " << Plural(total.compared, "value")
                       << (total.Differing() == 1 ? " differs\n" : " differ\n");
    }
  }

  ExitStatus StatusOf() const {
    bool budget = false;
    bool usage = false;
    bool unreadable = !report_.errors.empty();
    for (const Comparison& comparison : report_.archives) {
      if (!comparison.failure) continue;
      const Status::Kind kind = comparison.failure->kind;
      (kind == Status::Kind::kBudget  ? budget
       : kind == Status::Kind::kUsage ? usage
                                      : unreadable) = true;
    }
    if (unreadable) return ExitStatus::kUnreadable;
    if (budget) return ExitStatus::kBudget;
    if (usage) return ExitStatus::kUsage;
    const Tally total = report_.Total().total;
    if (total.compared == 0) {
      return Fail(environment_, ExitStatus::kUsage, "there was nothing to compare");
    }
    return total.Differing() > 0 ? ExitStatus::kFindings : ExitStatus::kOk;
  }

  const RulesDiffArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
  const replay::Profile baseline_;
  const replay::Profile candidate_;
  std::optional<std::int64_t> interval_;
  std::vector<Unit> units_;
  bool text_on_stdout_ = false;
  std::mutex hinting_;
  std::set<std::string> hints_;
  ComparisonReport report_;
};

ExitStatus RunDiff(const RulesDiffArguments& arguments, const CommonArguments& common,
                   const Environment& environment) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : rules_diff_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  const auto known = environment.profiles(arguments.counter_wrap ? replay::CounterWrap::kOn
                                                                 : replay::CounterWrap::kOff);
  const auto find = [&](const std::string& name) {
    return std::ranges::find(known, name, [](const replay::Profile& p) { return p->name(); });
  };
  for (const std::string* name : {&arguments.baseline, &arguments.candidate}) {
    if (find(*name) != known.end()) continue;
    std::vector<std::string> names;
    std::string all;
    for (const replay::Profile& profile : known) {
      names.emplace_back(profile->name());
      all += (all.empty() ? "" : ", ") + names.back();
    }
    return Fail(environment, ExitStatus::kUsage,
                "there is no profile " + *name + NearestHint(*name, names) + "; profiles: " + all);
  }
  return RulesDiff(arguments, common, environment, *find(arguments.baseline),
                   *find(arguments.candidate))
      .Run();
}

class RulesDiffCommand final : public Command {
 public:
  void Declare(Options& options) override {
    DeclareWhat(options);
    arguments_.outputs.Declare(options, "Let --output overwrite a file (never an archive's)");
    options
        .Number("--examples", "N", "First differences shown of each archive", 0, 10000,
                &arguments_.examples)
        .Default("10");
    options
        .Number("--most", "N",
                "Metric-instances that differ most, shown of each archive and drawn in html", 0,
                1000, &arguments_.most)
        .Default("12");
    arguments_.memory.Declare(options, "With less there are more passes over an archive");
    options
        .Number("--limit", "N", "Refuse to compare at more times than this", 1, kMostNumber,
                &arguments_.limit)
        .Default("10000000");
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options
        .Notes(
            "Times: @EPOCH[.FRACTION], ISO 8601 (UTC), or an offset from the start such as +10s or "
            "+1.5min. "
            "Each ARCHIVE is compared by itself; the archives of a list A,B,... are opened as one.")
        .Examples({"pmproof rules diff --baseline pcp-legacy --candidate pcp-6.3.2 archive",
                   "pmproof rules diff --baseline pcp-legacy --candidate documented --output "
                   "html:diff.html archive"})
        .ExitStatuses(
            "0 no answer differs; 1 one does; 2 wrong usage, or there was nothing to compare; 4 an "
            "archive "
            "is missing or cannot be read, the others were compared; 5 internal error of pmproof; "
            "6 a memory "
            "budget was exceeded. Of several the first of 5, 4, 6, 1");
  }

  std::string Wrong(const Catalogue&) override {
    if (arguments_.print_schema) return "";
    if (arguments_.baseline.empty()) return "--baseline is required";
    if (arguments_.candidate.empty()) return "--candidate is required";
    return arguments_.archives.empty() ? "no ARCHIVE given" : arguments_.outputs.Wrong();
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return RunDiff(arguments_, common, environment);
  }

 private:
  void DeclareWhat(Options& options) {
    options.Operands(
        "ARCHIVE",
        "Base name, any file of an archive, a list A,B,..., or a directory: each archive below it",
        &arguments_.archives);
    options.Text("--baseline", "PROFILE", "The profile to compare with", &arguments_.baseline);
    options.Text("--candidate", "PROFILE", "The profile that is compared", &arguments_.candidate);
    options
        .Texts("--metric", "NAME", "Only this metric, or all below this node of the name space",
               &arguments_.metrics)
        .Default("all metrics");
    options.Text("--start", "TIME", "First time", &arguments_.start)
        .Default("start of the archive");
    options.Text("--finish", "TIME", "Last time", &arguments_.finish).Default("end of the archive");
    options
        .Text("--interval", "DURATION", "Time between two fetches, such as 10s, 500ms",
              &arguments_.interval)
        .Default("about a thousandth of the span");
    options.Flag("--counter-wrap", "As with PCP_COUNTER_WRAP in the environment",
                 &arguments_.counter_wrap);
  }

  RulesDiffArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeRulesDiff() { return std::make_unique<RulesDiffCommand>(); }

}  // namespace pmproof::validator

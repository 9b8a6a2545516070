// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/commands/rules_diff_run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/loss_watch.h"
#include "reference/core/on_threads.h"
#include "validator/cli/command_support.h"
#include "validator/cli/commands/rules_sides.h"
#include "validator/cli/identifier.h"
#include "validator/cli/report_time.h"
#include "validator/cli/report_writing.h"
#include "validator/replay/emulated_version.h"
#include "validator/replay/when.h"
#include "validator/rules_diff/compare_rules.h"
#include "validator/rules_diff/comparison_text.h"
#include "validator/rules_diff/draw_curves.h"
#include "validator/rules_diff/render_comparison.h"
#include "validator/text/display.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

using replay::ReplayArchive;

// What is opened as one: an archive, or those of a list.
struct Unit {
  std::string name;
  std::vector<std::string> members;
  std::vector<archive::FoundArchive> found;  // these
  std::uint64_t bytes = 0;
};

// Of a line of an adapter.
constexpr std::size_t kShortestLimit = std::size_t{1} << 20;

// On one page.
constexpr std::size_t kMostCharts = 48;

class RulesDiff {
 public:
  RulesDiff(const RulesDiffArguments& arguments, const CommonArguments& common,
            const Environment& environment, SideChoice baseline, SideChoice candidate)
      : arguments_(arguments),
        common_(common),
        environment_(environment),
        baseline_(std::move(baseline)),
        candidate_(std::move(candidate)) {}

  ExitStatus Run() {
    if (const std::string problem = CheckTimes(); !problem.empty()) {
      return Fail(environment_, ExitStatus::kUsage, problem);
    }
    ReportWriting reports(arguments_.outputs, environment_);
    if (const std::string refusal = reports.Refuse(arguments_.archives); !refusal.empty()) {
      return Fail(environment_, ExitStatus::kUsage, refusal);
    }
    Sides sides;
    if (const std::string problem = Open(&sides); !problem.empty()) {
      return Fail(environment_, ExitStatus::kTesteeFailed, problem);
    }
    report_.baseline = sides.baseline.note;
    report_.candidate = sides.candidate.note;
    for (const auto& [name, version] : EmulatedVersions()) {
      if (arguments_.explain == version) report_.explained_by = name;
    }
    CollectUnits();
    CompareAll(sides);
    const bool html =
        std::ranges::any_of(arguments_.outputs.requests(),
                            [](const OutputRequest& request) { return request.format == "html"; });
    if (html) DrawAll(sides);
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
      Add(found.lists.front().name, std::move(found.names), found.listings);
      return;
    }
    for (const std::string& name : found.names) Add(name, {name}, found.listings);
  }

  void Add(std::string name, std::vector<std::string> members, const archive::Listings& listings) {
    if (members.empty() || !named_.insert(name).second) return;
    Unit& unit = units_.emplace_back();
    unit.name = std::move(name);
    unit.members = std::move(members);
    for (const std::string& member : unit.members) {
      unit.found.emplace_back(environment_.storage, member, &listings);
      unit.bytes += unit.found.back().files().stored_size;
    }
  }

  // Of one thread.
  struct Sides {
    OpenedSide baseline;
    OpenedSide candidate;
  };

  // Returns why an implementation does not start, or "".
  std::string Open(Sides* sides) const {
    auto baseline = OpenSide(baseline_);
    if (!baseline) return baseline.error();
    auto candidate = OpenSide(candidate_);
    if (!candidate) return candidate.error();
    *sides = {*std::move(baseline), *std::move(candidate)};
    return "";
  }

  // An implementation keeps a core busy by itself.
  std::size_t Threads() const {
    const bool adapters = baseline_.is_implementation() || candidate_.is_implementation();
    const std::size_t jobs = adapters ? common_.jobs / 2 : common_.jobs;
    return std::max<std::size_t>(1, std::min<std::size_t>(jobs, units_.size()));
  }

  // Archives side by side, each with its part of the memory; the report does not depend on that.
  // `first`: of this thread, the others open their own.
  void CompareAll(Sides& first) {
    std::unique_ptr<ProgressBar> bar;
    if (WantsBar(common_, environment_)) bar = std::make_unique<ProgressBar>(environment_.err);
    std::uint64_t bytes = 0;
    for (const Unit& unit : units_) bytes += unit.bytes;
    if (bar) bar->Expect(units_.size(), bytes);
    report_.archives.resize(units_.size());
    const std::size_t threads = Threads();
    const archive::MemoryBudget share(arguments_.memory.budget().bytes() / threads);
    std::atomic<std::size_t> next{0};
    const auto work = [&](Sides& sides) {
      for (std::size_t i = next++; i < units_.size(); i = next++) {
        try {
          report_.archives[i] = CompareOne(units_[i], sides, share, bar.get());
        } catch (const std::bad_alloc&) {
          report_.archives[i].failure = archive::BeyondBudget("");
        }
        report_.archives[i].archive = units_[i].name;
        if (bar) bar->ArchiveDone();
      }
    };
    const std::thread::id here = std::this_thread::get_id();
    OnThreads(threads, [&] {
      if (std::this_thread::get_id() == here) return work(first);
      // Where an implementation starts no second time, its first process does all of the work.
      Sides own;
      if (Open(&own).empty()) work(own);
    });
  }

  Comparison CompareOne(const Unit& unit, Sides& sides, const archive::MemoryBudget& share,
                        ProgressSink* progress) {
    Comparison failed;
    const archive::LossWatch storage(environment_.storage);
    const auto archive = ReplayArchive::OpenFound(storage, unit.found, share);
    if (!archive) {
      failed.failure = archive.error();
      return failed;
    }
    CompareOptions options;
    options.metrics = arguments_.metrics;
    options.paths = AbsolutePaths(unit);
    options.interval = interval_;
    options.memory = share.Answers();
    options.examples = arguments_.examples;
    options.most = arguments_.most;
    options.limit = arguments_.limit;
    options.explain = arguments_.explain;
    options.counter_wrap = arguments_.counter_wrap;
    const Timestamp start = (*archive)->origin().start();
    if (arguments_.start) options.start = ParseWhen(*arguments_.start, start);
    if (arguments_.finish) options.finish = ParseWhen(*arguments_.finish, start);
    std::uint64_t reported = 0;
    options.progress = [&](double done) {
      const auto bytes = static_cast<std::uint64_t>(static_cast<double>(unit.bytes) * done);
      if (progress != nullptr && bytes > reported)
        progress->AddBytes(bytes - std::exchange(reported, bytes));
    };
    Comparison found =
        CompareSides(**archive, *sides.baseline.side, *sides.candidate.side, options);
    if (std::optional<Status> loss = storage.loss()) {
      failed.failure = std::move(loss);
      found = std::move(failed);
    }
    if (progress != nullptr) progress->AddBytes(unit.bytes - std::min(reported, unit.bytes));
    NoteNearest(**archive, found);
    return found;
  }

  // An implementation need not run where this does.
  static std::vector<std::string> AbsolutePaths(const Unit& unit) {
    std::vector<std::string> paths;
    for (const std::string& member : unit.members) {
      std::error_code error;
      const std::filesystem::path path = std::filesystem::absolute(member, error);
      paths.push_back(error ? member : path.lexically_normal().string());
    }
    return paths;
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
  void DrawAll(Sides& sides) {
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
          ReplayArchive::OpenFound(storage, units_[i].found, arguments_.memory.budget());
      comparison.failure = archive ? Draw(**archive, units_[i], sides, count, &comparison)
                                   : std::optional<Status>(archive.error());
      if (std::optional<Status> loss = storage.loss()) {
        Comparison nothing;
        nothing.archive = std::move(comparison.archive);
        nothing.failure = std::move(loss);
        comparison = std::move(nothing);
      }
    }
  }

  std::optional<Status> Draw(const ReplayArchive& archive, const Unit& unit, Sides& sides,
                             std::size_t count, Comparison* comparison) const {
    const SideTask task{archive, AbsolutePaths(unit), {}, arguments_.memory.budget().Answers()};
    return DrawCurves(task, *sides.baseline.side, *sides.candidate.side, count, comparison);
  }

  void Render(const std::string& format, const Screen& screen, std::ostream& out) const {
    if (format == "json") return RenderComparisonJson(report_, out);
    if (format == "html") return RenderComparisonHtml(report_, TimeOfPage(), out);
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
    for (const Comparison& comparison : report_.archives) {
      for (const std::string& text : UnansweredTexts(comparison, report_)) {
        say(comparison.archive + ": " + text);
      }
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
    const Comparison all = report_.Total();
    const Tally& total = all.total;
    const auto broke = [](const auto& entry) { return entry.first.broke(); };
    if (std::ranges::any_of(all.baseline_unanswered, broke) ||
        std::ranges::any_of(all.candidate_unanswered, broke)) {
      return ExitStatus::kTesteeFailed;
    }
    if (total.compared == 0) {
      return Fail(environment_, ExitStatus::kUsage, "there was nothing to compare");
    }
    return total.Differing() > 0 ? ExitStatus::kFindings : ExitStatus::kOk;
  }

  const RulesDiffArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
  const SideChoice baseline_;
  const SideChoice candidate_;
  std::optional<std::int64_t> interval_;
  std::vector<Unit> units_;
  std::set<std::string> named_;  // their names
  bool text_on_stdout_ = false;
  std::mutex hinting_;
  std::set<std::string> hints_;
  ComparisonReport report_;
};

}  // namespace

ExitStatus RunRulesDiff(const RulesDiffArguments& arguments, const CommonArguments& common,
                        const Environment& environment) {
  SideOptions options;
  options.profiles = environment.profiles(arguments.counter_wrap ? replay::CounterWrap::kOn
                                                                 : replay::CounterWrap::kOff);
  options.counter_wrap = arguments.counter_wrap;
  options.patience = std::chrono::milliseconds(std::llround(arguments.patience * 1000));
  // Of two sides, each of which holds its line while that is read.
  options.longest_line = std::max(kShortestLimit, arguments.memory.budget().bytes() / 8);
  auto baseline = ChooseSide(arguments.baseline, options);
  if (!baseline) return Fail(environment, ExitStatus::kUsage, baseline.error());
  auto candidate = ChooseSide(arguments.candidate, options);
  if (!candidate) return Fail(environment, ExitStatus::kUsage, candidate.error());
  if (arguments.baseline_name) baseline->name = *arguments.baseline_name;
  if (arguments.candidate_name) candidate->name = *arguments.candidate_name;
  return RulesDiff(arguments, common, environment, *std::move(baseline), *std::move(candidate))
      .Run();
}

}  // namespace pmproof::validator

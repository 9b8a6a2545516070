#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/loss_watch.h"
#include "validator/cli/command_support.h"
#include "validator/cli/commands/rules.h"
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
    std::ofstream file;
    if (arguments_.output) {
      std::string refusal = RefuseOutput(*arguments_.output, arguments_.force, arguments_.archives,
                                         environment_.storage);
      if (refusal.empty()) {
        file.open(*arguments_.output, std::ios::binary | std::ios::trunc);
        if (!file) refusal = *arguments_.output + ": " + std::strerror(errno);
      }
      if (!refusal.empty()) return Fail(environment_, ExitStatus::kUsage, refusal);
    }
    CollectUnits();
    CompareAll();
    if (arguments_.format == ComparisonFormat::kHtml) DrawAll();
    std::ostream& out = arguments_.output ? file : environment_.out;
    Render(out);
    if (!out.flush()) {
      return Fail(
          environment_, ExitStatus::kInternal,
          arguments_.output.value_or("standard output") + ": the report could not be written");
    }
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
      unit.bytes += StoredSize(environment_.storage, member);
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
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < units_.size(); i = next++) {
        try {
          report_.archives[i] = CompareOne(units_[i], arguments_.memory / threads, bar.get());
        } catch (const std::bad_alloc&) {
          report_.archives[i].failure =
              Status{.kind = Status::Kind::kBudget, .message = "out of memory"};
        }
        report_.archives[i].archive = units_[i].name;
        if (bar) bar->ArchiveDone();
      }
    };
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(work);
    work();
  }

  Comparison CompareOne(const Unit& unit, std::size_t memory, ProgressSink* progress) {
    Comparison failed;
    const archive::LossWatch storage(environment_.storage);
    const auto archive = ReplayArchive::Open(storage, unit.members);
    if (!archive) {
      failed.failure = archive.error();
      return failed;
    }
    CompareOptions options;
    options.metrics = arguments_.metrics;
    options.interval = interval_;
    options.memory = memory;
    options.examples = arguments_.examples;
    options.most = arguments_.most;
    options.limit = arguments_.limit;
    const Timestamp start = (*archive)->origin().start();
    if (arguments_.start) options.start = ParseWhen(*arguments_.start, start);
    if (arguments_.finish) options.finish = ParseWhen(*arguments_.finish, start);
    std::uint64_t told = 0;
    options.progress = [&](double done) {
      const auto bytes = static_cast<std::uint64_t>(static_cast<double>(unit.bytes) * done);
      if (progress != nullptr && bytes > told)
        progress->AddBytes(bytes - std::exchange(told, bytes));
    };
    Comparison found = CompareRules(**archive, baseline_, candidate_, options);
    if (std::optional<Status> loss = storage.loss()) {
      failed.failure = std::move(loss);
      found = std::move(failed);
    }
    if (progress != nullptr) progress->AddBytes(unit.bytes - std::min(told, unit.bytes));
    return found;
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
      const auto archive = ReplayArchive::Open(storage, units_[i].members);
      comparison.failure = archive ? DrawCurves(**archive, baseline_, candidate_, arguments_.memory,
                                                count, &comparison)
                                   : archive.error();
      if (std::optional<Status> loss = storage.loss()) {
        Comparison nothing;
        nothing.archive = std::move(comparison.archive);
        nothing.failure = std::move(loss);
        comparison = std::move(nothing);
      }
    }
  }

  void Render(std::ostream& out) const {
    switch (arguments_.format) {
      case ComparisonFormat::kJson:
        return RenderComparisonJson(report_, out);
      case ComparisonFormat::kHtml:
        return RenderComparisonHtml(report_, out);
      default:
        return RenderComparisonText(report_, arguments_.output ? Screen() : environment_.out_screen,
                                    out);
    }
  }

  // On a terminal the text has said it; a script reads it here in any case.
  void SayErrors() const {
    const bool text = arguments_.format == ComparisonFormat::kText && !arguments_.output;
    if (text && environment_.out_screen.terminal && environment_.err_screen.terminal) return;
    const auto say = [&](const std::string& line) {
      environment_.err << "pmproof: " << Displayable(line) << '\n';
    };
    for (const Comparison& comparison : report_.archives) {
      for (const Status& status : comparison.passed_over) say(status.ToText());
      if (comparison.failure) say(comparison.archive + ": " + comparison.failure->ToText());
    }
    for (const Status& error : report_.errors) say(error.ToText());
    if (!text && !common_.quiet) {
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
    std::string names;
    for (const replay::Profile& profile : known) {
      names += (names.empty() ? "" : ", ") + std::string(profile->name());
    }
    return Fail(environment, ExitStatus::kUsage,
                "there is no profile " + *name + "; profiles: " + names);
  }
  return RulesDiff(arguments, common, environment, *find(arguments.baseline),
                   *find(arguments.candidate))
      .Run();
}

}  // namespace

ExitStatus RunRules(const RulesArguments& arguments, const CommonArguments& common,
                    const Environment& environment) {
  if (!arguments.lists) return RunDiff(arguments.diff, common, environment);
  const std::vector<replay::Profile> all = environment.profiles(replay::CounterWrap::kOff);
  if (arguments.list.json) {
    WriteProfilesJson(all, environment.out);
  } else {
    WriteProfilesText(all, environment.out_screen, environment.out);
  }
  return ExitStatus::kOk;
}

}  // namespace pmproof::validator

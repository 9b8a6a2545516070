// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/interp_run.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/error_codes.h"
#include "reference/replay/emulation/explain.h"
#include "reference/replay/fetch_script.h"
#include "reference/replay/recorded.h"
#include "reference/replay/replay.h"
#include "validator/testee/interp_text.h"
#include "validator/testee/reject_class.h"

namespace pmproof::validator {
namespace {

namespace emulation = replay::emulation;

using replay::FetchAnswer;
using replay::MetricAnswer;
using replay::ReplayArchive;

// What a result may be; a reader has to hold it too.
constexpr std::size_t kLongestResult = std::size_t{256} << 20;
// What a fetch takes in it at least.
constexpr std::size_t kShortestFetch = 50;
// Times of a long run are asked for so many at once: their answers have a budget of their own.
constexpr std::uint64_t kBatch = std::uint64_t{1} << 20;
// What the values of one walk, or the records of an emulated archive, may take.
constexpr std::size_t kMemory = std::size_t{512} << 20;

MetricAnswer Ascending(MetricAnswer answer) {
  std::ranges::stable_sort(answer.values, {}, &replay::InstanceAnswer::instance);
  return answer;
}

// As operands of derived metrics, which ascend.
MetricAnswer AnswerOf(const emulation::EmulatedMetric& metric) {
  MetricAnswer answer;
  answer.pmid = metric.pmid;
  answer.status = static_cast<ErrorCode>(std::min(metric.numval, 0));
  for (const emulation::EmulatedValue& value : metric.values) {
    answer.values.push_back({value.instance, value.value, {}, std::nullopt});
  }
  return Ascending(std::move(answer));
}

class InterpRun {
 public:
  InterpRun(const InterpArguments& arguments, const ReplayArchive& archive, InterpMetrics* metrics)
      : arguments_(arguments), archive_(archive), metrics_(*metrics) {}

  Outcome Run() {
    std::uint64_t fetches = 0;
    for (const FetchRun& run : arguments_.runs) fetches += run.count;
    if (fetches > kLongestResult / kShortestFetch) return TooLong();
    // Where no metric is known, the rule answers what there is to answer: the end (INT-206).
    const bool emulates = arguments_.emulate && !Logged().empty();
    const std::optional<Outcome> stopped = arguments_.recorded ? Read()
                                           : emulates          ? Emulate()
                                                               : Replay();
    if (stopped) return *stopped;
    if (IsFull()) return TooLong();
    return Answered{std::move(text_).Finish()};
  }

 private:
  static Failure TooLong() {
    return {"the result is longer than " + std::to_string(kLongestResult) + " bytes"};
  }
  bool IsFull() const { return text_.size() > kLongestResult; }

  void WriteMetric(const InterpMetric& metric, const MetricAnswer& answer) {
    text_.BeginMetric(metric, answer.status);
    for (const auto& value : answer.values) text_.Value(metric, value.instance, value.value);
    text_.EndMetric({});
  }

  void Write(const FetchAnswer& fetch, std::size_t list) {
    if (IsFull()) return;
    text_.BeginFetch(fetch.time, fetch.status);
    if (fetch.status == ErrorCode::kOk) {
      for (const InterpMetrics::Listed& listed : metrics_.lists()[list].metrics) {
        if (listed.derived != nullptr) {
          WriteMetric(*listed.metric, Derive(listed, fetch.time, fetch.metrics));
        } else if (!listed.answers.empty()) {
          const MetricAnswer& answer = fetch.metrics[listed.answers.front()];
          // Records have their own order.
          WriteMetric(*listed.metric, arguments_.recorded ? Ascending(answer) : answer);
        } else {
          WriteMetric(*listed.metric, {Pmid::Null(), listed.status(), "", {}});
        }
      }
    }
    text_.EndFetch("");
  }

  replay::ReplayRequest Request() const {
    replay::ReplayRequest request;
    request.metrics = metrics_.fetched();
    request.instances = metrics_.instances();
    request.memory = kMemory;
    request.direction = DirectionOf(arguments_.runs.front().seek->delta);
    return request;
  }

  // The metrics of a list; where nothing in it is known, a metric that no archive has makes the
  // fetch.
  std::vector<Pmid> FetchedBy(std::size_t list) const {
    std::vector<Pmid> pmids;
    for (const std::size_t position : metrics_.lists()[list].fetched) {
      pmids.push_back(metrics_.fetched()[position]);
    }
    if (pmids.empty()) pmids.push_back(Pmid::Null());
    return pmids;
  }

  std::optional<Outcome> Replay() {
    const auto error = arguments_.runs.size() == 1 ? ReplaySteps() : ReplayScript();
    if (error) return OutcomeOf(*error);
    return std::nullopt;
  }

  // Plain stepping: only the list of the first run is there.
  std::optional<Status> ReplaySteps() {
    const FetchRun& run = arguments_.runs.front();
    replay::ReplayRequest request = Request();
    request.metrics = FetchedBy(run.list);
    replay::ReplayContext context(archive_, std::move(request), arguments_.rule);
    const bool normalised = arguments_.rule->traits().normalised_time;
    metrics_.SetStep(run.seek->delta);
    Timestamp time = run.seek->time;
    std::vector<Timestamp> times;
    for (std::uint64_t done = 0; done < run.count && !IsFull(); done += times.size()) {
      times.clear();
      while (times.size() < std::min(kBatch, run.count - done)) {
        times.push_back(time);
        time = replay::Advance(time, run.seek->delta, normalised);
      }
      const auto sink = [&](const FetchAnswer& fetch) { Write(fetch, run.list); };
      if (auto error = context.Fetch(times, sink)) return error;
    }
    return std::nullopt;
  }

  std::optional<Status> ReplayScript() {
    replay::ReplayRequest request = Request();
    if (request.metrics.empty()) request.metrics.push_back(Pmid::Null());
    const bool normalised = arguments_.rule->traits().normalised_time;
    const bool by_direction =
        arguments_.rule->traits().marks_by_direction && archive_.members().size() > 1;
    std::vector<replay::ScriptedFetch> script;
    Seek now;
    for (const FetchRun& run : arguments_.runs) {
      if (run.seek) now = *run.seek;
      if (by_direction && DirectionOf(now.delta) != request.direction) {
        return Status{.kind = Status::Kind::kUnsupported,
                      .clause = "INT-905"_clause,
                      .message = "a script over several archives keeps its direction"};
      }
      script.push_back({now.time, run.seek.has_value(), metrics_.lists()[run.list].fetched});
      now.time = replay::Advance(now.time, now.delta, normalised);
    }
    const FetchRun* run = arguments_.runs.data();
    const auto sink = [&](const FetchAnswer& fetch) {
      if (run->seek) metrics_.SetStep(run->seek->delta);
      Write(fetch, (run++)->list);
    };
    return replay::FetchScript(archive_, std::move(request), arguments_.rule, script, sink);
  }

  // Records; after the last one PCP answers the end, at the time where it stands, or that the rest
  // is no record (INT-1007).
  std::optional<Outcome> Read() {
    const FetchRun& run = arguments_.runs.front();
    replay::RecordedRequest request;
    request.metrics = FetchedBy(run.list);
    request.instances = metrics_.instances();
    request.start = run.seek->time;
    request.count = run.count;
    FetchAnswer end{run.seek->time, ErrorCode::kEndOfLog, {}};
    std::uint64_t left = run.count;
    const auto sink = [&](const FetchAnswer& fetch) {
      end.time = fetch.time;
      --left;
      Write(fetch, run.list);
    };
    if (run.count > 0) {
      const auto after = replay::ReadRecorded(archive_, request, sink);
      if (!after) return OutcomeOf(after.error());
      end.status = after->status;
    }
    for (; left > 0 && !IsFull(); --left) Write(end, run.list);
    return std::nullopt;
  }

  // What a list asks of the log, and where in it each of List::fetched stands: nowhere if the
  // archive does not have it.
  struct LoggedList {
    std::vector<std::size_t> metrics;
    std::vector<std::optional<std::size_t>> places;
  };

  void Write(const emulation::ExplainedFetch& fetch, std::size_t list, const LoggedList& logged,
             std::string_view undefined) {
    if (IsFull()) return;
    const emulation::EmulatedFetch& emulated = fetch.emulated;
    text_.BeginFetch(emulated.time, emulated.status);
    if (emulated.status == ErrorCode::kOk) {
      std::vector<MetricAnswer> answers;
      for (const std::optional<std::size_t>& place : logged.places) {
        answers.push_back(place ? AnswerOf(emulated.metrics[*place])
                                : MetricAnswer{Pmid::Null(), kErrPmidLog, "", {}});
      }
      for (const InterpMetrics::Listed& listed : metrics_.lists()[list].metrics) {
        if (listed.derived != nullptr) {
          WriteMetric(*listed.metric, Derive(listed, emulated.time, answers));
        } else if (listed.answers.empty()) {
          WriteMetric(*listed.metric, {Pmid::Null(), listed.status(), "", {}});
        } else if (const auto place = logged.places[listed.answers.front()]) {
          WriteEmulated(*listed.metric, fetch, *place);
        } else {
          WriteMetric(*listed.metric, answers[listed.answers.front()]);
        }
      }
    }
    text_.EndFetch(undefined);
  }

  // In PCP's order.
  void WriteEmulated(const InterpMetric& metric, const emulation::ExplainedFetch& fetch,
                     std::size_t place) {
    const emulation::EmulatedMetric& answer = fetch.emulated.metrics[place];
    text_.BeginMetric(metric, static_cast<ErrorCode>(std::min(answer.numval, 0)));
    for (const auto& value : answer.values) text_.Value(metric, value.instance, value.value);
    text_.EndMetric(place < fetch.differences.size()
                        ? emulation::DeviationsOf(fetch.differences[place])
                        : std::vector<emulation::Deviation>());
  }

  // What is fetched and in the archive.
  std::vector<Pmid> Logged() const {
    std::vector<Pmid> logged;
    for (const Pmid pmid : metrics_.fetched()) {
      if (archive_.metrics().contains(pmid)) logged.push_back(pmid);
    }
    return logged;
  }

  std::optional<Outcome> Emulate() {
    const std::vector<Pmid> known = Logged();
    std::vector<LoggedList> lists;
    for (const InterpMetrics::List& list : metrics_.lists()) {
      if (std::set(list.fetched.begin(), list.fetched.end()).size() != list.fetched.size()) {
        return Skip{"PCP never returns where one metric is asked for twice (DEV-12)"};
      }
      LoggedList& logged = lists.emplace_back();
      for (const std::size_t position : list.fetched) {
        const auto found = std::ranges::find(known, metrics_.fetched()[position]);
        logged.places.emplace_back();
        if (found == known.end()) continue;
        logged.places.back() = logged.metrics.size();
        logged.metrics.push_back(static_cast<std::size_t>(found - known.begin()));
      }
    }
    const auto log = emulation::RecordLog::Load(archive_, known, kMemory);
    if (!log) return OutcomeOf(log.error());
    std::uint64_t steps = 0;
    std::size_t step_size = sizeof(emulation::ExplainedStep) + sizeof(const FetchRun*);
    for (const FetchRun& run : arguments_.runs) steps += run.count;
    for (const LoggedList& list : lists) {
      step_size = std::max(step_size, sizeof(emulation::ExplainedStep) + sizeof(const FetchRun*) +
                                          list.metrics.size() * sizeof(std::size_t));
    }
    if (steps > kMemory / step_size) return Failure{"the fetches do not fit the memory allowed"};
    std::vector<emulation::ExplainedStep> script;
    std::vector<const FetchRun*> runs;  // of each step
    for (const FetchRun& run : arguments_.runs) {
      for (std::uint64_t i = 0; i < run.count; ++i) {
        emulation::ExplainedStep& step = script.emplace_back();
        if (run.seek && i == 0) step.seek = {run.seek->time, run.seek->delta};
        step.metrics = lists[run.list].metrics;
        runs.push_back(&run);
      }
    }
    std::string undefined;
    auto next = runs.begin();
    const auto sink = [&](const emulation::ExplainedFetch& fetch) {
      const FetchRun& run = **next++;
      if (fetch.emulated.undefined && undefined.empty()) {
        undefined = ToText(*fetch.emulated.undefined);
      }
      if (run.seek) metrics_.SetStep(run.seek->delta);
      Write(fetch, run.list, lists[run.list], undefined);
    };
    const emulation::ExplainRequest request{*arguments_.emulate, arguments_.counter_wrap,
                                            metrics_.instances(), kMemory, arguments_.mends};
    if (const auto error = emulation::Explain(archive_, **log, request, script, sink)) {
      return OutcomeOf(*error);
    }
    return std::nullopt;
  }

  const InterpArguments& arguments_;
  const ReplayArchive& archive_;
  InterpMetrics& metrics_;
  InterpText text_;
};

}  // namespace

Outcome RunInterp(const InterpArguments& arguments, const replay::ReplayArchive& archive,
                  InterpMetrics* metrics) {
  return InterpRun(arguments, archive, metrics).Run();
}

}  // namespace pmproof::validator

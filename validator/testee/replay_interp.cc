#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/replay/emulation/explain.h"
#include "reference/replay/fetch_script.h"
#include "reference/replay/replay.h"
#include "validator/dump/quote.h"
#include "validator/replay/open_archive.h"
#include "validator/testee/interp_arguments.h"
#include "validator/testee/interp_text.h"
#include "validator/testee/operation.h"
#include "validator/testee/reject_class.h"

// Operation replay.interp: what the fetches of one context answer, by a rule or as a version of
// PCP.

namespace pmproof::validator {
namespace {

namespace emulation = replay::emulation;

using replay::FetchAnswer;
using replay::ReplayArchive;

// What a result may be; a reader has to hold it too.
constexpr std::size_t kLongestResult = std::size_t{256} << 20;
// What a fetch takes in it at least.
constexpr std::size_t kShortestFetch = 50;
// Times of a long run are asked for so many at once: their answers have a budget of their own.
constexpr std::uint64_t kBatch = std::uint64_t{1} << 20;
// What the values of one walk, or the records of an emulated archive, may take.
constexpr std::size_t kMemory = std::size_t{512} << 20;

Outcome OutcomeOf(const Status& status) {
  switch (status.kind) {
    case Status::Kind::kUnsupported:
      return Skip{status.ToText()};
    case Status::Kind::kBudget:
    case Status::Kind::kUsage:
      return Failure{status.ToText()};
    default:
      return RejectOf(status);
  }
}

// The metrics of a request, found in an archive.
class AskedFor {
 public:
  AskedFor(const ReplayArchive& archive, const InterpArguments& arguments) {
    for (const std::string& name : arguments.names) {
      InterpMetric& metric = metrics.emplace_back();
      AppendQuoted(name, Quoting::kJson, &metric.name);
      positions.emplace_back();
      const std::optional<Pmid> pmid = archive.Find(name);
      if (!pmid) continue;
      const Descriptor& descriptor = archive.metrics().at(*pmid).descriptor;
      metric.type = ToText(descriptor.type);
      metric.singular = descriptor.indom.IsNull();
      positions.back() = known_.emplace(*pmid, known.size()).first->second;
      if (*positions.back() < known.size()) continue;  // another name of the same metric
      known.push_back(*pmid);
      const bool first_of_domain = domains_.insert(descriptor.indom).second;
      if (!arguments.instances.empty() && !metric.singular && first_of_domain) {
        instances.Add(descriptor.indom, arguments.instances);
      }
    }
    for (const std::vector<std::size_t>& list : arguments.lists) {
      std::vector<std::size_t>& of_known = lists.emplace_back();
      for (const std::size_t name : list) {
        if (positions[name]) of_known.push_back(*positions[name]);
      }
    }
  }

  std::vector<InterpMetric> metrics;                  // by the names of the request
  std::vector<std::optional<std::size_t>> positions;  // of each in `known`
  std::vector<Pmid> known;                            // each once
  std::vector<std::vector<std::size_t>> lists;        // those of the request, positions in `known`
  replay::InstanceProfile instances;

 private:
  std::map<Pmid, std::size_t> known_;
  std::set<Indom> domains_;
};

class InterpRun {
 public:
  InterpRun(const InterpArguments& arguments, const ReplayArchive& archive)
      : arguments_(arguments), archive_(archive), asked_(archive, arguments) {}

  Outcome Run() {
    std::uint64_t fetches = 0;
    for (const FetchRun& run : arguments_.runs) fetches += run.count;
    if (fetches > kLongestResult / kShortestFetch) return TooLong();
    // Where no metric is known, the rule answers what there is to answer: the end (INT-206).
    const bool emulates = arguments_.emulate && !asked_.known.empty();
    const std::optional<Outcome> stopped = emulates ? Emulate() : Replay();
    if (stopped) return *stopped;
    if (IsFull()) return TooLong();
    return Answered{std::move(text_).Finish()};
  }

 private:
  static Failure TooLong() {
    return {"the result is longer than " + std::to_string(kLongestResult) + " bytes"};
  }
  bool IsFull() const { return text_.size() > kLongestResult; }

  // `answers`: of the metrics of the list that are known, in its order.
  template <typename Metrics, typename StatusOf>
  void Write(Timestamp time, ErrorCode status, std::size_t list, const Metrics& answers,
             StatusOf status_of,
             std::span<const std::vector<emulation::Difference>> differences = {},
             std::string_view undefined = "") {
    if (IsFull()) return;
    text_.BeginFetch(time, status);
    if (status == ErrorCode::kOk) {
      std::size_t next = 0;
      for (const std::size_t name : arguments_.lists[list]) {
        const InterpMetric& metric = asked_.metrics[name];
        if (!asked_.positions[name]) {
          text_.BeginMetric(metric, ErrorCode::kName);
          text_.EndMetric({});
          continue;
        }
        const auto& answer = answers[next];
        text_.BeginMetric(metric, status_of(answer));
        for (const auto& value : answer.values) text_.Value(metric, value.instance, value.value);
        text_.EndMetric(next < differences.size() ? DeviationsOf(differences[next])
                                                  : std::vector<emulation::Deviation>());
        ++next;
      }
    }
    text_.EndFetch(undefined);
  }

  void Write(const FetchAnswer& fetch, std::size_t list) {
    Write(fetch.time, fetch.status, list, fetch.metrics,
          [](const replay::MetricAnswer& metric) { return metric.status; });
  }

  std::optional<Outcome> Replay() {
    replay::ReplayRequest request;
    request.metrics = asked_.known;
    request.instances = asked_.instances;
    request.memory = kMemory;
    request.direction = DirectionOf(arguments_.runs.front().seek->delta);
    const auto error = arguments_.runs.size() == 1 ? ReplaySteps(std::move(request))
                                                   : ReplayScript(std::move(request));
    if (error) return OutcomeOf(*error);
    return std::nullopt;
  }

  // Plain stepping: only the list of the first run is there.
  std::optional<Status> ReplaySteps(replay::ReplayRequest request) {
    const FetchRun& run = arguments_.runs.front();
    // The list as it is; where nothing in it is known, a metric that no archive has makes the
    // fetch.
    request.metrics.clear();
    for (const std::size_t position : asked_.lists[run.list]) {
      request.metrics.push_back(asked_.known[position]);
    }
    if (request.metrics.empty()) request.metrics.push_back(Pmid::Null());
    replay::ReplayContext context(archive_, std::move(request), arguments_.rule);
    const bool normalised = arguments_.rule->traits().normalised_time;
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

  std::optional<Status> ReplayScript(replay::ReplayRequest request) {
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
      script.push_back({now.time, run.seek.has_value(), asked_.lists[run.list]});
      now.time = replay::Advance(now.time, now.delta, normalised);
    }
    const FetchRun* run = arguments_.runs.data();
    const auto sink = [&](const FetchAnswer& fetch) { Write(fetch, (run++)->list); };
    return replay::FetchScript(archive_, std::move(request), arguments_.rule, script, sink);
  }

  std::optional<Outcome> Emulate() {
    for (const std::vector<std::size_t>& list : asked_.lists) {
      if (std::set(list.begin(), list.end()).size() == list.size()) continue;
      return Skip{"PCP never returns where one metric is asked for twice (DEV-12)"};
    }
    const auto log = emulation::RecordLog::Load(archive_, asked_.known, kMemory);
    if (!log) return OutcomeOf(log.error());
    std::vector<emulation::ExplainedStep> script;
    std::vector<std::size_t> lists;  // of each step
    for (const FetchRun& run : arguments_.runs) {
      for (std::uint64_t i = 0; i < run.count; ++i) {
        emulation::ExplainedStep& step = script.emplace_back();
        if (run.seek && i == 0) step.seek = {run.seek->time, run.seek->delta};
        step.metrics = asked_.lists[run.list];
        lists.push_back(run.list);
      }
    }
    std::string undefined;
    auto list = lists.begin();
    const auto sink = [&](const emulation::ExplainedFetch& fetch) {
      const emulation::EmulatedFetch& emulated = fetch.emulated;
      if (emulated.undefined && undefined.empty()) undefined = ToText(*emulated.undefined);
      Write(
          emulated.time, emulated.status, *list++, emulated.metrics,
          [](const emulation::EmulatedMetric& metric) {
            return static_cast<ErrorCode>(std::min(metric.numval, 0));
          },
          fetch.differences, undefined);
    };
    const emulation::ExplainRequest request{*arguments_.emulate, arguments_.counter_wrap,
                                            asked_.instances, kMemory};
    if (const auto error = emulation::Explain(archive_, **log, request, script, sink)) {
      return OutcomeOf(*error);
    }
    return std::nullopt;
  }

  const InterpArguments& arguments_;
  const ReplayArchive& archive_;
  AskedFor asked_;
  InterpText text_;
};

class ReplayInterp final : public Operation {
 public:
  ReplayInterp(const archive::Storage& storage, ProfileList profiles)
      : storage_(storage), profiles_(std::move(profiles)) {}

  std::string_view name() const override { return "replay.interp"; }

  Outcome Run(const Json& request) override {
    const auto arguments = ParseInterp(request, profiles_);
    if (!arguments) return arguments.error();
    const auto archive = OpenForReplay(storage_, arguments->paths);
    if (!archive) return OutcomeOf(archive.error());
    return InterpRun(*arguments, **archive).Run();
  }

 private:
  const archive::Storage& storage_;
  ProfileList profiles_;
};

}  // namespace

std::unique_ptr<Operation> MakeReplayInterp(const archive::Storage& storage,
                                            const ProfileList& profiles) {
  return std::make_unique<ReplayInterp>(storage, profiles);
}

}  // namespace pmproof::validator

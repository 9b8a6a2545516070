// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/compare_rules.h"

#include <algorithm>
#include <new>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include "reference/replay/replay.h"
#include "validator/replay/times.h"
#include "validator/rules_diff/answer_channel.h"
#include "validator/rules_diff/difference_log.h"
#include "validator/rules_diff/explainer.h"
#include "validator/rules_diff/find_records.h"
#include "validator/rules_diff/profile_side.h"

namespace pmproof::validator {
namespace {

using replay::FetchAnswer;

// What the answers of one value take at most, on their way from one thread to the other and in the
// contexts: so many values of one time are asked for together.
constexpr std::size_t kBytesOfValue = 2048;

// So many values, about, are asked of a bounded side at once: a few megabytes of JSON, and less
// than the seconds that an adapter is given. Others than numbers may be long.
constexpr std::uint64_t kValuesOfRequest = 100'000;
constexpr std::uint64_t kWeightOfContent = 50;

// Of the contexts a third of the memory each.
constexpr std::size_t kShares = 3;

Status OutOfMemory() {
  return {.kind = Status::Kind::kBudget, .message = "out of memory while replaying"};
}

class SideComparison {
 public:
  SideComparison(const replay::ReplayArchive& archive, Side& baseline, Side& candidate,
                 const CompareOptions& options)
      : archive_(archive), baseline_(baseline), candidate_(candidate), options_(options) {}

  Comparison Run() {
    found_.passed_over = archive_.passed_over();
    FindMetrics();
    FindTimes();
    found_.metrics = metrics_.size();
    if (metrics_.empty() || found_.times == 0) return std::move(found_);
    DifferenceLog log(archive_, baseline_, candidate_, metrics_, found_.interval);
    if (options_.explain) explainer_.emplace(*options_.explain, options_.counter_wrap);
    found_.failure = Compare(&log);
    log.Summarise(options_.examples, options_.most, &found_);
    if (explainer_) found_.unexplainable = explainer_->unknown();
    if (baseline_.profile() == nullptr && candidate_.profile() == nullptr && !found_.failure) {
      found_.failure = FindRecords(Task(), &found_);
    }
    return std::move(found_);
  }

 private:
  void FindMetrics() {
    std::vector<bool> known(options_.metrics.size(), false);
    for (const auto& [pmid, metric] : archive_.metrics()) {
      std::string name = metric.names.empty() ? ToText(pmid) : std::string(metric.names.front());
      bool wanted = options_.metrics.empty();
      for (std::size_t i = 0; i < options_.metrics.size(); ++i) {
        for (const std::string_view of : metric.names) {
          if (!IsAtOrBelow(of, options_.metrics[i])) continue;
          if (!wanted) name = of;
          known[i] = wanted = true;
        }
      }
      if (wanted) metrics_.push_back({metric.descriptor, std::move(name), {}});
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (!known[i]) found_.unknown.push_back(options_.metrics[i]);
    }
  }

  static bool IsAtOrBelow(std::string_view name, std::string_view node) {
    return name.starts_with(node) && (name.size() == node.size() || name[node.size()] == '.');
  }

  void FindTimes() {
    const std::optional<Timestamp> end = archive_.End();
    found_.start = options_.start.value_or(archive_.origin().start()).Normalised();
    found_.finish = options_.finish.value_or(end.value_or(found_.start)).Normalised();
    const std::int64_t span = NanosecondsBetween(found_.start, found_.finish);
    found_.interval_derived = !options_.interval;
    found_.interval = options_.interval.value_or(DeriveInterval(span));
    if (!end || span < 0) return;
    const std::uint64_t times = Times::CountBetween(found_.start, found_.finish, found_.interval);
    if (times > options_.limit) {
      found_.failure =
          Status{.kind = Status::Kind::kUsage,
                 .message = Times::TooMany(times, found_.start, found_.finish, options_.limit,
                                           "--finish, a longer --interval, or a larger --limit")};
      return;
    }
    found_.times = times;
  }

  SideTask Task() const { return {archive_, options_.paths, metrics_, options_.memory / kShares}; }

  // As many metrics together as the memory allows for one time.
  std::vector<SideRequest> WholeRequests() const {
    const std::size_t most = std::max<std::size_t>(1, options_.memory / kShares / kBytesOfValue);
    std::vector<SideRequest> requests;
    for (std::size_t first = 0; first < metrics_.size();) {
      std::size_t last = first;
      std::size_t values = 0;
      while (last < metrics_.size() && (last == first || values + ValuesOf(last) <= most)) {
        values += ValuesOf(last++);
      }
      requests.push_back({first, last, found_.start, found_.interval, found_.times});
      first = last;
    }
    return requests;
  }

  // As many metrics together as can be asked for at all times at once; one that is too large alone
  // is asked for at some times after the other.
  std::vector<SideRequest> BoundedRequests() const {
    const std::uint64_t memory = options_.memory / kShares / kBytesOfValue;
    const std::uint64_t most = std::clamp<std::uint64_t>(memory, 1, kValuesOfRequest);
    const std::uint64_t at_once = std::max<std::uint64_t>(1, most / found_.times);
    std::vector<SideRequest> requests;
    for (std::size_t first = 0; first < metrics_.size();) {
      std::size_t last = first;
      std::uint64_t weight = 0;
      while (last < metrics_.size() && (last == first || weight + WeightOf(last) <= at_once)) {
        weight += WeightOf(last++);
      }
      const std::uint64_t count =
          std::max<std::uint64_t>(1, most / std::max<std::uint64_t>(1, weight));
      for (std::uint64_t done = 0; done < found_.times; done += count) {
        const Timestamp start = found_.start + static_cast<std::int64_t>(done) * found_.interval;
        requests.push_back(
            {first, last, start, found_.interval, std::min(count, found_.times - done)});
      }
      first = last;
    }
    return requests;
  }

  std::size_t ValuesOf(std::size_t metric) const {
    return InstancesOf(archive_, metrics_[metric].descriptor);
  }
  std::uint64_t WeightOf(std::size_t metric) const {
    const bool number = IsNumeric(metrics_[metric].descriptor.type);
    return std::max<std::uint64_t>(1, ValuesOf(metric)) * (number ? 1 : kWeightOfContent);
  }

  std::optional<Status> Compare(DifferenceLog* log) {
    const bool bounded = baseline_.bounded() || candidate_.bounded() || explainer_;
    const std::vector<SideRequest> requests = bounded ? BoundedRequests() : WholeRequests();
    const SideTask task = Task();
    AnswerChannel channel;
    std::jthread answering([&] {
      try {
        channel.Close(baseline_.Answer(
            task, requests,
            [&](const FetchAnswer& answer, auto reasons) { return channel.Put(answer, reasons); }));
      } catch (const std::bad_alloc&) {
        channel.Abandon();
        channel.Close(OutOfMemory());
      }
    });
    // Whatever happens here, the other thread must not wait for ever.
    struct Abandoning {
      AnswerChannel& channel;
      ~Abandoning() { channel.Abandon(); }
    } const abandoning{channel};
    auto request = requests.begin();
    std::uint64_t done = 0;  // of this request
    bool ended = false;
    if (explainer_) {
      explainer_->Ask(task, *request);
      log->ExplainBy([&](std::size_t metric, std::optional<std::int32_t> instance,
                         const Reply& baseline, const Reply& candidate) {
        return explainer_->Explain(done, metric, instance, baseline, candidate);
      });
    }
    const auto compare = [&](const FetchAnswer& candidate, std::span<const Reason> reasons) {
      const SideAnswer* baseline = ended ? nullptr : channel.Next();
      ended = baseline == nullptr;
      if (ended) return false;
      const bool outside =
          baseline->fetch.status != ErrorCode::kOk && candidate.status != ErrorCode::kOk;
      if (outside && request->first == 0) ++found_.outside;
      if (!outside) {
        log->Compare({baseline->fetch, baseline->reasons}, {candidate, reasons}, request->first);
      }
      Tell(*request, ++done);
      if (done == request->count) {
        ++request;
        done = 0;
        if (explainer_ && request != requests.end()) explainer_->Ask(task, *request);
      }
      return true;
    };
    if (std::optional<Status> error = candidate_.Answer(task, requests, compare)) return error;
    while (!ended) ended = channel.Next() == nullptr;
    return channel.error();
  }

  void Tell(const SideRequest& request, std::uint64_t done) {
    answered_ += request.last - request.first;
    if (!options_.progress || done % 64 != 0) return;
    options_.progress(static_cast<double>(answered_) /
                      (static_cast<double>(metrics_.size()) * static_cast<double>(found_.times)));
  }

  const replay::ReplayArchive& archive_;
  Side& baseline_;
  Side& candidate_;
  const CompareOptions& options_;
  std::uint64_t answered_ = 0;  // metrics at a time
  std::vector<ComparedMetric> metrics_;
  std::optional<Explainer> explainer_;
  Comparison found_;
};

}  // namespace

std::int64_t DeriveInterval(std::int64_t span) {
  if (span <= 0) return 1'000'000'000;
  const std::int64_t about = span / 1000;
  for (std::int64_t unit = 1;; unit *= 10) {
    for (const std::int64_t prime : {11, 13, 17, 23, 31, 37, 43, 53, 73}) {
      if (prime * unit >= about) return prime * unit;
    }
  }
}

std::size_t InstancesOf(const replay::ReplayArchive& archive, const Descriptor& descriptor) {
  if (descriptor.indom.IsNull()) return 1;
  const replay::ReplayDomain* domain = archive.DomainOf(descriptor.indom);
  return domain == nullptr ? 0 : domain->candidates.size();
}

Comparison CompareSides(const replay::ReplayArchive& archive, Side& baseline, Side& candidate,
                        const CompareOptions& options) {
  return SideComparison(archive, baseline, candidate, options).Run();
}

Comparison CompareRules(const replay::ReplayArchive& archive, const replay::Profile& baseline,
                        const replay::Profile& candidate, const CompareOptions& options) {
  ProfileSide of_baseline(baseline);
  ProfileSide of_candidate(candidate);
  return CompareSides(archive, of_baseline, of_candidate, options);
}

Comparison ComparisonReport::Total() const {
  Comparison total;
  for (const Comparison& comparison : archives) {
    total.total += comparison.total;
    total.metrics += comparison.metrics;
    total.times += comparison.times;
    total.outside += comparison.outside;
    total.differing_series += comparison.differing_series;
    for (const auto& [key, group] : comparison.groups) {
      Group& to = total.groups[key];
      to.metrics += group.metrics;
      to.differing_metrics += group.differing_metrics;
      to.tally += group.tally;
    }
    for (const auto& [clauses, count] : comparison.clauses) total.clauses[clauses] += count;
    const auto add = [](const auto& from, auto* to) {
      for (const auto& [why, count] : from) (*to)[why] += count;
    };
    add(comparison.baseline_unanswered, &total.baseline_unanswered);
    add(comparison.candidate_unanswered, &total.candidate_unanswered);
    add(comparison.explained, &total.explained);
    add(comparison.unexplainable, &total.unexplainable);
  }
  return total;
}

}  // namespace pmproof::validator

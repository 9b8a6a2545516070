// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/compare_rules.h"

#include <algorithm>
#include <new>
#include <string_view>
#include <thread>
#include <utility>

#include "reference/replay/replay.h"
#include "validator/replay/times.h"
#include "validator/rules_diff/answer_channel.h"
#include "validator/rules_diff/difference_log.h"

namespace pmproof::validator {
namespace {

using replay::FetchAnswer;

// Times are asked for so many at once.
constexpr std::uint64_t kBatch = std::uint64_t{1} << 20;

// What the answers of one value take at most, on their way from one thread to the other and in the
// contexts: so many values of one time are asked for together.
constexpr std::size_t kBytesOfValue = 2048;

// Of the contexts a third of the memory each.
constexpr std::size_t kShares = 3;

Status OutOfMemory() {
  return {.kind = Status::Kind::kBudget, .message = "out of memory while replaying"};
}

class RuleComparison {
 public:
  RuleComparison(const replay::ReplayArchive& archive, const replay::Profile& baseline,
                 const replay::Profile& candidate, const CompareOptions& options)
      : archive_(archive), baseline_(baseline), candidate_(candidate), options_(options) {}

  Comparison Run() {
    found_.passed_over = archive_.passed_over();
    FindMetrics();
    FindTimes();
    found_.metrics = metrics_.size();
    if (metrics_.empty() || found_.times == 0) return std::move(found_);
    DifferenceLog log(archive_, *baseline_, *candidate_, metrics_, found_.interval);
    const std::size_t most = std::max<std::size_t>(1, options_.memory / kShares / kBytesOfValue);
    for (std::size_t first = 0; first < metrics_.size() && !found_.failure;) {
      std::size_t last = first;
      std::size_t cells = 0;
      while (last < metrics_.size() && (last == first || cells + CellsOf(last) <= most)) {
        cells += CellsOf(last++);
      }
      found_.outside = 0;
      found_.failure = CompareMetrics(first, last, &log);
      first = last;
    }
    log.Summarise(options_.examples, options_.most, &found_);
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

  std::size_t CellsOf(std::size_t metric) const {
    const Indom indom = metrics_[metric].descriptor.indom;
    if (indom.IsNull()) return 1;
    const replay::ReplayDomain* domain = archive_.DomainOf(indom);
    return domain == nullptr ? 0 : domain->candidates.size();
  }

  std::optional<Status> CompareMetrics(std::size_t first, std::size_t last, DifferenceLog* log) {
    AnswerChannel channel;
    std::jthread replaying([&] {
      try {
        channel.Close(Replay(baseline_, first, last,
                             [&channel](const FetchAnswer& answer) { channel.Put(answer); }));
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
    std::uint64_t done = 0;
    bool ended = false;
    const auto compare = [&](const FetchAnswer& candidate) {
      const FetchAnswer* baseline = ended ? nullptr : channel.Next();
      ended = baseline == nullptr;
      if (ended) return;
      const bool outside = baseline->status != ErrorCode::kOk && candidate.status != ErrorCode::kOk;
      found_.outside += outside ? 1 : 0;
      if (!outside) log->Compare(*baseline, candidate, first);
      Tell(first, last, ++done);
    };
    if (std::optional<Status> error = Replay(candidate_, first, last, compare)) return error;
    while (!ended) ended = channel.Next() == nullptr;
    return channel.error();
  }

  void Tell(std::size_t first, std::size_t last, std::uint64_t done) const {
    if (!options_.progress || done % 64 != 0) return;
    const double part = static_cast<double>(done) / static_cast<double>(found_.times);
    options_.progress((static_cast<double>(first) + part * static_cast<double>(last - first)) /
                      static_cast<double>(metrics_.size()));
  }

  std::optional<Status> Replay(const replay::Profile& profile, std::size_t first, std::size_t last,
                               const replay::AnswerSink& sink) const {
    replay::ReplayRequest request;
    for (std::size_t i = first; i < last; ++i) {
      request.metrics.push_back(metrics_[i].descriptor.pmid);
    }
    request.reasons = true;
    request.memory = options_.memory / kShares;
    replay::ReplayContext context(archive_, std::move(request), profile);
    for (std::uint64_t done = 0; done < found_.times;) {
      std::vector<Timestamp> times(std::min(kBatch, found_.times - done));
      for (Timestamp& time : times) {
        time = found_.start + static_cast<std::int64_t>(done++) * found_.interval;
      }
      if (std::optional<Status> error = context.Fetch(times, sink)) return error;
    }
    return std::nullopt;
  }

  const replay::ReplayArchive& archive_;
  const replay::Profile& baseline_;
  const replay::Profile& candidate_;
  const CompareOptions& options_;
  std::vector<ComparedMetric> metrics_;
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

Comparison CompareRules(const replay::ReplayArchive& archive, const replay::Profile& baseline,
                        const replay::Profile& candidate, const CompareOptions& options) {
  return RuleComparison(archive, baseline, candidate, options).Run();
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
  }
  return total;
}

}  // namespace pmproof::validator

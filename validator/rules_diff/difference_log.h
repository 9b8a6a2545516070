// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_DIFFERENCE_LOG_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_DIFFERENCE_LOG_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/replay/replay_archive.h"
#include "validator/rules_diff/comparison.h"
#include "validator/rules_diff/describe_answer.h"
#include "validator/rules_diff/side.h"

namespace pmproof::validator {

// What differs between two sides, taken down answer by answer, in whatever order: the outcome does
// not depend on it, as long as the answers of one metric come by time.
class DifferenceLog {
 public:
  // All of it outlives this. `interval`: of the comparison, in nanoseconds.
  DifferenceLog(const replay::ReplayArchive& archive, const Side& baseline, const Side& candidate,
                std::span<ComparedMetric> metrics, std::int64_t interval);

  // The answers of both at one time, with the reasons for those that are missing (SideSink).
  // `first`: the position of their first metric among all.
  struct Fetched {
    const replay::FetchAnswer& answer;
    std::span<const Reason> reasons;
  };
  void Compare(const Fetched& baseline, const Fetched& candidate, std::size_t first);

  // Asked of each difference: one that it explains (not "") is counted by that, and is no
  // difference of the comparison. `instance`: nothing where an error of the metric differs.
  using Explanation =
      std::function<std::string(std::size_t metric, std::optional<std::int32_t> instance,
                                const Reply& baseline, const Reply& candidate)>;
  void ExplainBy(Explanation explanation) { explanation_ = std::move(explanation); }

  // Fills in what was found: at most so many examples and series.
  void Summarise(std::size_t examples, std::size_t most, Comparison* comparison) const;

 private:
  struct Place {
    Timestamp time;
    std::size_t metric = 0;
    std::int32_t instance = kInstanceNull;
    auto operator<=>(const Place&) const = default;
  };
  struct Found {
    Place place;
    RuleAnswer baseline;
    RuleAnswer candidate;
  };
  using Kind = std::tuple<Semantics, MetricType, Difference, Clause, Clause>;
  struct Series {
    std::uint64_t differing = 0;
    double weight = 0;
    bool measured = false;
    Distance largest;
    Distance farthest;  // at `worst`
    Timestamp worst;
    Timestamp from;
    Timestamp to;
  };

  void CompareMetric(const replay::MetricAnswer& baseline, const replay::MetricAnswer& candidate,
                     std::size_t metric, Timestamp time);
  bool AreSame(const Value& a, const Value& b) const;
  void CompareReplies(const Reply& baseline, const Reply& candidate, const Place& place);
  void Note(Difference difference, const Reply& baseline, const Reply& candidate,
            const Place& place);
  void NoteExample(const Kind& kind, const Reply& baseline, const Reply& candidate,
                   const Place& place);
  void NoteSeries(const std::optional<Distance>& distance, const replay::Bounds* bounds,
                  const Place& place);
  SeriesName NameOf(std::size_t metric, std::int32_t instance, Timestamp time) const;

  const replay::ReplayArchive& archive_;
  const replay::Rule* baseline_;  // null: unknown
  const replay::Rule* candidate_;
  bool textual_;
  std::span<ComparedMetric> metrics_;
  std::int64_t interval_;
  Explanation explanation_;
  std::map<std::string, std::uint64_t> explained_;
  std::map<Reason, std::uint64_t> baseline_unanswered_;
  std::map<Reason, std::uint64_t> candidate_unanswered_;
  std::map<std::pair<Clause, Clause>, std::uint64_t> clauses_;
  std::map<Kind, std::vector<Found>> examples_;  // of each kind the first ones
  std::unordered_map<std::uint64_t, Series> series_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_DIFFERENCE_LOG_H_

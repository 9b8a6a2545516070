// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_DIFFERENCE_LOG_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_DIFFERENCE_LOG_H_

#include <compare>
#include <cstddef>
#include <cstdint>
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

namespace pmproof::validator {

// A metric of a comparison, and what was found of it.
struct ComparedMetric {
  Descriptor descriptor;
  std::string name;
  Tally tally;
};

// What differs between two rules, taken down answer by answer, in whatever order: the outcome does
// not depend on it, as long as the answers of one metric come by time.
class DifferenceLog {
 public:
  // All of it outlives this. `interval`: of the comparison, in nanoseconds.
  DifferenceLog(const replay::ReplayArchive& archive, const replay::Rule& baseline,
                const replay::Rule& candidate, std::span<ComparedMetric> metrics,
                std::int64_t interval)
      : archive_(archive),
        baseline_(baseline),
        candidate_(candidate),
        metrics_(metrics),
        interval_(interval) {}

  // The answers of both at one time. `first`: the position of their first metric among all.
  void Compare(const replay::FetchAnswer& baseline, const replay::FetchAnswer& candidate,
               std::size_t first);

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
  void CompareReplies(const Reply& baseline, const Reply& candidate, const Place& place);
  void Note(Difference difference, const Reply& baseline, const Reply& candidate,
            const Place& place);
  void NoteExample(const Kind& kind, const Reply& baseline, const Reply& candidate,
                   const Place& place);
  void NoteSeries(const std::optional<Distance>& distance, const replay::Bounds* bounds,
                  const Place& place);
  SeriesName NameOf(std::size_t metric, std::int32_t instance, Timestamp time) const;

  const replay::ReplayArchive& archive_;
  const replay::Rule& baseline_;
  const replay::Rule& candidate_;
  std::span<ComparedMetric> metrics_;
  std::int64_t interval_;
  std::map<std::pair<Clause, Clause>, std::uint64_t> clauses_;
  std::map<Kind, std::vector<Found>> examples_;  // of each kind the first ones
  std::unordered_map<std::uint64_t, Series> series_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_DIFFERENCE_LOG_H_

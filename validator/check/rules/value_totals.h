// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_VALUE_TOTALS_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_VALUE_TOTALS_H_

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "reference/archive/reporter.h"
#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"
#include "validator/check/rules/metric_table.h"
#include "validator/check/rules/usage.h"
#include "validator/check/rules/value_rules.h"

namespace pmproof::validator {

// Joins stretches of records that were checked apart, in their order: compares what crosses from
// one to the next, so that the outcome is that of one stretch (rules ARC-1814, 1825), and judges
// what only the whole shows (ARC-1807, 1832, 1833).
class ValueTotals {
 public:
  // `metrics` and `reporter` must outlive this.
  ValueTotals(const MetricTable& metrics, archive::Reporter& reporter)
      : metrics_(metrics), reporter_(reporter) {}

  // `records_before` is added to the ordinals of the stretch's records: one whose place was not
  // known counts them from 0.
  void Absorb(const ValueChecker& stretch, std::uint64_t records_before = 0);

  // What comes next does not follow what was before: no series goes on (ARC-1825).
  void ForgetSeries() { ++epoch_; }

  // The rules on the whole. `complete` is false where records could not be read.
  void Finish(bool complete);

  // What the metadata rules need to know.
  std::unordered_map<Pmid, MetricUsage> Metrics() const;

  std::uint64_t values() const { return values_; }
  std::uint64_t not_compared() const { return not_compared_; }

 private:
  struct Metric {
    Timestamp first_use;
    std::optional<Timestamp> first_value;
    archive::Location first_value_at;
    FormatClass last_class = FormatClass::kNone;
    SeriesState series;
    std::uint64_t epoch = 0;
  };

  void Compare(const MetricState& state, std::uint64_t records_before, Metric& metric);

  const MetricTable& metrics_;
  archive::Reporter& reporter_;
  std::unordered_map<Pmid, Metric> totals_;
  std::unordered_map<Pmid, Timestamp> event_parameters_;
  std::uint64_t epoch_ = 1;
  std::uint64_t values_ = 0;
  std::uint64_t not_compared_ = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_VALUE_TOTALS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_ANSWER_SPANS_H_
#define PMPROOF_VALIDATOR_SALVAGE_ANSWER_SPANS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/archive/metadata.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"
#include "validator/check/rules/metric_table.h"
#include "validator/salvage/loss_times.h"
#include "validator/salvage/salvage_report.h"

namespace pmproof::validator {

// Finds out where answers of replay over the new archive may be other than those over the archive
// before it was broken, from the records of the new one in their order. A lost observation was a
// bound (INT-302, INT-303) of all times between the one before and the one after it, so for a
// metric that is recorded once an hour one lost record costs the answers of two hours; and the mark
// that is written in a hole ends the values of discrete metrics (INT-502b), whatever was lost.
//
// A metric and instance that can have had values where something is lost, because the instance is
// listed then, is doubtful from its last value before, or a mark after that, to its first one after
// it, or a mark before that; if there is none, to the end of what is lost, or, if it is discrete,
// of the archive (INT-506). What is said of a metric is the union over its instances. If metadata
// are lost that candidates, lives and names of instances (INT-401, INT-403) rest on, it is doubtful
// at all times. A value set that is the only one lost of its metric
// can have been of any metric that has no value then: it may be the identifier that is damaged.
//
// Takes constant time for each value, and memory for each metric with values times the instances
// of its domain, at most `budget`; beyond it, metrics are doubtful at all times if anything is.
class AnswerSpans {
 public:
  // All outlive this. `metadata` is that of the new archive, and `table` has its metrics.
  AnswerSpans(const archive::Metadata& metadata, const MetricTable& table, const LossTimes& lost,
              std::size_t budget);

  // Data records and marks, with times that do not decrease.
  void Take(const archive::DataRecord& record);

  // `ends_early`: the last records that there were are gone since no value set of them is left, and
  // the archive ends sooner than it did.
  void Finish(bool ends_early, SalvageReport& report);

 private:
  // What is lost, and the marks that readers saw before it was: the last one up to `from`, and one
  // that no loss lies before, after `until`.
  struct Hole {
    TimeSpan span;
    std::optional<Timestamp> mark_before{};
    std::optional<Timestamp> mark_after{};
  };
  struct Instance {
    std::int32_t id = 0;
    Timestamp birth;                 // of the first record that lists it
    std::optional<Timestamp> death;  // of the record that does not list it any more
  };
  struct Domain {
    std::vector<Instance> instances;  // ascending
    std::unordered_map<std::int32_t, std::uint32_t> places;
  };
  struct Metric {
    Descriptor descriptor;
    const Domain* domain = nullptr;  // null without one
    bool dropped = false;            // the budget did not allow for it
    std::vector<Timestamp> last{};   // by instance: of its last value; empty before the first set
    std::vector<Hole> lost_sets{};
    std::size_t begun_sets = 0;  // how many of these begin before the last set
    std::vector<TimeSpan> spans{};
  };

  void TakeMark(Timestamp time);
  void BeginHoles(Timestamp time);
  bool Allocate(Metric& metric);
  void Observe(Metric& metric, std::size_t place, Timestamp time);
  void CloseAtEnd(Metric& metric);
  void Close(Metric& metric, const std::vector<Hole>& holes, std::size_t begun, Timestamp last,
             const Instance* instance, std::optional<Timestamp> next);
  bool LiesInHole(const TimeSpan& span) const;

  const MetricTable& table_;
  const MetadataDoubt& doubt_;
  std::size_t budget_;
  std::map<Indom, Domain> domains_;
  std::unordered_map<Pmid, Metric> metrics_;
  std::vector<Pmid> unknown_;  // whose descriptor is lost
  std::vector<Hole> holes_;    // ascending, disjoint
  std::size_t begun_ = 0;      // how many of them begin before the time of the last record
  std::optional<Timestamp> mark_;
  Timestamp time_ = TimeSpan::kBegin;  // of the last data record
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_ANSWER_SPANS_H_

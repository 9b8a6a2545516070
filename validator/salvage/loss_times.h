// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_LOSS_TIMES_H_
#define PMPROOF_VALIDATOR_SALVAGE_LOSS_TIMES_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"

namespace pmproof::validator {

// From a time to another one, both included.
struct TimeSpan {
  static constexpr Timestamp kBegin{std::numeric_limits<std::int64_t>::min(), 0};
  static constexpr Timestamp kEnd{std::numeric_limits<std::int64_t>::max(), 0};

  Timestamp from = kBegin;
  Timestamp until = kEnd;
  friend auto operator<=>(const TimeSpan&, const TimeSpan&) = default;
};

// Spans that overlap or meet are joined.
void Add(TimeSpan span, std::vector<TimeSpan>& ascending);

// What of .meta is lost that answers of replay rest on.
struct MetadataDoubt {
  bool any_domain = false;  // something that may have been a record of any domain
  std::set<Indom> domains;  // a record of them, or entries of one
  std::set<Pmid> metrics;   // a descriptor of them
};

// When what is lost was recorded, as far as it is known. Holds a bounded number of spans: where
// there are more, neighbours are joined, so that they say more than is lost and not less.
class LossTimes {
 public:
  MetadataDoubt metadata;

  // Records or marks with times in this span.
  void AddRecords(TimeSpan span);
  // A record or mark that stands where its time is out of order: it may have stood where it is not,
  // before or after what else has this time (INT-704).
  void AddOutOfOrder(Timestamp time) { AddRecords({time + -1, time + 1}); }
  // A value set of the metric.
  void AddSet(Pmid metric, Timestamp time);

  bool empty() const {
    return records_.empty() && sets_.empty() && !metadata.any_domain && metadata.domains.empty() &&
           metadata.metrics.empty();
  }

  // Ascending and disjoint.
  std::vector<TimeSpan> Records() const;
  std::map<Pmid, std::vector<TimeSpan>> Sets() const;

 private:
  static void Append(TimeSpan span, std::size_t most, std::vector<TimeSpan>& spans);

  std::vector<TimeSpan> records_;
  std::map<Pmid, std::vector<TimeSpan>> sets_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_LOSS_TIMES_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_USAGE_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_USAGE_H_

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"

namespace pmproof::validator {

// What the data volumes showed of one metric.
struct MetricUsage {
  // Of the first record with a value set for it, or with an event that has it as a parameter.
  Timestamp first_use;
  std::optional<Timestamp> first_value;  // of the first with numval > 0
  // The .meta offset of the next index entry after first_use (ARC-1336); nothing if there is none.
  std::optional<std::uint64_t> meta_offset_bound;
};

// What the rules on metadata need to know of the data volumes.
struct Usage {
  std::unordered_map<Pmid, MetricUsage> metrics;
  std::optional<Timestamp> first_record;
  bool complete = true;  // false where data could not be read: absence proves nothing then
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_USAGE_H_

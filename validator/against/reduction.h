// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_REDUCTION_H_
#define PMPROOF_VALIDATOR_AGAINST_REDUCTION_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "reference/archive/memory_budget.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/against/compare_values.h"
#include "validator/against/difference_log.h"
#include "validator/against/metric_pairs.h"
#include "validator/against/side.h"

namespace pmproof::validator::against {

// What the records of a reduced archive claim to be (ARC-656): answers of replay over the original,
// at times that are one interval apart.
struct Reduction {
  Timestamp first;
  Timestamp last;
  std::int64_t interval = 0;  // ns; the largest that all distances are multiples of; 0 of one time
  std::uint64_t times = 0;    // from first to last
  std::string as;             // whose answers they are, or come closest to: "PCP 6.3.8"
  std::uint64_t unobserved = 0;  // values left out since nothing of them was recorded (ARC-657)
};

// Holds the values and marks of a reduced archive against what the reduction of the original must
// have written (ARC-656 to 658), as the versions of PCP answer that can be emulated, or as the
// reference does, whichever comes closest. Each value that is another one, is missing or additional
// is logged, and so are values of the original before the first time and those that a record after
// the last one was to have.
//
// Errors: those of the files; kBudget; kUnsupported where replay cannot open the original.
Result<Reduction> CompareReduction(const archive::Storage& storage, const Side& original,
                                   const Side& replacement, const archive::MemoryBudget& budget,
                                   MetricPairs& metrics, DifferenceLog& log,
                                   const NameInstance& name, Totals* totals_original,
                                   Totals* totals_replacement);

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_REDUCTION_H_

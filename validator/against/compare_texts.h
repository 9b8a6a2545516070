// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_COMPARE_TEXTS_H_
#define PMPROOF_VALIDATOR_AGAINST_COMPARE_TEXTS_H_

#include "validator/against/difference_log.h"
#include "validator/against/metric_pairs.h"
#include "validator/against/side.h"

// What is said once for a whole archive, and has no time.

namespace pmproof::validator::against {

// Compares help texts. Of several for one metric or domain the last counts (ARC-433), of archives
// that are read together that of the last one (ARC-553). Those of metrics that are lost or added go
// with them.
void CompareHelp(const Side& original, const Side& replacement, const MetricPairs& metrics,
                 DifferenceLog& log);

// Compares the hosts and time zones of labels. What readers take from a label is that of the first
// archive (ARC-557); of the others only what no label of the other side has is a difference.
void CompareOrigin(const Side& original, const Side& replacement, DifferenceLog& log);

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_COMPARE_TEXTS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_DRAW_CURVES_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_DRAW_CURVES_H_

#include <cstddef>
#include <optional>

#include "validator/rules_diff/comparison.h"
#include "validator/rules_diff/side.h"

namespace pmproof::validator {

// Gives the first `count` of the metric-instances that differ most their curves: both sides at many
// times around the place where each differs most, and the records there. Each time is a fetch of
// its own: what a context remembers of earlier fetches (INT-706) is not in the curves. `comparison`
// is what comparing the same archive on the same sides gave; the metrics of `task` are not needed.
// Errors as of Side::AnswerPoints().
std::optional<Status> DrawCurves(const SideTask& task, Side& baseline, Side& candidate,
                                 std::size_t count, Comparison* comparison);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_DRAW_CURVES_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_RENDER_COMPARISON_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_RENDER_COMPARISON_H_

#include <ostream>

#include "reference/core/timestamp.h"
#include "validator/rules_diff/comparison.h"
#include "validator/text/terminal.h"

namespace pmproof::validator {

// For people.
void RenderComparisonText(const ComparisonReport& report, const Screen& screen, std::ostream& out);

// schema/rules_diff.schema.json.
void RenderComparisonJson(const ComparisonReport& report, std::ostream& out);

// One page that needs nothing else; without scripts it only has no search. `made`: the time that it
// shows.
void RenderComparisonHtml(const ComparisonReport& report, Timestamp made, std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_RENDER_COMPARISON_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_CHART_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_CHART_H_

#include <ostream>

#include "validator/rules_diff/comparison.h"

namespace pmproof::validator {

// Writes the curves of a series as an SVG element for a page: both rules, the archive's own
// observations as dots, its marks as vertical lines, and the compared times at which the answers
// differ. Numbers have a scale with units; strings and other contents stand on a line each. Colours
// come from the classes of the page's style. `id` is unique on the page.
void WriteChart(const DifferingSeries& series, const ComparisonReport& report, std::size_t id,
                std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_CHART_H_

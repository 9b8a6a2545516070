// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_CHART_TICKS_H_
#define PMPROOF_VALIDATOR_TEXT_CHART_TICKS_H_

#include <string>
#include <vector>

// The axes of the plots on pages.

namespace pmproof::validator {

struct ChartTick {
  long double at = 0;
  std::string label;
};

// Some five places from `low` to `high` that are round numbers; requires low < high. Labels have as
// many digits as tell them apart: "1500", "0.25", "1.2e+09".
std::vector<ChartTick> ChartTicks(long double low, long double high);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_CHART_TICKS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_BENCH_LINE_CHART_H_
#define PMPROOF_VALIDATOR_AGENT_BENCH_LINE_CHART_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "validator/text/chart_ticks.h"

// Plots of a page.

namespace pmproof::validator::agent_bench {

struct ChartAxis {
  std::string title{};
  double low = 0;
  double high = 1;           // above it
  bool logarithmic = false;  // then low > 0
  std::vector<ChartTick> ticks{};
};

struct ChartCurve {
  std::size_t agent = 0;                            // its colour
  std::string name{};                               // what a pointer on one of its points is told
  std::vector<std::pair<double, double>> points{};  // x ascending
  bool dots = false;                                // a dot at each point
};

// 1, 2 and 5 times the powers of ten from `low` to `high`, whose labels `text` gives.
template <typename Text>
std::vector<ChartTick> LogarithmicTicks(double low, double high, Text&& text) {
  std::vector<ChartTick> ticks;
  for (double power = 1; power <= high; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double at = factor * power;
      if (at >= low && at <= high) ticks.push_back({at, text(at)});
    }
  }
  return ticks;
}

// Writes an SVG element whose colours come from the classes of chart.css and agent_bench.css. `id`
// is unique on the page.
void WriteLineChart(const std::string& title, const ChartAxis& x, const ChartAxis& y,
                    const std::vector<ChartCurve>& curves, std::size_t id, std::ostream& out);

}  // namespace pmproof::validator::agent_bench

#endif  // PMPROOF_VALIDATOR_AGENT_BENCH_LINE_CHART_H_

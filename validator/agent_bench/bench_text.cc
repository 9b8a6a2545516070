// SPDX-License-Identifier: Apache-2.0
#include "validator/agent_bench/bench_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "validator/text/display.h"

namespace pmproof::validator::agent_bench {
namespace {

std::string Fixed(double number, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, number);
  return text.data();
}

// Three figures, or all before the point.
std::string ThreeFigures(double number) {
  return Fixed(number, number < 9.995 ? 2 : number < 99.95 ? 1 : 0);
}

// "1.24", "0.0031": so small a share is still more than none.
std::string ShareText(double share) {
  int digits = 2;
  for (double least = 0.0995; share < least && digits < 6; least /= 10) ++digits;
  return Fixed(share, digits);
}

// The measurement of the first agent beside this one, if there is one.
const Measurement* BesideOf(const BenchReport& report, const Measurement& measurement) {
  const auto found = std::ranges::find_if(report.measurements, [&](const Measurement& one) {
    return one.agent == 0 && one.clients == measurement.clients && one.all == measurement.all &&
           (one.all || one.metrics == measurement.metrics);
  });
  return found == report.measurements.end() ? nullptr : &*found;
}

std::string Seconds(Duration duration) {
  std::string text = Fixed(std::chrono::duration<double>(duration).count(), 3);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text + " s";
}

}  // namespace

std::string AgentLetter(std::size_t agent) {
  return std::string(1, static_cast<char>('A' + agent % 26));
}

std::string AgentText(const BenchAgent& agent) {
  if (!agent.started) return agent.transport;
  return agent.transport + ", " + Plural(agent.metrics, "metric") + " found by " + agent.names_from;
}

std::string EffortText(const BenchReport& report) {
  const Effort& effort = report.effort;
  std::string text = Seconds(effort.duration);
  if (effort.count) {
    text = std::to_string(*effort.count) + (*effort.count == 1 ? " fetch" : " fetches");
  }
  text += " for each line";
  if (report.agents.size() > 1) text += ", the agents in turn for a tenth of a second each";
  return text + "; " + std::to_string(report.processors) + " processors";
}

std::string LatencyText(Duration latency) {
  const auto nanoseconds = static_cast<double>(latency.count());
  constexpr std::pair<const char*, double> kUnits[] = {{" s", 1e9}, {" ms", 1e6}, {" us", 1e3}};
  for (const auto& [unit, size] : kUnits) {
    if (nanoseconds >= 0.9995 * size) return ThreeFigures(nanoseconds / size) + unit;
  }
  return Fixed(nanoseconds, 0) + " ns";
}

FigureTable FiguresOf(const BenchReport& report) {
  const bool several = report.agents.size() > 1;
  FigureTable table;
  table.head = {"clients", "metrics", "values"};
  if (several) table.head.emplace_back("agent");
  table.head.emplace_back("fetches/s");
  if (several) table.head.emplace_back("of A");
  for (const char* const name : {"p50", "p99", "p99.9", "max", "CPU/fetch", "answer"}) {
    table.head.emplace_back(name);
  }
  for (const Measurement& one : report.measurements) {
    std::vector<std::string> row = {std::to_string(one.clients), std::to_string(one.metrics),
                                    std::to_string(one.values)};
    if (several) row.push_back(AgentLetter(one.agent));
    row.push_back(ThreeFigures(one.FetchesASecond()));
    if (several) {
      const Measurement* const beside = BesideOf(report, one);
      row.push_back(beside == nullptr || beside->FetchesASecond() <= 0
                        ? ""
                        : ShareText(one.FetchesASecond() / beside->FetchesASecond()));
    }
    for (const double share : {0.5, 0.99, 0.999}) {
      row.push_back(LatencyText(one.latency.Quantile(share)));
    }
    row.push_back(LatencyText(one.latency.most()));
    row.push_back(LatencyText(one.CpuOfAFetch()));
    row.push_back(ByteSize(one.answer_bytes));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> Doubts(const BenchReport& report) {
  constexpr double kFar = 1.5;
  std::vector<std::string> doubts;
  double farthest = 0;
  bool repeated = false;
  for (const Measurement& one : report.measurements) {
    repeated |= one.metrics > report.agents[one.agent].metrics;
    if (one.slowest_slice > 0) {
      farthest = std::max(farthest, one.fastest_slice / one.slowest_slice);
    }
  }
  if (farthest >= kFar) {
    doubts.push_back("Within one line the number of fetches a second varied by a factor of " +
                     ThreeFigures(farthest) + ": the machine was not quiet.");
  }
  if (repeated) {
    doubts.emplace_back(
        "Some fetches ask for more metrics than the agent has: they ask for the same ones again "
        "[PDU-058].");
  }
  return doubts;
}

}  // namespace pmproof::validator::agent_bench

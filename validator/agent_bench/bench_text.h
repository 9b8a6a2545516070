// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_BENCH_BENCH_TEXT_H_
#define PMPROOF_VALIDATOR_AGENT_BENCH_BENCH_TEXT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "validator/agent_bench/bench_report.h"

// The words and figures of a report, the same in text and on the page.

namespace pmproof::validator::agent_bench {

// "A", "B" ...
std::string AgentLetter(std::size_t agent);

// "pipe, 5 metrics found by a scan of PMIDs"
std::string AgentText(const BenchAgent& agent);

// "2 s", "1000 fetches": of each agent for each line, and how that is done.
std::string EffortText(const BenchReport& report);

// Three figures: "9.12 us", "843 ns", "1.20 ms".
std::string LatencyText(Duration latency);

// Head and a row for each measurement. With several agents there is their letter and the number of
// fetches a second as a share of that of the first.
struct FigureTable {
  std::vector<std::string> head{};
  std::vector<std::vector<std::string>> rows{};
};
FigureTable FiguresOf(const BenchReport& report);

// What makes figures less than they seem; each a sentence.
std::vector<std::string> Doubts(const BenchReport& report);

}  // namespace pmproof::validator::agent_bench

#endif  // PMPROOF_VALIDATOR_AGENT_BENCH_BENCH_TEXT_H_

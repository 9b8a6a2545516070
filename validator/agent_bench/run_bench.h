// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_BENCH_RUN_BENCH_H_
#define PMPROOF_VALIDATOR_AGENT_BENCH_RUN_BENCH_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "validator/agent/knowledge.h"
#include "validator/agent/subject.h"
#include "validator/agent_bench/bench_report.h"

namespace pmproof::validator::agent_bench {

// As many PMIDs as fit into a FETCH that pmcd sends.
inline constexpr std::size_t kMostMetrics = 16377;

struct BenchOptions {
  Effort effort{};
  // How many metrics a fetch asks for; nothing: all of the agent's. Where it has fewer, they are
  // asked for again (PDU-058). Empty: 1, 10, 100 ... as far as every agent has more, and all.
  std::vector<std::optional<std::size_t>> metrics{};
  std::vector<std::size_t> clients{1, 8};  // who fetch in turn
  // Told how many measurements are done, of how many.
  std::function<void(std::size_t done, std::size_t all)> progress{};
  // True: nothing more is measured; the report is of no use then.
  std::function<bool()> stop{};
};

// Starts the agents, all of them, gets to know them, and measures one after the other in slices of
// a tenth of a second, so that what the machine does beside it meets all of them. Agents that fail
// say so in the report and are measured no more.
BenchReport RunBench(std::span<const agent::Subject> subjects, const agent::Discovery& discovery,
                     const BenchOptions& options);

}  // namespace pmproof::validator::agent_bench

#endif  // PMPROOF_VALIDATOR_AGENT_BENCH_RUN_BENCH_H_

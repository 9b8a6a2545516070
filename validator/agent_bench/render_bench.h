// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_BENCH_RENDER_BENCH_H_
#define PMPROOF_VALIDATOR_AGENT_BENCH_RENDER_BENCH_H_

#include <ostream>

#include "reference/core/timestamp.h"
#include "validator/agent_bench/bench_report.h"
#include "validator/text/terminal.h"

namespace pmproof::validator::agent_bench {

void RenderBenchText(const BenchReport& report, const Screen& screen, std::ostream& out);
// pmproof-agent-bench/1, validator/schema/agent_bench.schema.json.
void RenderBenchJson(const BenchReport& report, std::ostream& out);
// A page that needs no other file: the figures, and plots of the rate by metrics, of the latencies
// as a distribution, and of the memory over time. `made` stands in its head.
void RenderBenchHtml(const BenchReport& report, Timestamp made, std::ostream& out);

}  // namespace pmproof::validator::agent_bench

#endif  // PMPROOF_VALIDATOR_AGENT_BENCH_RENDER_BENCH_H_

// SPDX-License-Identifier: Apache-2.0
#include "validator/agent_bench/bench_text.h"
#include "validator/agent_bench/render_bench.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator::agent_bench {
namespace {

double SecondsOf(Duration duration) { return std::chrono::duration<double>(duration).count(); }

Json AgentJson(const BenchAgent& agent, std::size_t number) {
  Json memory = Json::array();
  for (const MemorySample& sample : agent.memory) {
    memory.push_back({{"at", SecondsOf(sample.at)}, {"resident_bytes", sample.resident_bytes}});
  }
  return {{"letter", AgentLetter(number)},
          {"command", agent.command},
          {"transport", agent.transport},
          {"metrics", agent.metrics},
          {"names_from", agent.names_from},
          {"remarks", agent.remarks},
          {"failure", agent.failure ? Json(*agent.failure) : Json(nullptr)},
          {"most_resident_bytes", agent.most_resident_bytes},
          {"memory", std::move(memory)}};
}

Json LatencyJson(const LatencyHistogram& latency) {
  Json buckets = Json::array();
  for (const LatencyHistogram::Bucket& bucket : latency.Buckets()) {
    buckets.push_back({bucket.most.count(), bucket.count});
  }
  return {{"least", latency.least().count()},      {"mean", latency.Mean().count()},
          {"p50", latency.Quantile(0.5).count()},  {"p90", latency.Quantile(0.9).count()},
          {"p99", latency.Quantile(0.99).count()}, {"p99_9", latency.Quantile(0.999).count()},
          {"most", latency.most().count()},        {"buckets", std::move(buckets)}};
}

Json MeasurementJson(const Measurement& one) {
  return {{"agent", AgentLetter(one.agent)},
          {"clients", one.clients},
          {"metrics", one.metrics},
          {"all_metrics", one.all},
          {"values", one.values},
          {"metrics_without_value", one.no_values},
          {"request_bytes", one.request_bytes},
          {"answer_bytes", one.answer_bytes},
          {"fetches", one.fetches},
          {"seconds", SecondsOf(one.spent)},
          {"fetches_a_second", one.FetchesASecond()},
          {"slowest_slice", one.slowest_slice},
          {"fastest_slice", one.fastest_slice},
          {"cpu_nanoseconds_a_fetch", one.CpuOfAFetch().count()},
          {"latency", LatencyJson(one.latency)}};
}

}  // namespace

void RenderBenchJson(const BenchReport& report, std::ostream& out) {
  Json agents = Json::array();
  for (std::size_t i = 0; i < report.agents.size(); ++i) {
    agents.push_back(AgentJson(report.agents[i], i));
  }
  Json measurements = Json::array();
  for (const Measurement& one : report.measurements) measurements.push_back(MeasurementJson(one));
  const Effort& effort = report.effort;
  const Json document = {
      {"schema", "pmproof-agent-bench/1"},
      {"tool", {{"name", "pmproof"}, {"version", kVersion}}},
      {"duration", effort.count ? Json(nullptr) : Json(SecondsOf(effort.duration))},
      {"count", effort.count ? Json(*effort.count) : Json(nullptr)},
      {"warm_up", effort.warm_up},
      {"processors", report.processors},
      {"doubts", Doubts(report)},
      {"agents", std::move(agents)},
      {"measurements", std::move(measurements)}};
  out << DumpJson(document, 2) << '\n';
}

}  // namespace pmproof::validator::agent_bench

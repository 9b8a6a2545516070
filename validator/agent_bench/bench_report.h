// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_BENCH_BENCH_REPORT_H_
#define PMPROOF_VALIDATOR_AGENT_BENCH_BENCH_REPORT_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/agent_bench/latency_histogram.h"

// What `agent bench` finds. Values.

namespace pmproof::validator::agent_bench {

using Duration = std::chrono::nanoseconds;

// How long each agent is measured for each number of metrics and clients.
struct Effort {
  Duration duration = std::chrono::seconds(2);
  std::optional<std::uint64_t> count{};  // of fetches, in place of a duration
  std::uint64_t warm_up = 100;           // fetches before it, at most as long as a second
};

struct MemorySample {
  Duration at{};  // since the first measurement of the run began
  std::uint64_t resident_bytes = 0;
};

struct BenchAgent {
  std::vector<std::string> command{};
  std::string transport{};   // as AgentReport has it
  std::string names_from{};  // how its metrics were found
  std::size_t metrics = 0;
  std::vector<std::string> remarks{};
  // Why it could not be measured to the end.
  std::optional<std::string> failure{};
  bool started = false;                   // it got through the handshake
  std::vector<MemorySample> memory{};     // at most kMostSamples, at even distances
  std::uint64_t most_resident_bytes = 0;  // of all times it was looked at
};

// What one agent did for one number of metrics and one of clients.
struct Measurement {
  std::size_t agent = 0;    // of the report's
  std::size_t metrics = 0;  // that a fetch asks for
  bool all = false;         // which are all it has (or as many as a PDU takes)
  std::size_t clients = 0;
  std::size_t values = 0;         // of the first answer
  std::size_t no_values = 0;      // metrics of it without one, or with an error
  std::size_t request_bytes = 0;  // PROFILE and FETCH of a client
  std::size_t answer_bytes = 0;
  std::uint64_t fetches = 0;
  Duration spent{};  // from the first request to the last answer of each slice
  Duration cpu{};    // of the agent's processes meanwhile
  LatencyHistogram latency{};
  // Fetches a second, of the slices it was measured in.
  double slowest_slice = 0;
  double fastest_slice = 0;

  double FetchesASecond() const {
    const double seconds = std::chrono::duration<double>(spent).count();
    return seconds > 0 ? static_cast<double>(fetches) / seconds : 0;
  }
  Duration CpuOfAFetch() const {
    return fetches > 0 ? cpu / static_cast<std::int64_t>(fetches) : Duration();
  }
};

struct BenchReport {
  static constexpr std::size_t kMostSamples = 512;

  Effort effort{};
  unsigned processors = 0;
  std::vector<BenchAgent> agents{};
  // By clients, then metrics, then agents.
  std::vector<Measurement> measurements{};
};

}  // namespace pmproof::validator::agent_bench

#endif  // PMPROOF_VALIDATOR_AGENT_BENCH_BENCH_REPORT_H_

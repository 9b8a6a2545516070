// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/reference_agents/trivial.h"

#include <utility>

#include "reference/pmda/reference_agents/agent_files.h"

namespace pmproof::pmda {

std::unique_ptr<Agent> MakeTrivial(std::function<std::uint64_t()> clock) {
  constexpr std::uint32_t kDomain = 250;
  constexpr Units kSeconds{0x01003000};
  auto agent = std::make_unique<Agent>(
      Agent::Identity{.name = "trivial", .domain = kDomain, .labels = false});
  agent->SetHelp(AgentHelp("trivial", "TRIVIAL", kDomain));  // PMD-206
  agent->AddMetric(                                          // PMD-200..202
      {.type = MetricType::kU64, .semantics = Semantics::kCounter, .units = kSeconds},
      [clock = std::move(clock)](std::int32_t) { return Value::Of(clock()); });
  return agent;
}

}  // namespace pmproof::pmda

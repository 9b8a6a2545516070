#include <ctime>

#include "reference/pmda/runtime/agent_main.h"

// An agent with one metric: the seconds since 1970. Install it under the name space node
// `clock { seconds 400:0:0 }`, or ask it with `pmproof agent check -- clock_agent`.
int main(int argc, char** argv) {
  using namespace pmproof;
  pmda::Agent agent({.name = "clock", .domain = 400});
  agent.AddMetric(
      {.type = MetricType::kU64,
       .semantics = Semantics::kCounter,
       .units = Units{0x01003000}},  // seconds
      [](std::int32_t) { return Value::Of(static_cast<std::uint64_t>(time(nullptr))); });
  return pmda::AgentMain(agent, argc, argv);
}

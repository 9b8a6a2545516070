// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_STUB_AGENTS_H_
#define PMPROOF_VALIDATOR_COLLECTOR_STUB_AGENTS_H_

#include <string_view>

#include "reference/pmda/transport/deadline.h"
#include "validator/collector/channel.h"

namespace pmproof::validator::collector {

// A stub agent that the collector has started. What `channel` receives is what the collector sends
// to the agent, beginning with its CREDS; closing it ends the agent.
struct StubAgent {
  std::string_view name;    // of its Role
  unsigned generation = 1;  // how many of that role there were with it
  pmda::Deadline::Clock::time_point started{};
  Channel channel;
};

// Where the stub agents of a collector are found.
class StubAgents {
 public:
  StubAgents() = default;
  StubAgents(const StubAgents&) = delete;
  StubAgents& operator=(const StubAgents&) = delete;
  virtual ~StubAgents() = default;

  // The stub agent of that role that was started last and is not before `generation`; null if there
  // is none at the deadline. Holds until a later one of that role is found.
  virtual StubAgent* Find(std::string_view role, unsigned generation, pmda::Deadline deadline) = 0;
};

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_STUB_AGENTS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_AGENT_LOG_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_AGENT_LOG_H_

#include <cstdint>
#include <string>

namespace pmproof::pmda {

// The end of what an agent wrote to its log. A value.
struct AgentLog {
  std::string text{};       // at most AgentCommand::log_size bytes
  std::uint64_t total = 0;  // bytes written altogether; those before `text` are lost
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_AGENT_LOG_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_REPLAY_PLAY_H_
#define PMPROOF_VALIDATOR_AGENT_REPLAY_PLAY_H_

#include <functional>
#include <string>
#include <vector>

#include "validator/agent/replay/compare.h"
#include "validator/agent/subject.h"
#include "validator/protocol_check/exchange_log.h"
#include "validator/protocol_check/recording.h"

namespace pmproof::validator::agent {

// A recorded exchange that was repeated with an agent. A value.
struct Played {
  // As many of the recorded steps as were repeated, each with what came of it.
  std::vector<Comparison> steps{};
  std::vector<ExchangeStep> now{};  // what happened; `at[i]` is the place of step i
  std::vector<std::size_t> at{};
  std::string stopped{};  // why the rest was not repeated; empty: all of it was
  std::string failure{};  // why the first agent could not even be started
  std::vector<AgentOutput> said{};
};

// Starts agents as `subject` says, and sends them the recorded octets in the recorded order. Ends
// where the agent does something else than to answer, or than not to answer, for what follows then
// has no meaning.
Played Play(const Subject& subject, const Recording& recording, const std::function<bool()>& stop);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_REPLAY_PLAY_H_

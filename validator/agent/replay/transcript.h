// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_REPLAY_TRANSCRIPT_H_
#define PMPROOF_VALIDATOR_AGENT_REPLAY_TRANSCRIPT_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "validator/agent/subject.h"
#include "validator/protocol_check/exchange_log.h"

namespace pmproof::validator::agent {

// Agents in memory that do again what they did in an exchange, as long as the check does what it
// did there. One thread.
class Transcript {
 public:
  // `steps` and `log`, which the check writes and which records, outlive this and its agents.
  Transcript(const std::vector<ExchangeStep>& steps, const ExchangeLog& log);

  // The next of the agents that were started.
  std::unique_ptr<AgentInMemory> Start();

  // Whether the check did something else than in the exchange, or wanted to know more than there
  // is in it.
  bool left();

 private:
  class Agent;

  // Looks at what the check did meanwhile.
  void Follow();

  const ExchangeLog& log_;
  std::vector<std::vector<const ExchangeStep*>> agents_{};  // the steps of each, without its start
  std::vector<std::size_t> done_{};                         // how many of them
  std::size_t started_ = 0;
  std::size_t followed_ = 0;  // steps of the log
  bool left_ = false;
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_REPLAY_TRANSCRIPT_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_REPLAY_JUDGE_H_
#define PMPROOF_VALIDATOR_AGENT_REPLAY_JUDGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "validator/agent/replay/exchange_file.h"

namespace pmproof::validator::agent {

// Whether the offence of a recorded failure is in an exchange. A value.
struct Judgement {
  enum class Kind : std::uint8_t {
    kAgain,    // the same failure, perhaps with other numbers in it
    kAnother,  // the check fails for something else
    kNotSeen,
    kUnknown,
  };

  Kind kind = Kind::kUnknown;
  std::string because{};  // what the check says of it, or why that is not known
};

// Makes the check anew with an agent in memory that does what the agent of `now` did, which are the
// recorded steps as they went in another agent. What a check sees besides the exchange, such as
// files and memory of a process, is not known. `limits`: how much the check asks (the default of
// all but tests).
Judgement Judge(const RecordedFailure& failure, const ExchangeFile& file,
                const std::vector<ExchangeStep>& now, const Limits& limits = {});

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_REPLAY_JUDGE_H_

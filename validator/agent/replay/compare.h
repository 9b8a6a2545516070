// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_REPLAY_COMPARE_H_
#define PMPROOF_VALIDATOR_AGENT_REPLAY_COMPARE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "validator/protocol_check/recording.h"

namespace pmproof::validator::agent {

// What an agent did in place of what it did when it was recorded. A value.
struct Comparison {
  enum class Kind : std::uint8_t {
    kSame,
    kMoved,  // the same but for values of metrics, or the number of its process
    kOther,
  };

  Kind kind = Kind::kSame;
  // Of what is not the same, field by field: "code: -12358, now 0". Bounded.
  std::vector<std::string> differences{};
};

// Of a step that the agent made: an answer, silence, an end.
Comparison Compare(const ExchangeStep& recorded, const ExchangeStep& now);

// For people: the PDU with its fields, "no answer within 5000 ms", "end of file, exit status 1".
std::string StepText(const ExchangeStep& step);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_REPLAY_COMPARE_H_

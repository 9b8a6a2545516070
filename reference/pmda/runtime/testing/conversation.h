// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_TESTING_CONVERSATION_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_TESTING_CONVERSATION_H_

#include <string>

#include "reference/pmda/runtime/agent_responder.h"

namespace pmproof::pmda {

// A collector that talks to an agent without a channel. Answers are told as pdu::ToText does, a
// line for each PDU; "silent" where there is none.
class Conversation {
 public:
  // Set up already.
  explicit Conversation(Agent& agent, const pdu::Strictness& strictness = pdu::kV72);

  std::string Ask(const pdu::Body& request, std::int32_t from = 0);
  std::string AskBytes(Bytes request);
  pdu::Buffer Answer(Bytes request);

  AgentResponder& responder() { return responder_; }

 private:
  AgentResponder responder_;
};

// All PDUs of a buffer; "not a PDU: ..." for one that is none.
std::string AllToText(Bytes pdus);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_TESTING_CONVERSATION_H_

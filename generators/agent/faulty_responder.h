// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_AGENT_FAULTY_RESPONDER_H_
#define PMPROOF_GENERATORS_AGENT_FAULTY_RESPONDER_H_

#include <cstddef>
#include <cstdint>

#include "generators/agent/fault.h"
#include "generators/agent/model_agent.h"
#include "reference/pmda/runtime/agent_responder.h"
#include "reference/pmda/runtime/serve.h"

namespace pmproof::generators {

// The agent of a model, with a fault or, for null, without.
class FaultyResponder final : public pmda::Responder {
 public:
  // `agent` and `fault` live longer. `process` is what CREDS is from.
  FaultyResponder(ModelAgent& agent, const Fault* fault, std::int32_t process, int start = 1);

  void Begin(pdu::Buffer* out) override;
  Next Respond(Bytes request, pdu::Buffer* out) override;
  pmda::Deadline wakes() const override { return sound_.wakes(); }
  bool waiting() const override { return sound_.waiting(); }
  void Wake(pdu::Buffer* out) override;

  // To be called before the loop reads.
  void Reads() { context_.at_once = 0; }
  // Nothing comes. Appends what the agent says.
  void Idle(pdu::Buffer* out);
  // A piece of a PDU of that size was read.
  void TornAt(std::size_t size);
  // The loop has ended. Appends what the agent still says; true if it goes on nevertheless.
  bool Ended(const pmda::Served& served, std::size_t pending, pdu::Buffer* out);

  FaultContext& context() { return context_; }
  const FaultContext& context() const { return context_; }
  const Fault* fault() const { return fault_; }

 private:
  pmda::AgentResponder sound_;
  const Fault* fault_;
  FaultContext context_;
  pdu::Decoder decoder_;
  pdu::Buffer handed_;
  pdu::Buffer reply_;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_FAULTY_RESPONDER_H_

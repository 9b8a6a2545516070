#ifndef PMPROOF_GENERATORS_AGENT_FAULTY_RESPONDER_H_
#define PMPROOF_GENERATORS_AGENT_FAULTY_RESPONDER_H_

#include <cstdint>

#include "generators/agent/fault.h"
#include "generators/agent/model_agent.h"
#include "reference/pmda/agent/agent_responder.h"

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
  void Wake(pdu::Buffer* out) override { sound_.Wake(out); }

  // Nothing comes; the request channel was closed. Both append what the agent says.
  void Idle(pdu::Buffer* out);
  void Farewell(pdu::Buffer* out);

  // How the channel ended, as far as the agent sees it.
  enum class End : std::uint8_t { kEndOfFile, kInsidePdu, kMuted, kFraming };
  // Whether it goes on nevertheless.
  bool Stays(End end) const;

  Scene& scene() { return scene_; }
  const Scene& scene() const { return scene_; }
  const Fault* fault() const { return fault_; }

 private:
  pmda::AgentResponder sound_;
  const Fault* fault_;
  Scene scene_;
  pdu::Decoder decoder_;
  pdu::Buffer handed_;
  pdu::Buffer reply_;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_FAULTY_RESPONDER_H_

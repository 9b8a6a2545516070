// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_RESPONDER_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_RESPONDER_H_

#include <cstdint>
#include <vector>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/pdu.h"
#include "reference/pmda/pdu/result_builder.h"
#include "reference/pmda/runtime/active_profile.h"
#include "reference/pmda/runtime/agent.h"
#include "reference/pmda/runtime/responder.h"

namespace pmproof::pmda {

// The agent's side of the protocol: chapters 7, 8 and 10, without the defects of 10.4. Keeps its
// memory: the fetch of numbers allocates nothing once it was done before.
class AgentResponder final : public Responder {
 public:
  // `agent` lives longer. `process` is what CREDS is from (PDU-130).
  AgentResponder(Agent& agent, std::int32_t process, const pdu::Strictness& strictness = pdu::kV72);

  void Begin(pdu::Buffer* out) override;
  Next Respond(Bytes request, pdu::Buffer* out) override;
  Deadline wakes() const override { return agent_.ready_at(); }
  bool waiting() const override { return waiting_; }
  void Wake(pdu::Buffer* out) override;

 private:
  Next Connect(Bytes creds, pdu::Buffer* out);
  void Answer(const pdu::Body& request, pdu::Buffer* out);

  void On(const pdu::Fetch& fetch, pdu::Buffer* out);
  void On(const pdu::DescReq& request, pdu::Buffer* out);
  void On(const pdu::InstanceReq& request, pdu::Buffer* out);
  void On(const pdu::TextReq& request, pdu::Buffer* out);
  void On(const pdu::LabelReq& request, pdu::Buffer* out);
  void On(const pdu::Result& store, pdu::Buffer* out);
  void On(const pdu::PmnsNames& request, pdu::Buffer* out);
  void On(const pdu::PmnsIds& request, pdu::Buffer* out);
  void On(const pdu::PmnsChild& request, pdu::Buffer* out);
  void On(const pdu::PmnsTraverse& request, pdu::Buffer* out);
  void On(const pdu::Profile& profile);
  void On(const pdu::Attr& attr);
  void On(const pdu::Error& error);

  void AddValues(Pmid pmid);
  bool NamesAnswered(pdu::Buffer* out, ErrorCode without_names);
  void Send(pdu::Body body, pdu::Buffer* out);
  void SendError(ErrorCode code, pdu::Buffer* out);

  Agent& agent_;
  std::int32_t process_;
  bool connected_ = false;
  bool waiting_ = false;  // NOTREADY was said, READY was not
  pdu::Decoder decoder_;
  ActiveProfile profile_;
  pdu::ResultBuilder result_;
  std::vector<pdu::InstanceEntry> instances_;
  std::vector<pdu::LabelSet> label_sets_;
  std::vector<pdu::PmnsName> names_;
  std::vector<pdu::ValueSet> stored_;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_RESPONDER_H_

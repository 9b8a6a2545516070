#include "generators/agent/faulty_responder.h"

namespace pmproof::generators {

FaultyResponder::FaultyResponder(ModelAgent& agent, const Fault* fault, std::int32_t process,
                                 int start)
    : sound_(agent.agent(), process),
      fault_(fault),
      scene_(agent.model(), agent.agent().domain(), start) {
  scene_.sound = [this](Bytes request) {
    pdu::Buffer reply;
    (void)sound_.Respond(request, &reply);
    return reply;
  };
}

void FaultyResponder::Begin(pdu::Buffer* out) {
  reply_.clear();
  sound_.Begin(&reply_);
  if (fault_ != nullptr && fault_->begin != nullptr) fault_->begin(scene_, reply_);
  out->insert(out->end(), reply_.begin(), reply_.end());
}

pmda::Responder::Next FaultyResponder::Respond(Bytes request, pdu::Buffer* out) {
  if (scene_.dead) return Next::kEnd;
  ++scene_.requests;
  if (fault_ == nullptr) return sound_.Respond(request, out);
  const auto decoded = decoder_.Decode(request);
  const pdu::Header header = pdu::LoadHeader(request);
  const Request seen{.bytes = request,
                     .type = header.type,
                     .from = header.from,
                     .decoded = decoded ? &*decoded : nullptr};
  handed_.assign(request.begin(), request.end());
  if (fault_->request != nullptr) fault_->request(scene_, seen, handed_);
  reply_.clear();
  Next next = Next::kGoOn;
  if (!handed_.empty() && !scene_.dead) next = sound_.Respond(handed_, &reply_);
  if (fault_->reply != nullptr && !scene_.dead) fault_->reply(scene_, seen, reply_);
  scene_.connected = true;
  if (scene_.dead) return Next::kEnd;
  out->insert(out->end(), reply_.begin(), reply_.end());
  return next;
}

void FaultyResponder::Idle(pdu::Buffer* out) {
  if (fault_ != nullptr && fault_->idle != nullptr && !scene_.dead) fault_->idle(scene_, *out);
}

void FaultyResponder::Farewell(pdu::Buffer* out) {
  if (fault_ != nullptr && fault_->farewell != nullptr && !scene_.dead) {
    fault_->farewell(scene_, *out);
  }
}

bool FaultyResponder::Stays(End end) const {
  if (fault_ == nullptr) return false;
  const Fault::Stays& stays = fault_->stays;
  switch (end) {
    case End::kFraming:
      return stays.framing;
    case End::kMuted:
      return stays.muted;
    case End::kInsidePdu:
      return stays.inside_pdu;
    case End::kEndOfFile:
      break;
  }
  return scene_.connected ? stays.idle : stays.before_creds;
}

}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
#include "generators/agent/faulty_responder.h"

#include <algorithm>

namespace pmproof::generators {

FaultyResponder::FaultyResponder(ModelAgent& agent, const Fault* fault, std::int32_t process,
                                 int start)
    : sound_(agent.agent(), process),
      fault_(fault),
      context_(agent.model(), agent.agent().domain(), start) {
  context_.sound = [this](Bytes request) {
    pdu::Buffer reply;
    (void)sound_.Respond(request, &reply);
    return reply;
  };
}

void FaultyResponder::Begin(pdu::Buffer* out) {
  reply_.clear();
  sound_.Begin(&reply_);
  if (fault_ != nullptr && fault_->begin != nullptr) fault_->begin(context_, reply_);
  out->insert(out->end(), reply_.begin(), reply_.end());
}

pmda::Responder::Next FaultyResponder::Respond(Bytes request, pdu::Buffer* out) {
  if (context_.dead) return Next::kEnd;
  ++context_.requests;
  ++context_.at_once;
  context_.bodies.clear();
  if (fault_ == nullptr) return sound_.Respond(request, out);
  const auto decoded = decoder_.Decode(request);
  const pdu::Header header = pdu::LoadHeader(request);
  const Request seen{.bytes = request,
                     .type = header.type,
                     .from = header.from,
                     .decoded = decoded ? &*decoded : nullptr};
  handed_.assign(request.begin(), request.end());
  if (fault_->request != nullptr) fault_->request(context_, seen, handed_);
  reply_.clear();
  Next next = Next::kGoOn;
  if (!handed_.empty() && !context_.dead) next = sound_.Respond(handed_, &reply_);
  if (fault_->reply != nullptr && !context_.dead) fault_->reply(context_, seen, reply_);
  context_.connected = true;
  if (context_.dead) return Next::kEnd;
  out->insert(out->end(), reply_.begin(), reply_.end());
  return next;
}

void FaultyResponder::Wake(pdu::Buffer* out) {
  reply_.clear();
  sound_.Wake(&reply_);
  const bool edits = !reply_.empty() && fault_ != nullptr && fault_->wake != nullptr;
  if (edits) fault_->wake(context_, reply_);
  out->insert(out->end(), reply_.begin(), reply_.end());
}

void FaultyResponder::Idle(pdu::Buffer* out) {
  if (fault_ != nullptr && fault_->idle != nullptr && !context_.dead) fault_->idle(context_, *out);
}

void FaultyResponder::TornAt(std::size_t size) {
  if (fault_ != nullptr && fault_->reads_once && size < pdu::kHeaderSize) context_.Die(0);
}

bool FaultyResponder::Ended(const pmda::Served& served, std::size_t pending, pdu::Buffer* out) {
  if (fault_ == nullptr || context_.dead || served.end == pmda::Served::End::kResponder)
    return false;
  ChannelEnd end = context_.connected ? ChannelEnd::kIdle : ChannelEnd::kBeforeCreds;
  if (pending > 0) end = ChannelEnd::kInsidePdu;
  if (served.muted) end = ChannelEnd::kMuted;
  if (served.end == pmda::Served::End::kFraming) {
    const bool type = served.fault && served.fault->offset == 4;
    end = type ? ChannelEnd::kBadType : ChannelEnd::kBadLength;
  }
  if (fault_->farewell != nullptr) fault_->farewell(context_, end, *out);
  return !context_.dead && std::ranges::find(fault_->stays, end) != fault_->stays.end();
}

}  // namespace pmproof::generators

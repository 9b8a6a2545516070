// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/runtime/testing/conversation.h"

#include <array>

#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/pdu/pdu_text.h"

namespace pmproof::pmda {

std::string AllToText(Bytes pdus) {
  if (pdus.empty()) return "silent";
  std::string text;
  pdu::FrameReader frames;
  frames.Append(pdus);
  pdu::Decoder decoder;
  while (frames.pending() > 0) {
    if (!text.empty()) text += '\n';
    const auto frame = frames.Next();
    if (!frame || !*frame) return text + "not a PDU";
    const auto decoded = decoder.Decode(**frame);
    text += decoded ? pdu::ToText(*decoded) : "not a PDU: " + decoded.error().ToText();
  }
  return text;
}

Conversation::Conversation(Agent& agent, const pdu::Strictness& strictness)
    : responder_(agent, 1234, strictness) {
  pdu::Buffer said;
  responder_.Begin(&said);
  const std::array version = {pdu::Credential::Version(pdu::kProtocolVersion, 0)};
  pdu::Buffer creds;
  (void)pdu::Encode({4321, pdu::Creds{version}}, &creds);
  (void)responder_.Respond(creds, &said);
}

pdu::Buffer Conversation::Answer(Bytes request) {
  pdu::Buffer out;
  (void)responder_.Respond(request, &out);
  return out;
}

std::string Conversation::AskBytes(Bytes request) { return AllToText(Answer(request)); }

std::string Conversation::Ask(const pdu::Body& request, std::int32_t from) {
  pdu::Buffer bytes;
  if (const auto encoded = pdu::Encode({from, request}, &bytes); !encoded) {
    return "not asked: " + encoded.error().ToText();
  }
  return AskBytes(bytes);
}

}  // namespace pmproof::pmda

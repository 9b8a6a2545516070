// SPDX-License-Identifier: Apache-2.0
// 16.6, PDUs that get no answer, and bytes that are not a PDU.

#include <csignal>

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/faults/faults.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;

bool IsUnknownType(const Request& request) {
  const auto type = static_cast<std::int32_t>(request.type);
  return type < 0x7000 || type > 0x7017 || type == 0x700b;
}
bool IsClientsType(const Request& request) {
  return request.type == PduType::kHighresFetch || request.type == PduType::kDescIds;
}
bool IsWrongWay(const Request& request) {
  return request.type == PduType::kDesc || request.type == PduType::kInstance ||
         request.type == PduType::kText || request.type == PduType::kLabel;
}
bool IsError(const Request& request) { return request.type == PduType::kError; }
bool IsLateCreds(const FaultContext& context, const Request& request) {
  return context.connected && request.type == PduType::kCreds;
}
bool EndsClient(const Request& request) {
  const auto* error = request.As<pdu::Error>();
  return error != nullptr && error->code == pdu::kErrNotConnected;
}
bool IsAttr(const Request& request) { return request.type == PduType::kAttr; }
bool HasOddLength(const Request& request) { return request.bytes.size() % 4 != 0; }

}  // namespace

std::vector<Fault> StrayFaults() {
  return {
      {.id = "unknown-type-is-answered",
       .check = "CKA-130"_clause,
       .does = "a PDU of an unknown type is answered with an ERROR",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (IsUnknownType(request)) reply = ErrorReply(pdu::kErrIpc);
           }},
      {.id = "clients-type-kills",
       .check = "CKA-130"_clause,
       .does = "it crashes on HIGHRES_FETCH and DESC_IDS",
       .together = {"CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             if (IsClientsType(request)) context.Die(SIGSEGV);
           }},
      {.id = "wrong-way-kills",
       .check = "CKA-131"_clause,
       .does = "it crashes on PDUs that only an agent sends",
       .together = {"CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             if (IsWrongWay(request)) context.Die(SIGSEGV);
           }},
      {.id = "wrong-way-is-answered-twice",
       .check = "CKA-131"_clause,
       .does = "PDUs that only an agent sends are answered with two ERRORs",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (!IsWrongWay(request)) return;
             reply = ErrorReply(pdu::kErrIpc);
             Append(reply, ErrorReply(pdu::kErrIpc));
           }},
      {.id = "second-creds-are-answered",
       .check = "CKA-132"_clause,
       .does = "second CREDS are answered with CREDS",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (IsLateCreds(context, request)) {
               reply.assign(request.bytes.begin(), request.bytes.end());
             }
           }},
      {.id = "empty-creds-kill",
       .check = "CKA-132"_clause,
       .does = "it ends when second CREDS have no credentials",
       .request =
           [](FaultContext& context, const Request& request, Buffer& handed) {
             if (IsLateCreds(context, request) && GetU32(handed, 12) == 0) context.Die(0);
           }},
      {.id = "error-is-answered",
       .check = "CKA-133"_clause,
       .does = "an ERROR other than PM_ERR_NOTCONN is answered with an ERROR",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (IsError(request) && !EndsClient(request)) reply = ErrorReply(pdu::kErrIpc);
           }},
      {.id = "short-error-kills",
       .check = "CKA-133"_clause,
       .does = "it crashes on an ERROR of 12 bytes",
       .together = {"CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             if (IsError(request) && request.bytes.size() == 12) context.Die(SIGSEGV);
           }},
      {.id = "end-of-an-unknown-client-is-answered",
       .check = "CKA-134"_clause,
       .does = "the end of a client whose number is above 100 or below 0 is answered",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (EndsClient(request) && (request.from > 100 || request.from < 0)) {
               reply = ErrorReply(pdu::kErrNotConnected);
             }
           }},
      {.id = "bad-length-is-answered",
       .check = "CKA-135"_clause,
       .does = "a PDU of an impossible length is answered with an ERROR",
       .farewell =
           [](FaultContext&, ChannelEnd end, Buffer& out) {
             if (end == ChannelEnd::kBadLength) out = ErrorReply(pdu::kErrIpc);
           }},
      {.id = "bad-length-is-survived",
       .check = "CKA-135"_clause,
       .does = "it goes on, deaf, after a PDU of an impossible length",
       .stays = {ChannelEnd::kBadLength}},
      {.id = "bad-length-kills",
       .check = "CKA-135"_clause,
       .does = "it crashes on a PDU of an impossible length",
       .together = {"CKA-167"_clause},
       .farewell =
           [](FaultContext& context, ChannelEnd end, Buffer&) {
             if (end == ChannelEnd::kBadLength) context.Die(SIGSEGV);
           }},
      {.id = "bad-type-kills",
       .check = "CKA-136"_clause,
       .does = "it crashes on a PDU whose type is not positive",
       .together = {"CKA-167"_clause},
       .farewell =
           [](FaultContext& context, ChannelEnd end, Buffer&) {
             if (end == ChannelEnd::kBadType) context.Die(SIGSEGV);
           }},
      {.id = "short-attribute-kills",
       .check = "CKA-150"_clause,
       .does = "it crashes on an ATTR of 12 bytes",
       .together = {"CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             if (IsAttr(request) && request.bytes.size() == 12) context.Die(SIGSEGV);
           }},
      {.id = "long-attribute-is-answered",
       .check = "CKA-150"_clause,
       .does = "an ATTR of more than 4095 bytes is answered with an ERROR",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (IsAttr(request) && request.decoded == nullptr && request.bytes.size() > 4000) {
               reply = ErrorReply(pdu::kErrIpc);
             }
           }},
      {.id = "odd-attribute-swallows-the-next",
       .check = "CKA-154"_clause,
       .does = "an ATTR whose length is odd takes the next request with it",
       .together = {"CKA-100"_clause, "CKA-101"_clause},
       .no_features = true,
       .request =
           [](FaultContext& context, const Request& request, Buffer& handed) {
             if (context.count == 1) handed.clear();
             context.count = IsAttr(request) && HasOddLength(request) ? 1 : 0;
           }},
  };
}

}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/collector_session.h"

#include <unistd.h>

#include <system_error>
#include <variant>

#include "reference/pmda/transport/transfer.h"

namespace pmproof::pmda {
namespace {

using Kind = SessionFailure::Kind;

tl::unexpected<SessionFailure> Fail(Kind kind, pdu::PduError error = {}) {
  return tl::unexpected(SessionFailure{.kind = kind, .error = error});
}

tl::unexpected<SessionFailure> Fail(const Transfer& transfer) {
  switch (transfer.outcome) {
    case Transfer::Outcome::kTimeout:
      return Fail(Kind::kTimeout);
    case Transfer::Outcome::kEndOfFile:
      return Fail(Kind::kEndOfFile);
    case Transfer::Outcome::kMoved:
    case Transfer::Outcome::kBroken:
    case Transfer::Outcome::kClosed:
    case Transfer::Outcome::kFailed:
      break;
  }
  return tl::unexpected(SessionFailure{.kind = Kind::kBroken, .system_error = transfer.error});
}

}  // namespace

std::string SessionFailure::ToText() const {
  switch (kind) {
    case Kind::kTimeout:
      return "no answer in time";
    case Kind::kEndOfFile:
      return "end of file";
    case Kind::kBroken:
      return system_error == 0 ? "closed"
                               : std::error_code(system_error, std::generic_category()).message();
    case Kind::kFraming:
    case Kind::kDecoding:
    case Kind::kUnsendable:
      return error.ToText();
  }
  return "unknown";
}

tl::expected<AgentGreeting, SessionFailure> Session::Greet(Deadline deadline) {
  const auto first = Receive(deadline);
  if (!first) return tl::unexpected(first.error());
  const auto* creds = std::get_if<pdu::Creds>(&first->body);
  if (creds == nullptr) {
    return Fail(
        Kind::kDecoding,
        {.clause = "PDU-132"_clause, .offset = 4, .field = "type", .message = "is not CREDS"});
  }
  AgentGreeting greeting{.from = first->from};
  for (const pdu::Credential& credential : creds->credentials) {
    if (credential.type != pdu::kVersionCredential) continue;
    greeting.version = credential.version();
    greeting.flags = credential.flags();
  }
  const pdu::Credential ours[] = {
      pdu::Credential::Version(pdu::kProtocolVersion, greeting.flags & pdu::kFeatureAuth)};
  const auto sent =
      Send({.from = static_cast<std::int32_t>(getpid()), .body = pdu::Creds{ours}}, deadline);
  if (!sent) return tl::unexpected(sent.error());
  return greeting;
}

tl::expected<void, SessionFailure> Session::Send(const pdu::Pdu& request, Deadline deadline) {
  out_.clear();
  if (const auto made = pdu::Encode(request, &out_); !made) {
    return Fail(Kind::kUnsendable, made.error());
  }
  const Transfer written = WriteAll(*transport_, out_, deadline);
  if (!written.moved()) return Fail(written);
  return {};
}

tl::expected<bool, SessionFailure> Session::TakeFrame() {
  const auto frame = frames_.Next();
  if (!frame) return Fail(Kind::kFraming, frame.error());
  if (!*frame) return false;
  received_ = **frame;
  return true;
}

tl::expected<pdu::Pdu, SessionFailure> Session::Receive(Deadline deadline) {
  for (received_ = {};;) {
    const auto whole = TakeFrame();
    if (!whole) return tl::unexpected(whole.error());
    if (*whole) break;
    const Transfer read = transport_->Read(frames_.Space(), deadline);
    if (!read.moved()) return Fail(read);
    frames_.Commit(read.size);
  }
  auto decoded = decoder_.Decode(received_);
  if (!decoded) return Fail(Kind::kDecoding, decoded.error());
  return *decoded;
}

tl::expected<pdu::Pdu, SessionFailure> Session::Ask(const pdu::Pdu& request, Deadline deadline) {
  out_.clear();
  if (const auto made = pdu::Encode(request, &out_); !made) {
    return Fail(Kind::kUnsendable, made.error());
  }
  // What is in the way of the answer (a chatty agent) is kept for Receive.
  const auto enough = [this](Bytes bytes) {
    frames_.Append(bytes);
    return false;
  };
  const Exchanged exchanged = Exchange(*transport_, out_, enough, deadline);
  if (!exchanged.written.moved() && frames_.pending() == 0) return Fail(exchanged.written);
  return Receive(deadline);
}

}  // namespace pmproof::pmda

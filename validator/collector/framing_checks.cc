// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>

#include "reference/pmda/pdu/frame_reader.h"
#include "validator/collector/checks.h"
#include "validator/collector/malformed.h"

// CKC-022, 023, 040..044: PDUs that are too large, broken, or in the wrong direction.

namespace pmproof::validator::collector {
namespace {

using Seconds = std::chrono::duration<double>;

void TooLarge(Trial& trial) {  // CKC-022
  Client& client = trial.Connect();
  trial.ExpectClosed(client.Ask(Words({pdu::kClientCeiling + 1, 0x7003, 0})),
                     "the header of a PDU of 65537 bytes");
}

void LargestPdu(Trial& trial) {  // CKC-023
  Client& client = trial.Connect();
  Octets bytes = Words({pdu::kClientCeiling, 0x7fff, 0});
  bytes.resize(pdu::kClientCeiling);
  trial.ExpectError(client.Ask(bytes), pdu::kErrIpc, "a PDU of 65536 bytes of an unknown type");
  trial.ExpectUsable(client, "a PDU of 65536 bytes of an unknown type");
}

void Refuses(Trial& trial, const std::vector<Malformed>& list) {
  Client& client = trial.Connect();
  for (const Malformed& one : list) {
    trial.ExpectError(client.Ask(one.bytes), pdu::kErrIpc, one.what);
    trial.ExpectUsable(client, one.what);
  }
}

void WrongDirection(Trial& trial) { Refuses(trial, UnexpectedPdus()); }  // CKC-040

void Unframed(Trial& trial) {  // CKC-041
  for (const Malformed& frame : BrokenFrames()) {
    Client& client = trial.Connect();
    trial.ExpectClosed(client.Ask(frame.bytes), frame.what);
  }
}

void HalfHeader(Trial& trial) {  // CKC-042
  const Limits& limits = trial.subject().limits;
  Client& client = trial.Connect();
  Client& other = trial.Connect();
  trial.ExpectUsable(client, "set-up");
  trial.ExpectUsable(other, "set-up");
  if (!trial.sound()) return;
  const auto begin = trial.subject().now();
  const Octets header = Words({0x10, 0x7004});
  client.Send(Bytes(header).first(5));
  other.Send(ChildrenOf("", 0));
  const bool served = other.channel().WaitForInput(pmda::Deadline::After(limits.reply / 2));
  const Answer answer =
      client.channel().Receive(pmda::Deadline::After(limits.reply + limits.lateness));
  const Seconds took = trial.subject().now() - begin;
  trial.ExpectClosed(answer, "5 bytes of a header, then silence");
  trial.Expect(
      took >= Seconds(limits.reply) * 0.9 && took <= Seconds(limits.reply + limits.lateness),
      "5 bytes of a header, then silence",
      "the connection to be closed after " + std::to_string(Seconds(limits.reply).count()) + " s",
      "that after " + std::to_string(took.count()) + " s");
  trial.ExpectPdu<pdu::PmnsNames>(other.Receive(), "PMNS_CHILD of another client meanwhile");
  trial.Note(served ? "another client was served meanwhile" : "another client had to wait");
}

void Lengths(Trial& trial) { Refuses(trial, WrongLengths()); }  // CKC-043

void LooseLengths(Trial& trial) {  // CKC-044
  const Due due = DueFrom(trial.subject().version, {{6, 0, 99}}, {{6, 3, 1}});
  Client& client = trial.Connect();
  trial.Need(client, Pmid::Of(kSimpleDomain, 0, 0), "simple (253)");
  for (const Malformed& request : OddLengths()) {
    const Answer answer = client.Ask(request.bytes);
    if (trial.decided()) return;
    const bool refused = answer.As<pdu::Error>() != nullptr;
    if (due == Due::kNew || (due == Due::kEither && refused)) {
      trial.ExpectError(answer, pdu::kErrIpc, request.what);
      if (due == Due::kEither) trial.Note(request.what + ": as 6.3.1 and later, refused");
    } else {
      const bool answered = answer.As<pdu::Text>() != nullptr ||
                            answer.As<pdu::Label>() != nullptr ||
                            answer.As<pdu::Instance>() != nullptr;
      trial.Expect(answered, request.what, "its answer, as 6.0.3 gives it", answer.ToText());
      if (due == Due::kEither) trial.Note(request.what + ": as 6.0.3, answered");
    }
    trial.ExpectUsable(client, request.what);
  }
}

constexpr std::array kChecks = {
    Check{"CKC-022"_clause, TooLarge},       Check{"CKC-023"_clause, LargestPdu},
    Check{"CKC-040"_clause, WrongDirection}, Check{"CKC-041"_clause, Unframed},
    Check{"CKC-042"_clause, HalfHeader},     Check{"CKC-043"_clause, Lengths},
    Check{"CKC-044"_clause, LooseLengths},
};

}  // namespace

std::span<const Check> FramingChecks() { return kChecks; }

}  // namespace pmproof::validator::collector

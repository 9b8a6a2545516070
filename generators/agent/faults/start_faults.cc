// SPDX-License-Identifier: Apache-2.0
// 16.1 Start and end.

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/faults/faults.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;

constexpr std::size_t kCredential = 16;

bool IsFirstCreds(const FaultContext& context, const Request& request) {
  return !context.connected && request.type == PduType::kCreds;
}

// A child that nobody waits for, and that outlives the agent.
void LeaveChild(FaultContext&) {
  if (fork() != 0) return;
  setsid();
  for (int i = 0; i < 1024; ++i) close(i);
  sleep(600);
  _exit(0);
}

void LeaveFile(FaultContext&) {
  const char* directory = std::getenv("TMPDIR");
  if (directory == nullptr) return;
  std::string name = std::string(directory) + "/agent.lock.XXXXXX";
  if (const int file = mkstemp(name.data()); file >= 0) close(file);
}

}  // namespace

std::vector<Fault> StartFaults() {
  return {
      {.id = "no-creds",
       .check = "CKA-001"_clause,
       .does = "it waits for the collector to speak first",
       .alone = true,
       .begin = [](FaultContext&, Buffer& creds) { creds.clear(); }},
      {.id = "creds-of-version-1",
       .check = "CKA-001"_clause,
       .does = "its CREDS have version 1",
       .begin = [](FaultContext&, Buffer& creds) { creds[kCredential + 1] = 1; }},
      {.id = "two-credentials",
       .check = "CKA-001"_clause,
       .does = "its CREDS have two credentials",
       .alone = true,
       .begin =
           [](FaultContext&, Buffer& creds) {
             creds.insert(creds.end(), creds.begin() + kCredential, creds.end());
             SetU32(creds, 12, 2);
             FixLength(creds);
           }},
      {.id = "error-before-creds",
       .check = "CKA-001"_clause,
       .does = "an ERROR comes before its CREDS",
       .alone = true,
       .begin =
           [](FaultContext&, Buffer& creds) {
             Buffer error = ErrorReply(ErrorCode::kOk);
             Append(error, creds);
             creds = error;
           }},
      {.id = "talks-after-creds",
       .check = "CKA-002"_clause,
       .does = "it says that it is ready before the collector's CREDS have come",
       .together = {"CKA-008"_clause},
       .idle =
           [](FaultContext& context, Buffer& out) {
             if (!context.connected && context.count++ == 0) out = ErrorReply(pdu::kErrPmdaReady);
           }},
      {.id = "creds-from-nobody",
       .check = "CKA-003"_clause,
       .does = "its CREDS are from process 0",
       .begin = [](FaultContext&, Buffer& creds) { SetU32(creds, 8, 0); }},
      {.id = "asks-for-unknown-features",
       .check = "CKA-004"_clause,
       .does = "its CREDS have the flag 0x0100",
       .begin = [](FaultContext&, Buffer& creds) { creds[kCredential + 2] = 0x01; }},
      {.id = "deaf-after-creds",
       .check = "CKA-005"_clause,
       .does = "it answers nothing once the handshake is done",
       .alone = true,
       .reply = [](FaultContext&, const Request&, Buffer& reply) { reply.clear(); }},
      {.id = "only-version-2",
       .check = "CKA-006"_clause,
       .does = "it ends if the collector's CREDS have another version than 2",
       .request =
           [](FaultContext& context, const Request& request, Buffer& handed) {
             if (IsFirstCreds(context, request) && handed[kCredential + 1] != 2) context.Die(0);
           }},
      {.id = "only-one-credential",
       .check = "CKA-007"_clause,
       .does = "it ends if the collector's CREDS have more than one credential",
       .request =
           [](FaultContext& context, const Request& request, Buffer& handed) {
             if (IsFirstCreds(context, request) && GetU32(handed, 12) != 1) context.Die(0);
           }},
      {.id = "does-not-wait-for-creds",
       .check = "CKA-008"_clause,
       .does = "it ends if the collector's CREDS do not come soon",
       .together = {"CKA-002"_clause},
       .idle =
           [](FaultContext& context, Buffer&) {
             if (!context.connected) context.Die(0);
           }},
      {.id = "outlives-an-early-end",
       .check = "CKA-009"_clause,
       .does = "it goes on if its requests end before CREDS have come",
       .together = {"CKA-014"_clause},
       .stays = {ChannelEnd::kBeforeCreds}},
      {.id = "outlives-its-requests",
       .check = "CKA-010"_clause,
       .does = "it goes on when its requests have ended",
       .stays = {ChannelEnd::kIdle}},
      {.id = "says-good-bye",
       .check = "CKA-010"_clause,
       .does = "it sends an ERROR when its requests have ended",
       .together = {"CKA-158"_clause},
       .farewell =
           [](FaultContext&, ChannelEnd end, Buffer& out) {
             if (end == ChannelEnd::kIdle) out = ErrorReply(pdu::kErrNotConnected);
           }},
      {.id = "outlives-a-torn-request",
       .check = "CKA-011"_clause,
       .does = "it goes on when its requests have ended inside a PDU",
       .stays = {ChannelEnd::kInsidePdu}},
      {.id = "answers-a-torn-request",
       .check = "CKA-011"_clause,
       .does = "it sends an ERROR when its requests have ended inside a PDU",
       .farewell =
           [](FaultContext&, ChannelEnd end, Buffer& out) {
             if (end == ChannelEnd::kInsidePdu) out = ErrorReply(pdu::kErrIpc);
           }},
      {.id = "outlives-its-replies",
       .check = "CKA-012"_clause,
       .does = "it goes on when nobody reads its replies and its requests have ended",
       .stays = {ChannelEnd::kMuted}},
      {.id = "dies-of-lost-replies",
       .check = "CKA-012"_clause,
       .does = "it crashes when nobody reads its replies",
       .together = {"CKA-167"_clause},
       .farewell =
           [](FaultContext& context, ChannelEnd end, Buffer&) {
             if (end == ChannelEnd::kMuted) context.Die(SIGSEGV);
           }},
      {.id = "text-before-creds",
       .check = "CKA-013"_clause,
       .does = "it writes a line of text before its CREDS",
       .together = {"CKA-001"_clause},
       .alone = true,
       .begin =
           [](FaultContext&, Buffer& creds) {
             const std::string text = "agent: ready\n";
             creds.insert(creds.begin(), text.begin(), text.end());
           }},
      {.id = "leaves-a-child",
       .check = "CKA-014"_clause,
       .does = "it leaves a child process behind",
       .needs_process = true,
       .process = LeaveChild},
      {.id = "leaves-a-file",
       .check = "CKA-014"_clause,
       .does = "it leaves a lock file behind",
       .needs_process = true,
       .process = LeaveFile},
      {.id = "takes-a-second-connection",
       .check = "CKA-015"_clause,
       .does = "its socket takes a second connection",
       .needs_process = true,
       .socket = Fault::Socket::kSecondConnection},
      {.id = "keeps-its-port",
       .check = "CKA-016"_clause,
       .does = "it binds its port without re-use of the address",
       .needs_process = true,
       .socket = Fault::Socket::kNoReuse},
      {.id = "minds-a-stale-socket",
       .check = "CKA-017"_clause,
       .does = "it does not start where the file of its socket is there already",
       .needs_process = true,
       .socket = Fault::Socket::kStaleFile},
      {.id = "ignores-its-domain",
       .check = "CKA-018"_clause,
       .does = "it ignores the option -d",
       .ignores_domain_option = true},
  };
}

}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
// 16.6, many requests, and the life of a process.

#include <fcntl.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/faults/faults.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;

constexpr int kManyAtOnce = 20;
constexpr int kVeryManyAtOnce = 300;
constexpr int kLong = 50;          // requests of a session
constexpr int kSlowRequest = 150;  // of a session: only few checks come so far
constexpr std::chrono::seconds kSlow{4};

}  // namespace

std::vector<Fault> EnduranceFaults() {
  return {
      {.id = "reads-once",
       .check = "CKA-151"_clause,
       .does = "it ends when a header comes in pieces",
       // After attributes, which are of any length, full channels cut headers too (CKA-153).
       .no_features = true,
       .needs_process = true,
       .reads_once = true},
      {.id = "loses-requests-of-one-write",
       .check = "CKA-152"_clause,
       .does = "of requests that come together it answers the first 20",
       .together = {"CKA-153"_clause},
       .reply =
           [](FaultContext& context, const Request&, Buffer& reply) {
             if (context.at_once > kManyAtOnce) reply.clear();
           }},
      {.id = "loses-requests-of-a-full-channel",
       .check = "CKA-153"_clause,
       .does = "of requests that come together it answers the first 300",
       .reply =
           [](FaultContext& context, const Request&, Buffer& reply) {
             if (context.at_once > kVeryManyAtOnce) reply.clear();
           }},
      {.id = "leaks-descriptors",
       .check = "CKA-156"_clause,
       .does = "every hundredth request leaves a descriptor open",
       .needs_process = true,
       .request =
           [](FaultContext& context, const Request&, Buffer&) {
             if (context.requests % 100 == 0) (void)!open("/dev/null", O_RDONLY | O_CLOEXEC);
           }},
      {.id = "leaks-memory",
       .check = "CKA-156"_clause,
       .does = "every request leaves 4 kilobytes behind",
       .needs_process = true,
       .request = [](FaultContext& context, const Request&,
                     Buffer&) { context.kept.emplace_back(4096, std::uint8_t{1}); }},
      {.id = "slow",
       .check = "CKA-157"_clause,
       .does = "one request of a long session takes 4 seconds",
       .alone = true,
       .needs_process = true,
       .request =
           [](FaultContext& context, const Request&, Buffer&) {
             if (context.requests == kSlowRequest) std::this_thread::sleep_for(kSlow);
           }},
      {.id = "says-more-in-the-end",
       .check = "CKA-158"_clause,
       .does = "an ERROR nobody waits for comes at the end of a long session",
       .farewell =
           [](FaultContext& context, ChannelEnd end, Buffer& out) {
             if (end == ChannelEnd::kIdle && context.requests > kLong) {
               out = ErrorReply(ErrorCode::kOk);
             }
           }},
      {.id = "crashes-in-the-end",
       .check = "CKA-167"_clause,
       .does = "it crashes at the end of a session in which instances were asked for",
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             if (request.As<pdu::InstanceReq>() != nullptr) context.count = 1;
           },
       .farewell =
           [](FaultContext& context, ChannelEnd end, Buffer&) {
             if (end == ChannelEnd::kIdle && context.count == 1) context.Die(SIGSEGV);
           }},
      {.id = "never-becomes-ready",
       .check = "CKA-159"_clause,
       .does = "it is not ready at the first request, and never says that it is",
       .readiness = Readiness::kAfterAsking,
       .alone = true,
       .wake = [](FaultContext&, Buffer& ready) { ready.clear(); }},
      {.id = "not-ready-twice",
       .check = "CKA-159"_clause,
       .does = "it says twice that it is not ready",
       .readiness = Readiness::kAfterAsking,
       .alone = true,
       .wake =
           [](FaultContext&, Buffer& ready) {
             Buffer not_ready = ErrorReply(pdu::kErrPmdaNotReady);
             Append(not_ready, ready);
             ready = not_ready;
           }},
      {.id = "does-not-announce-itself",
       .check = "CKA-160"_clause,
       .does = "its entry has `notready`, and it does not say when it is ready",
       .readiness = Readiness::kAnnounced,
       .alone = true,
       .wake = [](FaultContext&, Buffer& ready) { ready.clear(); }},
      {.id = "always-says-that-labels-changed",
       .check = "CKA-161"_clause,
       .does = "every RESULT says that labels have changed",
       .reply =
           [](FaultContext&, const Request&, Buffer& reply) {
             if (Is(reply, PduType::kResult)) SetU32(reply, 12, 0x08);
           }},
      {.id = "needs-a-home",
       .check = "CKA-162"_clause,
       .does = "it does not start without the environment variable HOME",
       .needs_process = true,
       .process =
           [](FaultContext&) {
             if (std::getenv("HOME") == nullptr) std::_Exit(1);
           }},
  };
}

}  // namespace pmproof::generators

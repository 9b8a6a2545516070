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
constexpr int kLong = 50;  // requests of a session
constexpr std::chrono::milliseconds kSlow{150};

}  // namespace

std::vector<Fault> EnduranceFaults() {
  return {
      {.id = "reads-once",
       .check = "CKA-151"_clause,
       .does = "it ends when a header comes in pieces",
       .reads_once = true},
      {.id = "loses-requests-of-one-write",
       .check = "CKA-152"_clause,
       .does = "of requests that come together it answers the first 20",
       .together = {"CKA-153"_clause},
       .reply =
           [](Scene& scene, const Request&, Buffer& reply) {
             if (scene.at_once > kManyAtOnce) reply.clear();
           }},
      {.id = "loses-requests-of-a-full-channel",
       .check = "CKA-153"_clause,
       .does = "of requests that come together it answers the first 300",
       .reply =
           [](Scene& scene, const Request&, Buffer& reply) {
             if (scene.at_once > kVeryManyAtOnce) reply.clear();
           }},
      {.id = "leaks-descriptors",
       .check = "CKA-156"_clause,
       .does = "every hundredth request leaves a descriptor open",
       .request =
           [](Scene& scene, const Request&, Buffer&) {
             if (scene.requests % 100 == 0) (void)!open("/dev/null", O_RDONLY | O_CLOEXEC);
           }},
      {.id = "leaks-memory",
       .check = "CKA-156"_clause,
       .does = "every request leaves a kilobyte behind",
       .request = [](Scene& scene, const Request&,
                     Buffer&) { scene.kept.emplace_back(1024, std::uint8_t{1}); }},
      {.id = "slow",
       .check = "CKA-157"_clause,
       .does = "every tenth request takes 150 ms",
       .request =
           [](Scene& scene, const Request&, Buffer&) {
             if (scene.requests % 10 == 0) std::this_thread::sleep_for(kSlow);
           }},
      {.id = "says-more-in-the-end",
       .check = "CKA-158"_clause,
       .does = "an ERROR nobody waits for comes at the end of a long session",
       .farewell =
           [](Scene& scene, ChannelEnd end, Buffer& out) {
             if (end == ChannelEnd::kIdle && scene.requests > kLong) {
               out = ErrorReply(ErrorCode::kOk);
             }
           }},
      {.id = "always-says-that-labels-changed",
       .check = "CKA-161"_clause,
       .does = "every RESULT says that labels have changed",
       .reply =
           [](Scene&, const Request&, Buffer& reply) {
             if (Is(reply, PduType::kResult)) SetU32(reply, 12, 0x08);
           }},
      {.id = "needs-a-home",
       .check = "CKA-162"_clause,
       .does = "it does not start without the environment variable HOME",
       .process =
           [](Scene&) {
             if (std::getenv("HOME") == nullptr) std::_Exit(1);
           }},
  };
}

}  // namespace pmproof::generators

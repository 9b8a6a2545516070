// SPDX-License-Identifier: Apache-2.0
// The floor under any agent on pipes: simple (PMD-220 to PMD-227), but a request that was answered
// before gets the same octets again, unread. So a fetch is one read and one write, with one look-up
// between them. It is no agent: its values stand still.
//
//   bare_pipe SIMPLE.CONF

#include <unistd.h>

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "reference/core/bytes.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/reference_agents/simple.h"
#include "reference/pmda/runtime/agent_responder.h"

namespace {

using pmproof::Bytes;

constexpr std::size_t kMost = 65536;  // what a pipe holds
constexpr std::size_t kMostKnown = 256;

bool WriteAll(Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  pmproof::pmda::Simple simple(pmproof::pmda::SimpleWorld::Real(argv[1]));
  pmproof::pmda::AgentResponder responder(simple.agent(), getpid());
  pmproof::pdu::FrameReader reader;
  pmproof::pdu::Buffer answer;
  responder.Begin(&answer);
  if (!WriteAll(answer)) return 1;

  std::map<std::string, pmproof::pdu::Buffer, std::less<>> known;
  std::array<char, kMost> octets{};
  while (true) {
    const ssize_t size = read(STDIN_FILENO, octets.data(), octets.size());
    if (size <= 0) return size == 0 ? 0 : 1;
    const std::string_view request(octets.data(), static_cast<std::size_t>(size));
    if (const auto found = known.find(request); found != known.end()) {
      if (!WriteAll(found->second)) return 1;
      continue;
    }
    const bool begins = reader.pending() == 0;
    reader.Append(pmproof::AsBytes(request));
    answer.clear();
    while (true) {
      const auto frame = reader.Next();
      if (!frame) return 1;
      if (!*frame) break;
      responder.Respond(**frame, &answer);
    }
    if (!WriteAll(answer)) return 1;
    const bool whole = begins && reader.pending() == 0;
    if (whole && known.size() < kMostKnown) known.emplace(request, answer);
  }
}

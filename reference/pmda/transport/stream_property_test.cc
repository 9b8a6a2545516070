// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <string>
#include <vector>

#include "reference/pmda/transport/descriptor_transport.h"
#include "reference/pmda/transport/log_ring.h"
#include "reference/pmda/transport/memory_transport.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::pmda {
namespace {

using std::chrono::milliseconds;
using Outcome = Transfer::Outcome;
using Content = std::vector<std::uint8_t>;

// A channel in memory is a queue of bytes with room for so many, whatever is written and read.
RC_GTEST_PROP(MemoryTransportProperty, IsAQueueOfBytes, ()) {
  const std::size_t capacity = *rc::gen::inRange<std::size_t>(1, 40);
  MemoryPair pair = MakeMemoryPair(capacity);
  Content model;
  std::uint8_t next = 0;
  const auto sizes = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-30, 31));
  for (const int size : sizes) {
    if (size >= 0) {
      Content bytes(static_cast<std::size_t>(size));
      for (std::uint8_t& byte : bytes) byte = next++;
      const Transfer written = pair.collector->Write(bytes, Deadline::Passed());
      const std::size_t fits = std::min(bytes.size(), capacity - model.size());
      RC_ASSERT(written.size == fits);
      RC_ASSERT(written.moved() == (fits > 0 || bytes.empty()));
      model.insert(model.end(), bytes.begin(), bytes.begin() + static_cast<long>(fits));
      next = static_cast<std::uint8_t>(next - (bytes.size() - fits));
    } else {
      Content into(static_cast<std::size_t>(-size));
      const Transfer read = pair.agent->Read(into, Deadline::Passed());
      const std::size_t there = std::min(into.size(), model.size());
      RC_ASSERT(read.size == there);
      RC_ASSERT(read.moved() == (there > 0));
      into.resize(there);
      RC_ASSERT(into == Content(model.begin(), model.begin() + static_cast<long>(there)));
      model.erase(model.begin(), model.begin() + static_cast<long>(there));
    }
  }
}

// PDU-009: however a stream is cut up, and however little each end takes at once, it arrives whole.
RC_GTEST_PROP(PiecesProperty, ArriveAsOne, ()) {
  const Content content = *rc::gen::arbitrary<Content>();
  const auto sizes =
      *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 9));
  auto pair = MakeSocketPair();
  RC_ASSERT(pair.has_value());
  const Transfer written =
      WriteInPieces(*pair->first, content, {.sizes = sizes}, Deadline::After(milliseconds(10000)));
  RC_ASSERT(written.moved());
  RC_ASSERT(written.size == content.size());
  pair->first->CloseWriting();
  Content got(content.size() + 1);
  const Transfer read = ReadExactly(*pair->second, got, Deadline::After(milliseconds(10000)));
  RC_ASSERT(read.outcome == Outcome::kEndOfFile);
  got.resize(read.size);
  RC_ASSERT(got == content);
}

// Writing and reading at once through channels of any size, against an echo that works only when
// this end would wait.
RC_GTEST_PROP(ExchangeProperty, GetsAllBackThroughAnyRoom, ()) {
  const Content content = *rc::gen::nonEmpty(rc::gen::arbitrary<Content>());
  MemoryPair pair = MakeMemoryPair(*rc::gen::inRange<std::size_t>(1, 20));
  Content held;
  pair.collector->OnStall([&] {
    std::uint8_t buffer[3];
    const Transfer read = pair.agent->Read(buffer, Deadline::Passed());
    held.insert(held.end(), buffer, buffer + read.size);
    const Transfer written = pair.agent->Write(held, Deadline::Passed());
    held.erase(held.begin(), held.begin() + static_cast<long>(written.size));
    return read.size + written.size > 0;
  });
  Content got;
  const Exchanged exchanged = Exchange(
      *pair.collector, content,
      [&](Bytes bytes) {
        got.insert(got.end(), bytes.begin(), bytes.end());
        return got.size() < content.size();
      },
      Deadline::After(milliseconds(10000)));
  RC_ASSERT(exchanged.written == (Transfer{Outcome::kMoved, content.size(), 0}));
  RC_ASSERT(exchanged.read == (Transfer{Outcome::kMoved, content.size(), 0}));
  RC_ASSERT(got == content);
}

// The log shows its last bytes, at any time and for any size to keep.
RC_GTEST_PROP(LogRingProperty, KeepsTheLastBytes, ()) {
  const std::size_t size = *rc::gen::element<std::size_t>(0, 1, 7, 100, 16384, 50000);
  auto ring = LogRing::Make(size);
  RC_ASSERT(ring.has_value());
  int ends[2];
  RC_ASSERT(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
  const Descriptor out(ends[0]);
  const Descriptor in(ends[1]);
  std::string all;
  const auto lengths = *rc::gen::container<std::vector<std::size_t>>(
      rc::gen::element<std::size_t>(1, 2, 99, 5000, 16383, 16384, 16385, 40000));
  for (const std::size_t length : lengths) {
    std::string text(length, '\0');
    for (char& c : text) c = static_cast<char>('a' + (all.size() + (&c - text.data()) * 7) % 26);
    RC_ASSERT(write(in.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    all += text;
    while (ring->FillFrom(out.get()) > 0) {
      const AgentLog log = ring->Snapshot();
      RC_ASSERT(log.text.size() == std::min<std::size_t>(size, log.total));
      RC_ASSERT(log.text == all.substr(log.total - log.text.size(), log.text.size()));
    }
    RC_ASSERT(ring->Snapshot().total == all.size());
  }
}

}  // namespace
}  // namespace pmproof::pmda

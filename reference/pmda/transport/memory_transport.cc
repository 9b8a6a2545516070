// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/memory_transport.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace pmproof::pmda {

using Outcome = Transfer::Outcome;

// One direction: bytes [begin, end) of a buffer that wraps to its front whenever it is empty.
struct MemoryTransport::Channel {
  explicit Channel(std::size_t capacity) : bytes(std::max<std::size_t>(capacity, 1)) {}

  std::size_t held() const { return end - begin; }
  std::size_t room() const { return bytes.size() - held(); }

  void Put(Bytes from) {
    if (end + from.size() > bytes.size()) {
      std::memmove(bytes.data(), bytes.data() + begin, held());
      end = held();
      begin = 0;
    }
    std::memcpy(bytes.data() + end, from.data(), from.size());
    end += from.size();
  }

  void Take(std::span<std::uint8_t> into) {
    std::memcpy(into.data(), bytes.data() + begin, into.size());
    begin += into.size();
    if (begin == end) begin = end = 0;
  }

  std::vector<std::uint8_t> bytes;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool reader_closed = false;
  bool writer_closed = false;
};

MemoryTransport::MemoryTransport(std::shared_ptr<Channel> in, std::shared_ptr<Channel> out)
    : in_(std::move(in)), out_(std::move(out)) {}

MemoryTransport::~MemoryTransport() {
  CloseWriting();
  CloseReading();
}

bool MemoryTransport::LetOthersWork() {
  if (!work_ || working_) return false;
  working_ = true;
  const bool worked = work_();
  working_ = false;
  return worked;
}

Transfer MemoryTransport::Read(std::span<std::uint8_t> into, Deadline) {
  for (;;) {
    if (in_->reader_closed) return {Outcome::kClosed};
    if (into.empty()) return {};
    if (in_->held() > 0) {
      const std::size_t size = std::min(into.size(), in_->held());
      in_->Take(into.first(size));
      return {Outcome::kMoved, size};
    }
    if (in_->writer_closed) return {Outcome::kEndOfFile};
    if (!LetOthersWork()) return {Outcome::kTimeout};
  }
}

Transfer MemoryTransport::Write(Bytes from, Deadline) {
  for (;;) {
    if (out_->writer_closed) return {Outcome::kClosed};
    if (from.empty()) return {};
    if (out_->reader_closed) return {Outcome::kBroken, 0, EPIPE};
    if (out_->room() > 0) {
      const std::size_t size = std::min(from.size(), out_->room());
      out_->Put(from.first(size));
      return {Outcome::kMoved, size};
    }
    if (!LetOthersWork()) return {Outcome::kTimeout};
  }
}

Transport::Readiness MemoryTransport::Wait(Readiness wanted, Deadline) {
  for (;;) {
    const Readiness ready = {
        .read = wanted.read && (in_->held() > 0 || in_->writer_closed || in_->reader_closed),
        .write = wanted.write && (out_->room() > 0 || out_->writer_closed || out_->reader_closed)};
    if (ready.read || ready.write || !LetOthersWork()) return ready;
  }
}

void MemoryTransport::CloseWriting() { out_->writer_closed = true; }
void MemoryTransport::CloseReading() { in_->reader_closed = true; }

MemoryPair MakeMemoryPair(std::size_t capacity) {
  auto requests = std::make_shared<MemoryTransport::Channel>(capacity);
  auto replies = std::make_shared<MemoryTransport::Channel>(capacity);
  return {std::make_unique<MemoryTransport>(replies, requests),
          std::make_unique<MemoryTransport>(requests, replies)};
}

}  // namespace pmproof::pmda

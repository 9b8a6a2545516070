// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_MEMORY_TRANSPORT_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_MEMORY_TRANSPORT_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "reference/pmda/transport/transport.h"

namespace pmproof::pmda {

// One end of a connection in memory: no system call, one thread for both ends. As nobody else runs,
// there is nothing to wait for: a call that would have to wait lets the other end work (see
// OnStall) and then, if nothing changed, is kTimeout at once, even with Deadline::Never().
class MemoryTransport final : public Transport {
 public:
  struct Channel;

  MemoryTransport(std::shared_ptr<Channel> in, std::shared_ptr<Channel> out);
  ~MemoryTransport() override;

  Transfer Read(std::span<std::uint8_t> into, Deadline deadline) override;
  Transfer Write(Bytes from, Deadline deadline) override;
  Readiness Wait(Readiness wanted, Deadline deadline) override;
  void CloseWriting() override;
  void CloseReading() override;
  int read_descriptor() const override { return -1; }
  int write_descriptor() const override { return -1; }

  // `work` plays the other end, for example by answering one request; it returns false if it could
  // do nothing. It is not called from within itself.
  void OnStall(std::function<bool()> work) { work_ = std::move(work); }

 private:
  bool LetOthersWork();

  std::shared_ptr<Channel> in_;
  std::shared_ptr<Channel> out_;
  std::function<bool()> work_{};
  bool working_ = false;
};

struct MemoryPair {
  std::unique_ptr<MemoryTransport> collector;
  std::unique_ptr<MemoryTransport> agent;
};

// Each direction holds up to `capacity` bytes (at least 1), 64 KiB as a pipe does.
MemoryPair MakeMemoryPair(std::size_t capacity = 65536);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_MEMORY_TRANSPORT_H_

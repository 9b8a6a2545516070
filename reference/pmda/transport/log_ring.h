// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_LOG_RING_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_LOG_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "reference/core/status.h"
#include "reference/pmda/transport/agent_log.h"

namespace pmproof::pmda {

// The last bytes of an agent's log, in memory that the guardian (who writes) and this process (who
// reads) share. A resource, moved, not copied.
class LogRing {
 public:
  static constexpr std::size_t kChunk = 16384;  // read at once

  LogRing() = default;
  LogRing(LogRing&& other) noexcept;
  LogRing& operator=(LogRing&& other) noexcept;
  ~LogRing();

  // Keeps the last `size` bytes.
  static Result<LogRing> Make(std::size_t size);

  // The writer's side, async-signal-safe: reads once from a descriptor. What read() gives.
  long FillFrom(int descriptor) const;

  // The reader's side: what is there now, while the writer may go on.
  AgentLog Snapshot() const;

 private:
  // At the front of the mapping; the bytes follow.
  struct Head {
    std::atomic<std::uint64_t> total;     // bytes written and complete
    std::atomic<std::uint64_t> reserved;  // up to here they may just be written
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

  LogRing(Head* head, std::size_t size) : head_(head), size_(size) {}
  std::size_t capacity() const { return size_ + kChunk; }
  std::uint8_t* bytes() const { return reinterpret_cast<std::uint8_t*>(head_ + 1); }

  Head* head_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_LOG_RING_H_

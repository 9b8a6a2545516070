// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/log_ring.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "reference/pmda/transport/system_error.h"

namespace pmproof::pmda {

Result<LogRing> LogRing::Make(std::size_t size) {
  constexpr std::size_t kLargest = std::size_t{1} << 30;
  if (size > kLargest) return tl::unexpected(SystemError("memory for an agent's log", ENOMEM));
  void* const memory = mmap(nullptr, sizeof(Head) + size + kChunk, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return tl::unexpected(SystemError("memory for an agent's log", errno));
  return LogRing(new (memory) Head{0, 0}, size);
}

LogRing::LogRing(LogRing&& other) noexcept
    : head_(std::exchange(other.head_, nullptr)), size_(other.size_) {}

LogRing& LogRing::operator=(LogRing&& other) noexcept {
  std::swap(head_, other.head_);
  std::swap(size_, other.size_);
  return *this;
}

LogRing::~LogRing() {
  if (head_ != nullptr) munmap(head_, sizeof(Head) + capacity());
}

long LogRing::FillFrom(int descriptor) const {
  const std::uint64_t total = head_->total.load(std::memory_order_relaxed);
  const std::size_t at = static_cast<std::size_t>(total % capacity());
  const std::size_t chunk = std::min(kChunk, capacity() - at);
  head_->reserved.store(total + chunk, std::memory_order_seq_cst);
  const ssize_t size = read(descriptor, bytes() + at, chunk);
  if (size > 0)
    head_->total.store(total + static_cast<std::uint64_t>(size), std::memory_order_release);
  return size;
}

AgentLog LogRing::Snapshot() const {
  // One copy in a flood may lose what was overwritten meanwhile; one of several is whole. Where
  // this process is too slow for that, each copy more takes half of the one before.
  constexpr int kWhole = 8;
  constexpr int kTries = 2 * kWhole;
  AgentLog log;
  for (int i = 0; i < kTries; ++i) {
    log.total = head_->total.load(std::memory_order_acquire);
    const std::uint64_t wanted =
        std::min<std::uint64_t>(log.total, size_ >> std::max(0, i + 1 - kWhole));
    log.text.resize(static_cast<std::size_t>(wanted));
    const std::uint64_t first = log.total - wanted;
    const std::size_t at = static_cast<std::size_t>(first % capacity());
    const std::size_t before_wrap = std::min(log.text.size(), capacity() - at);
    std::copy_n(bytes() + at, before_wrap, log.text.data());
    std::copy_n(bytes(), log.text.size() - before_wrap, log.text.data() + before_wrap);
    // Adds nothing: as a write it stays behind the copying, and TSan, unlike a fence, knows it.
    const std::uint64_t reserved = head_->reserved.fetch_add(0, std::memory_order_seq_cst);
    const std::uint64_t oldest = reserved > capacity() ? reserved - capacity() : 0;
    if (oldest <= first) return log;
    if (i + 1 == kTries)
      log.text.erase(0, static_cast<std::size_t>(std::min<std::uint64_t>(oldest - first, wanted)));
  }
  return log;
}

}  // namespace pmproof::pmda

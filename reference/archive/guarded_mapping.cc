// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/guarded_mapping.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <limits>
#include <mutex>

namespace pmproof::archive {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

}  // namespace

// What the signal handler knows of one mapping. It reads while other threads write: `version` is
// odd while the slot changes. The slot of the mapping that is being read does not change.
struct GuardedMapping::Slot {
  std::atomic<std::uint32_t> version{0};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> size{0};  // 0: free
  std::atomic<std::size_t> lost{kNone};
  Slot* next_free = nullptr;

  void Set(std::uintptr_t address, std::size_t length) {
    version.fetch_add(1);
    begin.store(address);
    size.store(length);
    lost.store(kNone);
    version.fetch_add(1);
  }
};

// A signal handler gets nothing but the address: what it needs has to be in a place of the process.
// Slots are taken and given back under a lock, and never freed; the handler takes no lock.
struct GuardedMapping::Registry {
  struct Block {
    std::array<Slot, 64> slots;
    Block* next = nullptr;
  };

  static Slot* Take() {
    const std::lock_guard lock(mutex);
    if (free == nullptr) {
      auto* block = new Block;
      block->next = blocks.load();
      for (Slot& slot : block->slots) {
        slot.next_free = free;
        free = &slot;
      }
      blocks.store(block);
    }
    Slot* slot = free;
    free = slot->next_free;
    return slot;
  }

  static void GiveBack(Slot* slot) {
    const std::lock_guard lock(mutex);
    slot->next_free = free;
    free = slot;
  }

  // Puts zeros in the place of the page at `address` and of all after it in its mapping. False if
  // that is not a mapping known here. Called by the signal handler.
  static bool Cover(std::uintptr_t address) {
    for (Block* block = blocks.load(); block != nullptr; block = block->next) {
      for (Slot& slot : block->slots) {
        const std::uint32_t version = slot.version.load();
        const std::uintptr_t begin = slot.begin.load();
        const std::size_t size = slot.size.load();
        if (version % 2 != 0 || slot.version.load() != version) continue;
        if (address < begin || address - begin >= size) continue;
        const std::size_t from = (address - begin) / page * page;
        std::size_t before = slot.lost.load();
        while (from < before && !slot.lost.compare_exchange_weak(before, from)) {
        }
        // Another thread may read there: it meets the fault or the zeros. ThreadSanitizer takes
        // mmap() for a write, and does not see the system call.
        return syscall(SYS_mmap, begin + from, size - from, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != -1;
      }
    }
    return false;
  }

  static inline constinit std::mutex mutex{};
  static inline constinit Slot* free = nullptr;
  static inline constinit std::atomic<Block*> blocks{nullptr};
  static inline const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

  // Only functions that are safe in a signal handler are called.
  static void OnBusError(int signal, siginfo_t* info, void*) {
    const int saved = errno;
    const bool fault = info->si_code > 0;  // not sent by a process
    if (!fault || !Cover(reinterpret_cast<std::uintptr_t>(info->si_addr))) {
      std::signal(signal, SIG_DFL);
      raise(signal);  // as soon as this returns
    }
    errno = saved;
  }
};

GuardedMapping::GuardedMapping(const void* address, std::size_t size) : slot_(Registry::Take()) {
  slot_->Set(reinterpret_cast<std::uintptr_t>(address), size);
}

GuardedMapping::~GuardedMapping() {
  slot_->Set(0, 0);
  Registry::GiveBack(slot_);
}

std::optional<std::uint64_t> GuardedMapping::lost_from() const {
  const std::size_t lost = slot_->lost.load();
  if (lost == kNone) return std::nullopt;
  return lost;
}

void HandleLostPages() {
  struct sigaction action = {};
  action.sa_sigaction = GuardedMapping::Registry::OnBusError;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace pmproof::archive

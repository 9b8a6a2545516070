// SPDX-License-Identifier: Apache-2.0
#include "reference/core/large_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace pmproof {

void PreferLargePages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t size) {
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t kPage = 4096;
  constexpr std::size_t kLarge = std::size_t{2} << 20;
  if (size < kLarge) return;
  const std::uintptr_t begin =
      (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) & ~(kPage - 1);
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(memory) + size) & ~(kPage - 1);
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // it may not be able to
#endif
}

}  // namespace pmproof

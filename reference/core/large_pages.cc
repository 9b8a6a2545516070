// SPDX-License-Identifier: Apache-2.0
#include "reference/core/large_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace pmproof {

void PreferLargePages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t size) {
#if defined(MADV_HUGEPAGE)
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kLarge = std::size_t{2} << 20;
  if (size < kLarge) return;
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t before = (kPage - address % kPage) % kPage;  // what is asked for begins a page
  const std::size_t whole = (size - before) / kPage * kPage;
  madvise(static_cast<std::uint8_t*>(memory) + before, whole, MADV_HUGEPAGE);  // it may be refused
#endif
}

}  // namespace pmproof

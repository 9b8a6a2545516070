// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/testing/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace pmproof::pdu {
namespace {

std::atomic<std::size_t> allocations = 0;

}  // namespace

std::size_t Allocations() { return allocations.load(std::memory_order_relaxed); }

}  // namespace pmproof::pdu

void* operator new(std::size_t size) {
  pmproof::pdu::allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

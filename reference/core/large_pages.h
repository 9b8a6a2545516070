// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_LARGE_PAGES_H_
#define PMPROOF_REFERENCE_CORE_LARGE_PAGES_H_

#include <cstddef>
#include <utility>
#include <vector>

namespace pmproof {

// Asks the system to give `size` bytes of memory that has not been touched yet in large pages,
// where it has some: each page costs the same when it is first touched. Nothing else changes, but
// that the last large page counts as a whole.
void PreferLargePages(void* memory, std::size_t size);

// As vector::reserve(), of an empty vector or one that is to move.
template <typename Element>
void ReserveInLargePages(std::size_t count, std::vector<Element>* elements) {
  if (count <= elements->capacity()) return;
  std::vector<Element> larger;
  larger.reserve(count);
  PreferLargePages(larger.data(), count * sizeof(Element));
  for (Element& element : *elements) larger.push_back(std::move(element));
  *elements = std::move(larger);
}

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_LARGE_PAGES_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_BOUNDED_SORT_H_
#define PMPROOF_REFERENCE_CORE_BOUNDED_SORT_H_

#include <algorithm>

namespace pmproof {

// Sorts as std::sort does, and never leaves the range whatever `less` answers. For what is compared
// by bytes of a mapped file: somebody else may change them at any time, and std::sort relies on
// answers that agree with each other.
template <typename Iterator, typename Less>
void BoundedSort(Iterator first, Iterator last, Less less) {
  std::make_heap(first, last, less);
  std::sort_heap(first, last, less);
}

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_BOUNDED_SORT_H_

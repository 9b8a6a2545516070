// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_LIST_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_LIST_H_

#include <algorithm>
#include <cstddef>
#include <functional>

namespace pmproof::validator {

// Whether it is time to stop.
using Over = std::function<bool()>;

// Delta debugging of a list of `size` elements: tries to leave out all of it, then halves, quarters
// and so on to stretches of `least` elements, from the back to the front.
//
// `remove(begin, end)` tries to leave out these of the elements that are left, and says whether
// they are gone now. It is called at most some 2 * size / least times, and no more once it is over.
template <typename Remove>
void ShrinkList(std::size_t size, std::size_t least, const Over& over, Remove&& remove) {
  for (std::size_t step = size; step >= least && size > 0; step /= 2) {
    step = std::min(step, size);
    for (std::size_t end = size; end > 0;) {
      if (over()) return;
      const std::size_t begin = end > step ? end - step : 0;
      if (remove(begin, end)) size -= end - begin;
      end = begin;
    }
    if (step <= 1) break;
  }
}

// Leaves `begin` to `end` of a vector or string out.
template <typename List>
List Without(const List& list, std::size_t begin, std::size_t end) {
  List rest;
  rest.reserve(list.size() - (end - begin));
  rest.insert(rest.end(), list.begin(), list.begin() + static_cast<std::ptrdiff_t>(begin));
  rest.insert(rest.end(), list.begin() + static_cast<std::ptrdiff_t>(end), list.end());
  return rest;
}

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_LIST_H_

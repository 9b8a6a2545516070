// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_INSTANCE_INDEX_H_
#define PMPROOF_REFERENCE_DERIVED_INSTANCE_INDEX_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "reference/derived/operand_values.h"

namespace pmproof::derived {

// Finds pairs by their instance, in any order of asking; of equal ones the first. Remembers how the
// latest instances were ordered: cheap where those of one fetch are those of the next, and where
// they are asked for in the order of the pairs.
class InstanceIndex {
 public:
  // The pairs that are looked into from now on; they outlive that.
  void Set(std::span<const Pair> pairs) {
    pairs_ = pairs;
    next_ = 0;
    if (!std::ranges::equal(pairs, instances_, {}, &Pair::instance)) Arrange();
  }

  // Null if there is none.
  const Pair* Find(std::int32_t instance) {
    if (distinct_ && next_ < pairs_.size() && instances_[next_] == instance) {
      return &pairs_[next_++];
    }
    const auto at = std::ranges::lower_bound(order_, instance, {}, InstanceAt{*this});
    if (at == order_.end() || instances_[*at] != instance) return nullptr;
    next_ = *at + 1;
    return &pairs_[*at];
  }

  // The positions of the pairs, ascending by instance, those of equal ones ascending.
  std::span<const std::uint32_t> order() const { return order_; }

 private:
  struct InstanceAt {
    const InstanceIndex& index;
    std::int32_t operator()(std::uint32_t position) const { return index.instances_[position]; }
  };

  void Arrange() {
    instances_.clear();
    for (const Pair& pair : pairs_) instances_.push_back(pair.instance);
    order_.resize(pairs_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::stable_sort(order_, {}, InstanceAt{*this});
    distinct_ = std::ranges::adjacent_find(order_, {}, InstanceAt{*this}) == order_.end();
  }

  std::span<const Pair> pairs_;
  std::vector<std::int32_t> instances_;
  std::vector<std::uint32_t> order_;
  bool distinct_ = true;
  std::size_t next_ = 0;  // after the one that was found last
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_INSTANCE_INDEX_H_

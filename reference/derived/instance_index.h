#ifndef PMPROOF_REFERENCE_DERIVED_INSTANCE_INDEX_H_
#define PMPROOF_REFERENCE_DERIVED_INSTANCE_INDEX_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "reference/derived/operand_values.h"

namespace pmproof::derived {

// Finds pairs by their instance, in any order of asking; of equal ones the first. Cheap where the
// pairs ascend and are asked for in that order, as in archives. A view.
class InstanceIndex {
 public:
  explicit InstanceIndex(std::span<const Pair> pairs) : pairs_(pairs) {
    const auto not_ascending = [](const Pair& a, const Pair& b) {
      return a.instance >= b.instance;
    };
    if (std::adjacent_find(pairs.begin(), pairs.end(), not_ascending) == pairs.end()) return;
    sorted_.reserve(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) sorted_.emplace_back(pairs[i].instance, i);
    std::sort(sorted_.begin(), sorted_.end());
  }

  // Null if there is none.
  const Pair* Find(std::int32_t instance) {
    if (!sorted_.empty()) {
      const auto at =
          std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{instance, std::size_t{0}});
      return at != sorted_.end() && at->first == instance ? &pairs_[at->second] : nullptr;
    }
    if (next_ >= pairs_.size() || pairs_[next_].instance != instance) {
      const auto at = std::lower_bound(
          pairs_.begin(), pairs_.end(), instance,
          [](const Pair& pair, std::int32_t wanted) { return pair.instance < wanted; });
      next_ = static_cast<std::size_t>(at - pairs_.begin());
      if (at == pairs_.end() || at->instance != instance) return nullptr;
    }
    return &pairs_[next_++];
  }

 private:
  std::span<const Pair> pairs_;
  std::vector<std::pair<std::int32_t, std::size_t>> sorted_;  // empty: the pairs ascend
  std::size_t next_ = 0;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_INSTANCE_INDEX_H_

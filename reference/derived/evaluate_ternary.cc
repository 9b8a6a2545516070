#include "reference/derived/evaluate_ternary.h"

#include <algorithm>
#include <cstddef>

#include "reference/derived/number_type.h"

namespace pmproof::derived {

void Choose(std::span<const Pair> guard, MetricType guard_type, const TernaryBranch& first,
            const TernaryBranch& second, std::vector<Pair>* result) {
  result->clear();
  // DER-1151.
  if (guard.empty()) return;
  if (first.pairs.empty() && !first.novalue) return;
  if (second.pairs.empty() && !second.novalue) return;

  // DER-1155: a branch without values gives no instances.
  const bool of_second = first.novalue || (first.singular && !second.singular && !second.novalue);
  const std::span<const Pair> instances = of_second ? second.pairs : first.pairs;
  const std::size_t size = std::max(first.pairs.size(), second.pairs.size());
  const TernaryBranch* pick = &second;
  for (std::size_t i = 0; i < size; ++i) {
    if (i < guard.size()) pick = IsZero(guard[i].value, guard_type) ? &second : &first;
    if (pick->novalue || i >= instances.size()) continue;  // DER-1154
    const Pair& picked = pick->pairs[i < pick->pairs.size() ? i : 0];
    result->push_back({instances[i].instance, picked.value});
  }
}

}  // namespace pmproof::derived

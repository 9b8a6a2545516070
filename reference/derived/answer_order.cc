#include "reference/derived/answer_order.h"

#include <algorithm>
#include <utility>

namespace pmproof::derived {

AnswerOrder::AnswerOrder(const replay::ReplayDomain& domain) {
  // Those of later records first.
  std::vector<const replay::Candidate*> candidates;
  for (const replay::Candidate& candidate : domain.candidates) candidates.push_back(&candidate);
  std::ranges::sort(candidates, [](const auto* a, const auto* b) {
    return a->last_step != b->last_step ? a->last_step > b->last_step : a->id < b->id;
  });
  // Chains by the identifier, each instance put to the front of its own.
  std::reverse(candidates.begin(), candidates.end());
  const std::size_t chains = candidates.size();
  std::ranges::stable_sort(candidates, {}, [chains](const auto* candidate) {
    return static_cast<std::uint32_t>(candidate->id) % chains;
  });
  for (const auto* candidate : candidates) ranks_.emplace(candidate->id, ranks_.size());
}

void AnswerOrder::Sort(std::vector<Pair>* pairs) const {
  if (pairs->size() < 2) return;
  std::vector<std::pair<std::size_t, Pair>> ranked;
  ranked.reserve(pairs->size());
  for (const Pair& pair : *pairs) {
    const auto found = ranks_.find(pair.instance);
    ranked.emplace_back(found == ranks_.end() ? ranks_.size() : found->second, pair);
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, Pair>::first);
  for (std::size_t i = 0; i < ranked.size(); ++i) (*pairs)[i] = ranked[i].second;
}

}  // namespace pmproof::derived

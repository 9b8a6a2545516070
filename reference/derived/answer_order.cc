#include "reference/derived/answer_order.h"

#include <algorithm>
#include <cstddef>

namespace pmproof::derived {

AnswerOrder::AnswerOrder(const replay::ReplayDomain& domain) {
  const std::vector<replay::Candidate>& candidates = domain.candidates;
  const std::size_t chains = candidates.size();
  sequence_.resize(chains);
  for (std::size_t i = 0; i < chains; ++i) sequence_[i] = static_cast<std::uint32_t>(i);
  // Chains by the identifier. Those of later records are first, and each is put to the front.
  std::ranges::sort(sequence_, [&](std::uint32_t left, std::uint32_t right) {
    const replay::Candidate& a = candidates[left];
    const replay::Candidate& b = candidates[right];
    const std::size_t chain_a = static_cast<std::uint32_t>(a.id) % chains;
    const std::size_t chain_b = static_cast<std::uint32_t>(b.id) % chains;
    if (chain_a != chain_b) return chain_a < chain_b;
    return a.last_step != b.last_step ? a.last_step < b.last_step : a.id > b.id;
  });
  for (const std::uint32_t position : sequence_) {
    ranks_.emplace(candidates[position].id, static_cast<std::uint32_t>(ranks_.size()));
  }
}

void AnswerOrder::Append(std::span<const replay::InstanceAnswer> values, std::vector<Pair>* pairs) {
  if (values.size() == sequence_.size()) {  // all of them
    for (const std::uint32_t position : sequence_) {
      pairs->push_back({values[position].instance, values[position].value});
    }
    return;
  }
  ranked_.clear();
  for (const replay::InstanceAnswer& value : values) {
    ranked_.emplace_back(ranks_[value.instance], &value);
  }
  std::ranges::sort(ranked_);
  for (const auto& [rank, value] : ranked_) pairs->push_back({value->instance, value->value});
}

}  // namespace pmproof::derived

// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/answer_order.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace pmproof::derived {

AnswerOrder::AnswerOrder(const replay::ReplayDomain& domain) {
  const std::vector<replay::Candidate>& candidates = domain.candidates;
  const std::size_t chains = candidates.size();
  std::vector<std::uint32_t> sequence(chains);
  std::iota(sequence.begin(), sequence.end(), 0U);
  // Chains by the identifier. Those of later records are first, and each is put to the front.
  std::ranges::sort(sequence, [&](std::uint32_t left, std::uint32_t right) {
    const replay::Candidate& a = candidates[left];
    const replay::Candidate& b = candidates[right];
    const std::size_t chain_a = static_cast<std::uint32_t>(a.id) % chains;
    const std::size_t chain_b = static_cast<std::uint32_t>(b.id) % chains;
    if (chain_a != chain_b) return chain_a < chain_b;
    return a.last_step != b.last_step ? a.last_step < b.last_step : a.id > b.id;
  });
  for (const std::uint32_t position : sequence) {
    ranks_.emplace(candidates[position].id, static_cast<std::uint32_t>(ranks_.size()));
  }
}

void AnswerOrder::Append(std::span<const replay::InstanceAnswer> values, std::vector<Pair>* pairs) {
  if (!std::ranges::equal(values, latest_, {}, &replay::InstanceAnswer::instance)) Arrange(values);
  for (const std::uint32_t position : sequence_) {
    pairs->push_back({values[position].instance, values[position].value});
  }
}

void AnswerOrder::Arrange(std::span<const replay::InstanceAnswer> values) {
  latest_.clear();
  std::vector<std::uint32_t> ranks;
  for (const replay::InstanceAnswer& value : values) {
    latest_.push_back(value.instance);
    ranks.push_back(ranks_[value.instance]);
  }
  sequence_.resize(values.size());
  std::iota(sequence_.begin(), sequence_.end(), 0U);
  std::ranges::sort(sequence_, {}, [&](std::uint32_t position) { return ranks[position]; });
}

}  // namespace pmproof::derived

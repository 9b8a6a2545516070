// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/series_store.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace pmproof::replay {

void SeriesStore::OnObservation(std::size_t cell, const Observation& observation) {
  if (overflowed()) return;
  if (moments_.empty() || moments_.back() != observation.moment) {
    moments_.push_back(observation.moment);
    used_ += sizeof(Moment);
  }
  const Value& value = observation.value;
  Kept kept{value.bits, static_cast<std::uint32_t>(moments_.size() - 1),
            value.type, value.insitu,
            false,      observation.kind};
  if (NumericSize(value.type) == 0) {
    const auto [text, added] = texts_.emplace(AsText(value.opaque));
    if (added) used_ += text->size() + sizeof(std::string) + 4 * sizeof(void*);
    kept.bits = std::bit_cast<std::uintptr_t>(&*text);
    kept.opaque = true;
  }
  series_[cell].push_back(kept);
  used_ += 2 * sizeof kept;  // as vectors grow
}

void SeriesStore::Finish() {
  const auto by_moment = [](const auto& a, const auto& b) { return a < b; };
  std::ranges::stable_sort(barriers_, by_moment, &Barrier::moment);
  if (std::ranges::is_sorted(moments_, by_moment)) return;
  std::vector<std::uint32_t> order(moments_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, by_moment, [&](std::uint32_t i) { return moments_[i]; });
  std::vector<std::uint32_t> place(order.size());
  std::vector<Moment> sorted;
  sorted.reserve(order.size());
  for (const std::uint32_t i : order) {
    place[i] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(moments_[i]);
  }
  moments_ = std::move(sorted);
  for (std::vector<Kept>& series : series_) {
    for (Kept& kept : series) kept.moment = place[kept.moment];
    std::ranges::sort(series, {}, &Kept::moment);
  }
}

Bounds SeriesStore::BoundsOf(std::size_t cell, double t) const {
  const auto later = std::ranges::upper_bound(moments_, t, {}, &Moment::at);
  const auto behind = static_cast<std::uint32_t>(later - moments_.begin());
  const std::vector<Kept>& series = series_[cell];
  const auto next = std::ranges::lower_bound(series, behind, {}, &Kept::moment);
  Observation found[2];
  std::size_t count = 0;
  if (next != series.begin()) found[count++] = ToObservation(*std::prev(next));
  if (next != series.end()) found[count++] = ToObservation(*next);
  return FindBounds({found, count}, barriers_, t);
}

Observation SeriesStore::ToObservation(const Kept& kept) const {
  Observation observation{moments_[kept.moment], {kept.type, kept.insitu, 0, {}}, kept.kind};
  if (kept.opaque) {
    observation.value.opaque = AsBytes(*std::bit_cast<const std::string*>(kept.bits));
  } else {
    observation.value.bits = kept.bits;
  }
  return observation;
}

}  // namespace pmproof::replay

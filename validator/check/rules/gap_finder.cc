// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/gap_finder.h"

#include <algorithm>
#include <tuple>

namespace pmproof::validator {
namespace {

std::tuple<archive::Part, std::uint64_t> PlaceOf(const GapFinder::Gap& gap) {
  return {gap.after.part, gap.after.offset};
}

// Of equally long gaps the earlier ones are kept.
bool LongerOrEarlier(const GapFinder::Gap& a, const GapFinder::Gap& b) {
  if (a.nanoseconds != b.nanoseconds) return a.nanoseconds > b.nanoseconds;
  return PlaceOf(a) < PlaceOf(b);
}

}  // namespace

void GapFinder::Keep(std::int64_t nanoseconds, archive::Location after) {
  if (kept_.size() == kMostGaps) {
    std::pop_heap(kept_.begin(), kept_.end(), LongerOrEarlier);
    kept_.pop_back();
  }
  kept_.push_back({nanoseconds, last_, after});
  std::push_heap(kept_.begin(), kept_.end(), LongerOrEarlier);
  if (kept_.size() == kMostGaps) shortest_kept_ = kept_.front().nanoseconds;
}

void GapFinder::TakeBack(const archive::Location& where) {
  if (last_interval_ > 0) {
    const std::size_t index = ClassOf(last_interval_);
    --counts_[index];
    sums_[index] -= static_cast<Sum>(last_interval_);
    --intervals_;
    last_interval_ = 0;
  }
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&where](const Gap& gap) {
    return gap.after.part == where.part && gap.after.offset == where.offset;
  });
  if (found == kept_.end()) return;
  kept_.erase(found);
  std::make_heap(kept_.begin(), kept_.end(), LongerOrEarlier);
  shortest_kept_ = 0;
}

std::int64_t GapFinder::UpperEnd(std::size_t index) {
  if (index < kSteps) return static_cast<std::int64_t>(index);
  const std::size_t shift = index / kSteps - 1;
  return static_cast<std::int64_t>(((std::uint64_t{kSteps} + index % kSteps + 1) << shift) - 1);
}

std::optional<std::size_t> GapFinder::MedianClass() const {
  if (intervals_ < kFewestIntervals) return std::nullopt;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    below += counts_[i];
    if (below >= intervals_ / 2 + intervals_ % 2) return i;
  }
  return std::nullopt;
}

std::int64_t GapFinder::Median() const {
  const std::optional<std::size_t> index = MedianClass();
  return index ? UpperEnd(*index) : 0;
}

std::int64_t GapFinder::Typical() const {
  const std::optional<std::size_t> index = MedianClass();
  if (!index) return 0;
  const std::uint64_t count = counts_[*index];
  return static_cast<std::int64_t>((sums_[*index] + count / 2) / count);
}

std::vector<GapFinder::Gap> GapFinder::Gaps() const {
  const std::int64_t median = Median();
  std::vector<Gap> gaps;
  if (median == 0) return gaps;
  for (const Gap& gap : kept_) {
    // longer than kFactor * median, which may not fit
    if ((gap.nanoseconds - 1) / kFactor >= median) gaps.push_back(gap);
  }
  std::sort(gaps.begin(), gaps.end(),
            [](const Gap& a, const Gap& b) { return PlaceOf(a) < PlaceOf(b); });
  return gaps;
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/gap_finder.h"

#include <algorithm>
#include <tuple>

namespace pmproof::validator {
namespace {

std::tuple<archive::Part, std::uint64_t> WhereIs(const GapFinder::Gap& gap) {
  return {gap.after.part, gap.after.offset};
}

// Of equally long gaps the earlier ones are kept.
bool LongerOrEarlier(const GapFinder::Gap& a, const GapFinder::Gap& b) {
  if (a.nanoseconds != b.nanoseconds) return a.nanoseconds > b.nanoseconds;
  return WhereIs(a) < WhereIs(b);
}

}  // namespace

void GapFinder::Keep(Gap gap) {
  if (kept_.size() == kMostGaps) {
    std::pop_heap(kept_.begin(), kept_.end(), LongerOrEarlier);
    kept_.pop_back();
  }
  kept_.push_back(gap);
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

void GapFinder::Append(const GapsAhead& next, std::uint64_t records_before) {
  const GapFinder& other = next.finder_;
  const auto keep = [&](Gap gap) {
    gap.after.record += records_before;
    if (gap.nanoseconds > shortest_kept_) Keep(gap);
  };
  if (has_last_ && next.first_time_)
    keep({Between(last_, *next.first_time_), last_, next.first_at_});
  std::vector<Gap> kept = other.kept_;
  std::sort(kept.begin(), kept.end(),
            [](const Gap& a, const Gap& b) { return WhereIs(a) < WhereIs(b); });
  std::ranges::for_each(kept, keep);

  for (std::size_t i = 0; i < counts_.size(); ++i) {
    counts_[i] += other.counts_[i];
    sums_[i] += other.sums_[i];
  }
  intervals_ += other.intervals_;
  if (next.any_) last_interval_ = other.last_interval_;
  for (std::size_t place = 0; place < kinds_.size(); ++place) {
    Kind& seen = kinds_[place];
    const Kind& first = next.firsts_[place];
    if ((next.met_ >> place & 1) != 0 && seen.kind == first.kind && seen.stretch == stretch_) {
      const std::int64_t interval = Between(seen.time, first.time);
      if (interval > 0) CountInterval(interval);
      if (first.time == other.last_) last_interval_ = interval;  // it is the last one, too
    }
    const Kind& last = other.kinds_[place];
    if (last.stretch != 0) seen = {last.kind, stretch_ + last.stretch - 1, last.time};
  }
  stretch_ += other.stretch_ - 1;
  if (next.any_) last_ = other.last_;
  if (next.any_ || next.broken_) has_last_ = other.has_last_;
}

void GapsAhead::OnFirst(std::size_t place, Timestamp time, std::uint64_t kind,
                        const archive::Location& where) {
  if (!first_time_) {
    first_time_ = time;
    first_at_ = where;
  }
  firsts_[place] = {kind, 1, time};
  met_ |= std::uint64_t{1} << place;
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
            [](const Gap& a, const Gap& b) { return WhereIs(a) < WhereIs(b); });
  return gaps;
}

}  // namespace pmproof::validator

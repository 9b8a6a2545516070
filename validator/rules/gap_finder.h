#ifndef PMPROOF_VALIDATOR_RULES_GAP_FINDER_H_
#define PMPROOF_VALIDATOR_RULES_GAP_FINDER_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/archive/reporter.h"
#include "reference/core/timestamp.h"

namespace pmproof::validator {

// Finds the intervals that are more than ten times as long as the median one (ARC-2010), in one
// pass and in bounded memory, whatever their number: intervals are counted in classes whose width
// is 1/32 of their length, and the kMostGaps longest are remembered. The median is taken as the
// upper end of its class, at most 3.2 % too large: a gap is never reported that is none.
class GapFinder {
 public:
  static constexpr std::size_t kMostGaps = 32;
  static constexpr std::int64_t kFactor = 10;
  // Of fewer intervals the median says nothing about the rhythm of the archive.
  static constexpr std::uint64_t kFewestIntervals = 3;

  struct Gap {
    std::int64_t nanoseconds = 0;
    Timestamp from;            // of the record before the gap
    archive::Location behind;  // the record behind it
  };

  // An interval of `nanoseconds` > 0 from `from` to the record at `behind`.
  void Add(std::int64_t nanoseconds, Timestamp from, const archive::Location& behind) {
    ++counts_[ClassOf(nanoseconds)];
    ++intervals_;
    if (nanoseconds > shortest_kept_) Keep({nanoseconds, from, behind});
  }

  // Takes back an interval that was added.
  void Remove(std::int64_t nanoseconds, const archive::Location& behind);

  // In nanoseconds; 0 if there are too few intervals.
  std::int64_t Median() const;

  // The gaps in the order of the records.
  std::vector<Gap> Gaps() const;

 private:
  static constexpr unsigned kSteps = 32;
  static constexpr unsigned kStepBits = 5;

  static std::size_t ClassOf(std::int64_t nanoseconds) {
    const auto value = static_cast<std::uint64_t>(nanoseconds);
    if (value < kSteps) return static_cast<std::size_t>(value);
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - kStepBits - 1;
    return kSteps * (shift + 1) + static_cast<std::size_t>((value >> shift) - kSteps);
  }
  static std::int64_t UpperEnd(std::size_t index);

  void Keep(const Gap& gap);

  std::array<std::uint64_t, kSteps*(64 - kStepBits)> counts_{};
  std::uint64_t intervals_ = 0;
  std::int64_t shortest_kept_ = 0;  // of a full set; 0 while there is room
  std::vector<Gap> kept_;           // a heap, the shortest first
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_GAP_FINDER_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_GAP_FINDER_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_GAP_FINDER_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/archive/reporter.h"
#include "reference/core/bytes.h"
#include "reference/core/timestamp.h"

namespace pmproof::validator {

// Finds neighbouring records that are more than ten times as far apart as the median interval of
// records of one kind (ARC-2010), in one pass and in bounded memory, whatever their number.
// Intervals are counted in classes whose width is 1/32 of their length, and the kMostGaps longest
// distances of neighbours are remembered. The median is taken as the upper end of its class, at
// most 3.2 % too large: a gap is never reported that is none.
class GapFinder {
 public:
  static constexpr std::size_t kMostGaps = 32;
  static constexpr std::int64_t kFactor = 10;
  // Of fewer intervals the median says nothing about the rhythm of the archive.
  static constexpr std::uint64_t kFewestIntervals = 3;

  struct Gap {
    std::int64_t nanoseconds = 0;
    Timestamp from;           // of the record before the gap
    archive::Location after;  // the record after it
  };

  // Records with as many value sets and the same first metric are of one kind: what the logger
  // fetches together has an interval of its own, and several such groups make records that follow
  // each other closely.
  static std::uint64_t KindOf(std::uint32_t set_count, std::uint32_t first_metric) {
    return std::uint64_t{first_metric} << 32 | set_count;
  }

  // The next record that is not a mark; not earlier than the one before.
  [[gnu::always_inline]] void Add(Timestamp time, std::uint64_t kind,
                                  const archive::Location& where) {
    if (has_last_) {
      const std::int64_t distance = Between(last_, time);
      if (distance > shortest_kept_) Keep(distance, where);
    }
    // Kinds that meet in one place replace each other: there may be any number of them.
    Kind& seen = kinds_[kind * 0x9e3779b97f4a7c15 >> (64 - kKindBits)];
    last_interval_ = seen.kind == kind && seen.stretch == stretch_ ? Between(seen.time, time) : 0;
    if (last_interval_ > 0) {
      const std::size_t index = ClassOf(last_interval_);
      ++counts_[index];
      sums_[index] += static_cast<Sum>(last_interval_);
      ++intervals_;
    }
    seen = {kind, stretch_, time};
    last_ = time;
    has_last_ = true;
  }

  // What is between the record before and the next one is not a gap: a mark, or records that are
  // missing or have no sound time.
  void Break() {
    has_last_ = false;
    ++stretch_;
  }

  // The last record, which was at `where`, may have a wrong time: its distance and interval do not
  // count.
  void TakeBack(const archive::Location& where);

  // In nanoseconds; 0 if there are too few intervals.
  std::int64_t Median() const;

  // For people: the mean of the intervals in the class of the median, which is the interval itself
  // where records come at a regular one. 0 if there are too few.
  std::int64_t Typical() const;

  // The gaps in the order of the records.
  std::vector<Gap> Gaps() const;

 private:
  static constexpr std::size_t kSteps = 32;
  static constexpr unsigned kStepBits = 5;
  static constexpr unsigned kKindBits = 6;

  // Of any number of intervals.
  __extension__ using Sum = unsigned __int128;

  // The last record of a kind.
  struct Kind {
    std::uint64_t kind = 0;
    std::uint64_t stretch = 0;  // of stretch_
    Timestamp time;
  };

  // NanosecondsBetween(), for the records of an archive mostly without its wide numbers.
  [[gnu::always_inline]] static std::int64_t Between(Timestamp earlier, Timestamp later) {
    const std::uint64_t seconds =
        static_cast<std::uint64_t>(later.seconds) - static_cast<std::uint64_t>(earlier.seconds);
    if (seconds >= std::uint64_t{1} << 32) [[unlikely]]
      return NanosecondsBetween(earlier, later);
    return static_cast<std::int64_t>(seconds) * 1'000'000'000 +
           (std::int64_t{later.nanoseconds} - earlier.nanoseconds);
  }

  [[gnu::always_inline]] static std::size_t ClassOf(std::int64_t nanoseconds) {
    const auto value = static_cast<std::uint64_t>(nanoseconds);
    if (value < kSteps) return static_cast<std::size_t>(value);
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - kStepBits - 1;
    return kSteps * (shift + 1) + static_cast<std::size_t>((value >> shift) - kSteps);
  }
  static std::int64_t UpperEnd(std::size_t index);
  std::optional<std::size_t> MedianClass() const;

  void Keep(std::int64_t nanoseconds, archive::Location after);

  std::array<std::uint64_t, kSteps*(64 - kStepBits)> counts_{};
  std::array<Sum, kSteps*(64 - kStepBits)> sums_{};  // of the intervals in a class
  std::uint64_t intervals_ = 0;
  std::int64_t shortest_kept_ = 0;  // of a full set; 0 while there is room
  std::vector<Gap> kept_;           // a heap, the shortest first

  std::array<Kind, std::size_t{1} << kKindBits> kinds_;
  std::uint64_t stretch_ = 1;       // of records without a break
  Timestamp last_;                  // of the record before
  bool has_last_ = false;           // there is one, in this stretch
  std::int64_t last_interval_ = 0;  // that it has ended; 0: none
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_GAP_FINDER_H_

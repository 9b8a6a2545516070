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

class GapsAhead;

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
      if (distance > shortest_kept_) Keep({distance, last_, where});
    }
    // Kinds that meet in one place replace each other: there may be any number of them.
    Kind& seen = kinds_[PlaceOf(kind)];
    last_interval_ = seen.kind == kind && seen.stretch == stretch_ ? Between(seen.time, time) : 0;
    if (last_interval_ > 0) CountInterval(last_interval_);
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

  // What `next` took follows what was added here, and its times rise. `records_before` is added to
  // the ordinals of its records.
  void Append(const GapsAhead& next, std::uint64_t records_before);

  // In nanoseconds; 0 if there are too few intervals.
  std::int64_t Median() const;

  // For people: the mean of the intervals in the class of the median, which is the interval itself
  // where records come at a regular one. 0 if there are too few.
  std::int64_t Typical() const;

  // The gaps in the order of the records.
  std::vector<Gap> Gaps() const;

 private:
  friend class GapsAhead;

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
  // In kinds_.
  static std::size_t PlaceOf(std::uint64_t kind) {
    return kind * 0x9e3779b97f4a7c15 >> (64 - kKindBits);
  }
  static std::int64_t UpperEnd(std::size_t index);
  std::optional<std::size_t> MedianClass() const;

  [[gnu::always_inline]] void CountInterval(std::int64_t nanoseconds) {
    const std::size_t index = ClassOf(nanoseconds);
    ++counts_[index];
    sums_[index] += static_cast<Sum>(nanoseconds);
    ++intervals_;
  }
  void Keep(Gap gap);

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

// The intervals of records that are looked at while nothing is known of those before them:
// GapFinder::Append() takes these as if it had been given the records themselves.
class GapsAhead {
 public:
  // As GapFinder's; later than the record before, even over a break.
  [[gnu::always_inline]] void Add(Timestamp time, std::uint64_t kind,
                                  const archive::Location& where) {
    if (!broken_) {
      const std::size_t place = GapFinder::PlaceOf(kind);
      if ((met_ >> place & 1) == 0) [[unlikely]]
        OnFirst(place, time, kind, where);
    }
    finder_.Add(time, kind, where);
    any_ = true;
  }

  void Break() {
    broken_ = true;
    finder_.Break();
  }

 private:
  friend class GapFinder;

  void OnFirst(std::size_t place, Timestamp time, std::uint64_t kind,
               const archive::Location& where);

  GapFinder finder_;
  // Of the records before the first break: the first of all, and of those that have a place in
  // GapFinder::kinds_.
  std::optional<Timestamp> first_time_;
  archive::Location first_at_;
  std::array<GapFinder::Kind, std::size_t{1} << GapFinder::kKindBits> firsts_;
  std::uint64_t met_ = 0;  // a bit for each of firsts_
  bool broken_ = false;
  bool any_ = false;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_GAP_FINDER_H_

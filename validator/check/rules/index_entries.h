// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_INDEX_ENTRIES_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_INDEX_ENTRIES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/archive/index.h"

namespace pmproof::validator {

// The entries of a temporal index but for those that consist of zeros, numbered without gaps:
// gigabytes of zeros after (or between) the others take neither memory nor time of the rules. A
// view of the index.
class IndexEntries {
 public:
  // Consecutive entries that are not zeros.
  struct Run {
    std::uint32_t first = 0;  // its number among those that are not zeros
    std::size_t place = 0;    // its number in the file
  };

  // Stops, with exceeded(), where the list of runs would take more than `memory` bytes.
  IndexEntries(archive::IndexView index, std::size_t memory);

  std::size_t size() const { return size_; }
  bool exceeded() const { return exceeded_; }
  // What the list of runs takes.
  std::size_t memory() const { return runs_.capacity() * sizeof(Run); }

  archive::IndexEntry operator[](std::size_t i) const { return index_[PlaceOf(i)]; }

  // The number in the file of entry `i`, from 0. Logarithmic in the number of runs.
  std::size_t PlaceOf(std::size_t i) const {
    return i < first_end_ ? first_place_ + i : FindPlace(i);
  }
  std::uint64_t OffsetOf(std::size_t i) const { return index_.OffsetOf(PlaceOf(i)); }

  // All entries of the file, zeros too, and what follows the last one.
  std::size_t total() const { return index_.size(); }
  const archive::IndexView& file() const { return index_; }
  // Entries at the end of the file that were not looked at: those beyond 2^32 that are not zeros.
  std::size_t left_out() const { return left_out_; }

  // Calls run(first, last) for each run, [first, last) among those that are not zeros, and
  // zeros(place, count) for each stretch of zeros, in the order of the file.
  template <typename OnRun, typename OnZeros>
  void ForEachStretch(OnRun&& run, OnZeros&& zeros) const {
    std::size_t place = 0;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      if (runs_[k].place > place) zeros(place, runs_[k].place - place);
      const std::size_t last = k + 1 < runs_.size() ? runs_[k + 1].first : size_;
      run(std::size_t{runs_[k].first}, last);
      place = runs_[k].place + (last - runs_[k].first);
    }
    if (place + left_out_ < total()) zeros(place, total() - left_out_ - place);
  }

 private:
  std::size_t FindPlace(std::size_t i) const;

  archive::IndexView index_;
  std::vector<Run> runs_;
  std::size_t size_ = 0;
  std::size_t first_end_ = 0;    // of the first run, ...
  std::size_t first_place_ = 0;  // ... which most indexes consist of
  std::size_t left_out_ = 0;
  bool exceeded_ = false;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_INDEX_ENTRIES_H_

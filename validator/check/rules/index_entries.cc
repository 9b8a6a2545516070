// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/index_entries.h"

#include <algorithm>
#include <limits>

namespace pmproof::validator {
namespace {

// Numbers of entries are kept in 32 bits. No index of less than 80 GB has more, zeros left out.
constexpr std::size_t kMostEntries = std::numeric_limits<std::uint32_t>::max();

}  // namespace

IndexEntries::IndexEntries(archive::IndexView index, std::size_t memory) : index_(index) {
  const std::size_t total = index_.size();
  for (std::size_t place = index_.ZerosAt(0); place < total;) {
    if ((runs_.size() + 1) * sizeof(Run) > memory) {
      exceeded_ = true;
      break;
    }
    // Grows by halves: what is allocated stays near what is needed.
    if (runs_.size() == runs_.capacity()) runs_.reserve(runs_.size() + runs_.size() / 2 + 1);
    runs_.push_back({static_cast<std::uint32_t>(size_), place});
    const std::size_t most = std::min(total, place + (kMostEntries - size_));
    const std::size_t begin = place;
    std::size_t zeros = 0;
    while (place < most && (zeros = index_.ZerosAt(place)) == 0) ++place;
    size_ += place - begin;
    if (zeros == 0 && place < total) {
      left_out_ = total - place;
      break;
    }
    place += zeros;
  }
  if (!runs_.empty()) {
    first_place_ = runs_.front().place;
    first_end_ = runs_.size() > 1 ? runs_[1].first : size_;
  }
}

std::size_t IndexEntries::FindPlace(std::size_t i) const {
  const auto after = std::ranges::upper_bound(runs_, i, {}, &Run::first);
  const Run& run = *std::prev(after);
  return run.place + (i - run.first);
}

}  // namespace pmproof::validator

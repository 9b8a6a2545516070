// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/canonical_record.h"

#include <algorithm>

#include "reference/archive/data_record.h"

namespace pmproof::archive {
namespace {

// Asks for the memory before a point that moves on through a record. Where a set ends is known only
// when its header is there, so that a processor by itself would wait for one after the other.
class Ahead {
 public:
  // Begins at `begin`.
  Ahead(const std::uint8_t* data, std::uint32_t begin, std::uint32_t end)
      : data_(data), next_(begin), end_(end) {}

  void MoveTo(std::uint32_t at) {
    if (at >= due_) Ask(at);
  }

 private:
  [[gnu::noinline]] void Ask(std::uint32_t at) {
    const std::uint32_t stop = at < end_ - std::min(end_, kDistance) ? at + kDistance : end_;
    for (; next_ < stop; next_ += kLine) __builtin_prefetch(data_ + next_);
    due_ = stop < end_ ? at + kStep : ~std::uint32_t{0};
  }

  static constexpr std::uint32_t kLine = 64;
  static constexpr std::uint32_t kStep = 256;
  // Of the distances from 512 bytes to 64 KiB that were tried the fastest.
  static constexpr std::uint32_t kDistance = 4096;

  const std::uint8_t* data_;
  std::uint32_t next_;
  std::uint32_t end_;
  std::uint32_t due_ = 0;  // the next point from which on more is to be asked for
};

// Goes over the blocks beside the sets that refer to them.
class BlockWalk {
 public:
  BlockWalk(const std::uint8_t* data, std::uint32_t end)
      : data_(data), end_(end), ahead_(data, end, end) {}

  // The blocks of a set with values in blocks; they are to follow those of the set before.
  bool Take(const ValueSet& set, std::uint32_t count, std::vector<std::uint32_t>* unusual) {
    if (begin_ == 0 && !Begin(set.Word(0))) return false;
    bool is_unusual = set.format() == kStatic;
    if (!TakeEqual(set, count) && !TakeEach(set, count, &is_unusual)) return false;
    if (is_unusual) {
      if (unusual->empty()) unusual->reserve(kOften);
      unusual->push_back(set.offset());
    }
    ahead_.MoveTo(at_);
    return true;
  }

  // True if the blocks are all that is between the end of the sets and that of the record.
  bool Fills(std::uint32_t sets_end) const {
    return begin_ != 0 ? sets_end == begin_ && at_ == end_ : sets_end == end_;
  }

 private:
  static constexpr std::size_t kOften = 16;  // unusual sets of a record that has one

  // The first index says where the blocks begin.
  bool Begin(std::uint32_t index) {
    if (index <= 2 || index - 2 > (end_ - kLengthWord) / 4) return false;
    begin_ = at_ = static_cast<std::uint32_t>(ValueSet::BlockOffset(index));
    ahead_ = Ahead(data_, at_, end_);
    ahead_.MoveTo(at_);
    return true;
  }

  // Blocks that all have the header of the first one and no padding, as those of numbers do.
  bool TakeEqual(const ValueSet& set, std::uint32_t count) {
    constexpr std::uint32_t kFew = 4;
    if (count <= kFew || end_ - at_ < kLengthWord) return false;
    const std::uint32_t header = LoadU32(data_ + at_);
    const std::uint32_t length = header & 0xffffff;
    if (length < kLengthWord || length % 4 != 0) return false;
    if (!AreEqualBlocks(data_, set, header, at_, end_)) return false;
    at_ += count * length;
    return true;
  }

  bool TakeEach(const ValueSet& set, std::uint32_t count, bool* is_unusual) {
    const std::uint8_t* word = set.Pair(0) + 4;
    for (std::uint32_t k = 0; k < count; ++k, word += 8) {
      if (LoadU32(word) != at_ / 4 + 2 || end_ - at_ < kLengthWord) return false;
      const std::uint32_t length = LoadU32(data_ + at_) & 0xffffff;
      const auto padded = static_cast<std::uint32_t>(PadToWord(length));
      if (length < kLengthWord || padded > end_ - at_) return false;
      for (std::uint32_t p = length; p < padded; ++p) *is_unusual |= data_[at_ + p] != '~';
      at_ += padded;
    }
    return true;
  }

  const std::uint8_t* data_;
  std::uint32_t end_;
  Ahead ahead_;
  std::uint32_t at_ = 0;     // of the next block
  std::uint32_t begin_ = 0;  // of the first one; 0: there is none yet
};

}  // namespace

std::optional<CanonicalRecord> ReadCanonicalRecord(const std::uint8_t* data, std::uint32_t sets,
                                                   std::uint32_t set_count, std::uint32_t end) {
  CanonicalRecord record;
  Ahead ahead(data, 0, end);
  BlockWalk blocks(data, end);
  std::uint32_t at = sets;
  for (std::uint32_t i = 0; i < set_count; ++i) {
    ahead.MoveTo(at);
    if (end - at < 8) return std::nullopt;
    const ValueSet set(Bytes(data, end + kLengthWord), at);
    if (set.numval() <= 0) {
      at += 8;
      continue;
    }
    const std::uint32_t count = set.count();
    if (end - at < 12 || count > (end - at - 12) / 8) return std::nullopt;
    if (set.format() < kInsitu || set.format() > kStatic) return std::nullopt;
    if (set.format() != kInsitu && !blocks.Take(set, count, &record.unusual)) return std::nullopt;
    at += 12 + 8 * count;
  }
  if (!blocks.Fills(at)) return std::nullopt;
  record.sets_end = at;
  return record;
}

}  // namespace pmproof::archive

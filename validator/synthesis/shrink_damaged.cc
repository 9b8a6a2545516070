// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/shrink_damaged.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"
#include "validator/synthesis/shrink_list.h"

namespace pmproof::validator {
namespace {

using archive::Buffer;
using archive::kLengthWord;

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct Set {
  std::size_t begin = 0;  // of the PMID
  std::size_t values = 0;
  bool insitu = true;

  std::size_t end() const { return begin + (values == 0 ? 8 : 12 + 8 * values); }
  std::size_t IndexAt(std::size_t value) const { return begin + 16 + 8 * value; }
};

// A record as far as it can be made out. A value.
class Record {
 public:
  Record(Buffer bytes, int version)
      : bytes_(std::move(bytes)), count_at_(kLengthWord + archive::LayoutOf(version).timestamp) {
    Parse();
  }

  const Buffer& bytes() const { return bytes_; }
  const std::vector<Set>& sets() const { return sets_; }

  // The block that a value refers to, if it lies in the record.
  std::optional<Range> BlockOf(const Set& set, std::size_t value) const {
    if (set.insitu) return std::nullopt;
    const std::size_t index = Word(set.IndexAt(value));
    if (index < 2 || index > bytes_.size() / 4) return std::nullopt;
    const std::size_t place = 4 * (index - 2);
    if (place < sets_end_ || place + 4 > End()) return std::nullopt;
    const std::size_t length = Word(place) & 0xffffff;
    if (length < 4 || length > End() - place) return std::nullopt;
    return Range{place, std::min(place + archive::PadToWord(length), End())};
  }

  Buffer WithoutSets(std::size_t begin, std::size_t end) const {
    Buffer bytes = bytes_;
    std::vector<Range> gone = {{sets_[begin].begin, sets_[end - 1].end()}};
    for (std::size_t s = begin; s < end; ++s) AddBlocks(sets_[s], 0, sets_[s].values, &gone);
    Lower(&bytes, count_at_, end - begin);
    return Cut(std::move(bytes), std::move(gone));
  }

  // Not all of them.
  Buffer WithoutValues(std::size_t s, std::size_t begin, std::size_t end) const {
    Buffer bytes = bytes_;
    const Set& set = sets_[s];
    std::vector<Range> gone = {{set.IndexAt(begin) - 4, set.IndexAt(end) - 4}};
    AddBlocks(set, begin, end, &gone);
    Lower(&bytes, set.begin + 4, end - begin);
    return Cut(std::move(bytes), std::move(gone));
  }

  // Without some words of the payload of a block.
  Buffer WithoutWords(const Range& block, std::size_t begin, std::size_t end) const {
    Buffer bytes = bytes_;
    Lower(&bytes, block.begin, 4 * (end - begin));
    return Cut(std::move(bytes), {{block.begin + 4 + 4 * begin, block.begin + 4 + 4 * end}});
  }

 private:
  std::uint32_t Word(std::size_t at) const { return LoadU32(bytes_.data() + at); }
  std::size_t End() const { return bytes_.size() - kLengthWord; }

  static void Lower(Buffer* bytes, std::size_t at, std::size_t by) {
    StoreU32(bytes->data() + at, LoadU32(bytes->data() + at) - static_cast<std::uint32_t>(by));
  }

  void Parse() {
    sets_end_ = count_at_ + 4;
    if (End() < sets_end_) return;
    for (std::uint32_t left = Word(count_at_); left > 0 && End() - sets_end_ >= 8; --left) {
      Set set{sets_end_, 0, true};
      const auto values = LoadI32(bytes_.data() + set.begin + 4);
      if (values > 0) {
        if (static_cast<std::size_t>(values) > bytes_.size() / 8) return;
        set.values = static_cast<std::size_t>(values);
        if (set.end() > End()) return;
        set.insitu = Word(set.begin + 8) == archive::kInsitu;
      }
      sets_end_ = set.end();
      sets_.push_back(set);
    }
  }

  void AddBlocks(const Set& set, std::size_t begin, std::size_t end,
                 std::vector<Range>* ranges) const {
    for (std::size_t v = begin; v < end; ++v) {
      if (const auto block = BlockOf(set, v)) ranges->push_back(*block);
    }
  }

  // Leaves the ranges out of `bytes`, which are this record's with some counts lowered. Indices and
  // length words follow.
  Buffer Cut(Buffer bytes, std::vector<Range> gone) const {
    std::sort(gone.begin(), gone.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    std::vector<Range> apart;
    for (const Range& range : gone) {
      if (!apart.empty() && range.begin <= apart.back().end) {
        apart.back().end = std::max(apart.back().end, range.end);
      } else {
        apart.push_back(range);
      }
    }
    const auto gone_before = [&](std::size_t place) {
      std::size_t sum = 0;
      for (const Range& range : apart) {
        if (range.begin < place) sum += std::min(range.end, place) - range.begin;
      }
      return sum;
    };
    for (const Set& set : sets_) {
      for (std::size_t v = 0; v < set.values && !set.insitu; ++v) {
        const std::size_t index = Word(set.IndexAt(v));
        if (index >= 2) Lower(&bytes, set.IndexAt(v), gone_before(4 * (index - 2)) / 4);
      }
    }
    const std::size_t all = gone_before(bytes.size());
    Lower(&bytes, 0, all);
    Lower(&bytes, bytes.size() - kLengthWord, all);
    for (auto range = apart.rbegin(); range != apart.rend(); ++range) {
      bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(range->begin),
                  bytes.begin() + static_cast<std::ptrdiff_t>(range->end));
    }
    return bytes;
  }

  Buffer bytes_;
  std::size_t count_at_;
  std::size_t sets_end_ = 0;
  std::vector<Set> sets_;
};

}  // namespace

Buffer ShrinkDamagedRecord(Buffer bytes, int version, const Attempt& attempt) {
  if (bytes.size() < archive::LayoutOf(version).mark) return bytes;
  Record record(std::move(bytes), version);
  const auto take = [&](Buffer candidate) {
    if (!attempt(candidate)) return false;
    record = Record(std::move(candidate), version);
    return true;
  };
  ShrinkList(record.sets().size(), 1, attempt.over, [&](std::size_t begin, std::size_t end) {
    return end <= record.sets().size() && take(record.WithoutSets(begin, end));
  });
  for (std::size_t s = 0; s < record.sets().size(); ++s) {
    ShrinkList(record.sets()[s].values, 1, attempt.over, [&](std::size_t begin, std::size_t end) {
      // What is made out of the record can change with it.
      const std::size_t values = s < record.sets().size() ? record.sets()[s].values : 0;
      return end <= values && end - begin < values && take(record.WithoutValues(s, begin, end));
    });
  }
  for (std::size_t s = 0; s < record.sets().size(); ++s) {
    for (std::size_t v = 0; s < record.sets().size() && v < record.sets()[s].values; ++v) {
      const auto block = record.BlockOf(record.sets()[s], v);
      if (!block) continue;
      const std::size_t words = (block->end - block->begin) / 4 - 1;
      ShrinkList(words, 1 + words / 256, attempt.over, [&](std::size_t begin, std::size_t end) {
        return block->begin + 4 + 4 * end <= record.bytes().size() - kLengthWord &&
               take(record.WithoutWords(*block, begin, end));
      });
    }
  }
  return record.bytes();
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
// How a record is held against a form; record_form_builder.cc makes forms.

#include "validator/check/rules/record_form.h"

#include <algorithm>
#include <cstring>

#include "validator/check/rules/value_scan.h"

namespace pmproof::validator {
namespace {

using archive::kLengthWord;
using archive::ValueSet;

// Where a block of any length of a type begins at `at`, and `word` points to it: where it ends.
// Nothing if it is none, or its padding is not canonical, unless that may be odd.
std::optional<std::uint32_t> EndOfBlock(Bytes record, MetricType type, bool odd_padding,
                                        std::uint32_t word, std::uint32_t at) {
  const auto end = static_cast<std::uint32_t>(record.size() - kLengthWord);
  if (end - at < kLengthWord || word != at / 4 + 2) return std::nullopt;
  const std::uint32_t header = LoadU32(record.data() + at);
  const std::uint32_t length = header & 0xffffff;
  const auto padded = static_cast<std::uint32_t>(archive::PadToWord(length));
  if (header >> 24 != static_cast<std::uint32_t>(type) || length < kLengthWord ||
      padded > end - at) {
    return std::nullopt;
  }
  constexpr std::uint32_t kPadding = 0x7e7e7e7e;
  const std::uint32_t bits = (std::uint32_t{1} << 8 * (padded - length)) - 1;
  const std::uint32_t last = LoadU32(record.data() + at + padded - kLengthWord);
  if (((last ^ kPadding) & bits) != 0 && !odd_padding) return std::nullopt;
  return at + padded;
}

// The same of all blocks of a set. `size`: as in RecordForm::Blocks.
std::optional<std::uint32_t> EndOfSet(Bytes record, const ValueSet& set, MetricType type,
                                      std::uint32_t size, bool odd_padding, std::uint32_t at) {
  if (size != 0) {
    const std::uint32_t header = static_cast<std::uint32_t>(type) << 24 | size;
    const auto end = static_cast<std::uint32_t>(record.size() - kLengthWord);
    if (!archive::AreEqualBlocks(record.data(), set, header, at, end)) return std::nullopt;
    return at + set.count() * size;
  }
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    const std::optional<std::uint32_t> next =
        EndOfBlock(record, type, odd_padding, set.Word(i), at);
    if (!next) return std::nullopt;
    at = *next;
  }
  return at;
}

std::int32_t ShiftTo(std::uint32_t at, std::uint32_t from) {
  return static_cast<std::int32_t>(at - from);
}

}  // namespace

bool RecordForm::Matches(Bytes record) {
  Segment& first = segments_.front();
  if (segments_.size() == 1 && record.size() == 4 * words_.size() &&
      (!loops_->differ(record.data(), words_.data(), mask_.data(), words_.size()) ||
       TakeStrings(record.data(), 0, words_.size()))) {
    first.shift = first.blocks_shift = 0;
    sets_end_ = first.end;
    return true;
  }
  lengthened_.clear();
  if (!MatchesInSegments(record)) return false;
  if (lengthened_.empty()) return true;
  Stretch();
  return MatchesInSegments(record);
}

bool RecordForm::MatchesInSegments(Bytes record) {
  if (record.size() < begin_ + 2 * kLengthWord || !PlaceSets(record)) return false;
  std::uint32_t at = sets_end_;
  for (Segment& segment : segments_) {
    const std::optional<std::uint32_t> end = EndOfSegment(record, segment, at);
    if (!end) return false;
    at = *end;
  }
  return at == record.size() - kLengthWord;
}

// Finds where the sets of a record are if it matches, by the counts of the loose ones. False if it
// cannot match.
bool RecordForm::PlaceSets(Bytes record) {
  const auto end = static_cast<std::uint32_t>(record.size() - kLengthWord);
  std::int32_t shift = 0;
  for (Segment& segment : segments_) {
    segment.shift = shift;
    std::uint32_t size = segment.end - segment.begin;
    const std::uint32_t at = Moved(segment.begin, shift);
    if (segment.kind == Kind::kLoose) {
      if (end - at < 2 * kLengthWord) return false;
      const ValueSet set(record, at);
      if (set.pmid() != MetricOf(segment.first_set)) return false;
      if (set.numval() > 0) {
        if (end - at < 3 * kLengthWord || set.count() > (end - at - 3 * kLengthWord) / 8)
          return false;
        if (set.format() != archive::kInsitu && set.format() != archive::kDynamic) return false;
      }
      shift += ShiftTo(set.size(), size);
      size = set.size();
    }
    if (size > end - at) return false;
    sets_end_ = at + size;
  }
  return true;
}

// Where the blocks of a segment end if they begin at `at`, and nothing differs in its sets and in
// its blocks. Nothing otherwise.
std::optional<std::uint32_t> RecordForm::EndOfSegment(Bytes record, Segment& segment,
                                                      std::uint32_t at) {
  segment.blocks_shift = ShiftTo(at, segment.blocks_begin);
  if (segment.kind == Kind::kLoose) return EndOfLoose(record, segment, at);
  if (segment.kind == Kind::kFixed && HasSets(record, segment) && TakeBlocks(record, segment, at))
    return Moved(segment.blocks_end, segment.blocks_shift);
  return WalkBlocks(record, segment, at);
}

// True if the sets of the segment are as they were, with blocks that are all shifted alike.
bool RecordForm::HasSets(Bytes record, const Segment& segment) const {
  const std::uint8_t* const sets = record.data() + Moved(segment.begin, segment.shift);
  const std::size_t first = segment.begin / 4;
  const std::size_t count = (segment.end - segment.begin) / 4;
  if (segment.blocks_shift == 0)
    return !loops_->differ(sets, words_.data() + first, mask_.data() + first, count);
  return !loops_->differ_shifted(sets, words_.data() + first, mask_.data() + first,
                                 sets_mask_.data() + first, count,
                                 static_cast<std::uint32_t>(segment.blocks_shift / 4));
}

// True if nothing but strings differs in the blocks, which begin at `at`, and none of these breaks
// a rule.
bool RecordForm::TakeBlocks(Bytes record, const Segment& segment, std::uint32_t at) {
  const std::uint32_t length = segment.blocks_end - segment.blocks_begin;
  if (length > record.size() - kLengthWord - at) return false;
  const std::size_t begin = segment.blocks_begin / 4;
  return !loops_->differ(record.data() + at, words_.data() + begin, mask_.data() + begin,
                         length / 4) ||
         TakeStrings(record.data() + segment.blocks_shift, begin, segment.blocks_end / 4);
}

// True if nothing but strings differs from the words `begin` to `end`, and none of these breaks a
// rule.
bool RecordForm::TakeStrings(const std::uint8_t* record, std::size_t begin, std::size_t end) {
  auto* const ours = reinterpret_cast<std::uint8_t*>(words_.data());
  auto next = strings_.begin();  // those before are as in the record
  std::size_t at = begin;
  while (true) {
    at += loops_->same_words(record + 4 * at, words_.data() + at, mask_.data() + at, end - at);
    if (at == end) return true;
    // The first one that ends in this word or after it.
    next = std::partition_point(next, strings_.end(), [at](const Range& string) {
      return string.offset + string.length <= 4 * at;
    });
    if (next == strings_.end() || next->offset > 4 * at) return false;
    const Bytes payload(record + next->offset, next->length);
    if (!IsGoodString(payload)) return false;
    std::memcpy(ours + next->offset, payload.data(), payload.size());
    at = (next->offset + next->length) / 4;  // where its padding is
    ++next;
  }
}

// The blocks of a segment set by set, where some may be longer or shorter than they were.
std::optional<std::uint32_t> RecordForm::WalkBlocks(Bytes record, const Segment& segment,
                                                    std::uint32_t at) {
  const std::size_t first = segment.begin / 4;
  if (segment.blocks_begin == segment.blocks_end ||
      loops_->differ(record.data() + Moved(segment.begin, segment.shift), words_.data() + first,
                     sets_mask_.data() + first, (segment.end - segment.begin) / 4)) {
    return std::nullopt;
  }
  for (std::uint32_t n = segment.first_set; n < segment.end_set; ++n) {
    const Set& set = sets_[n];
    if (set.blocks == kNone) continue;
    const std::optional<std::uint32_t> end = EndOfBlocks(record, set, at);
    if (!end) return std::nullopt;
    if (segment.kind == Kind::kFixed && *end - at != blocks_[set.blocks].length)
      lengthened_.push_back(n);
    at = *end;
  }
  return at;
}

// Where the blocks of a loose set end if they begin at `at`.
std::optional<std::uint32_t> RecordForm::EndOfLoose(Bytes record, const Segment& segment,
                                                    std::uint32_t at) const {
  const ValueSet set(record, Moved(segment.begin, segment.shift));
  if (set.numval() <= 0 || set.format() == archive::kInsitu) return at;
  const MetricType type = sets_[segment.first_set].type;
  const std::uint32_t size = IsNumeric(type) ? kLengthWord + NumericSize(type) : 0;
  return EndOfSet(record, set, type, size, /*odd_padding=*/false, at);
}

// The same of the blocks of another set, if they are of its type and break no rule.
std::optional<std::uint32_t> RecordForm::EndOfBlocks(Bytes record, const Set& set,
                                                     std::uint32_t at) const {
  const Blocks& blocks = blocks_[set.blocks];
  if (blocks.type == MetricType::kString) return EndOfStrings(record, set, at);
  const ValueSet theirs(record, Moved(set.offset, segments_[set.segment].shift));
  return EndOfSet(record, theirs, blocks.type, blocks.size, blocks.odd_padding, at);
}

// The same of strings: runs of those that are as they were, each compared as a whole, and between
// them single ones that are not.
std::optional<std::uint32_t> RecordForm::EndOfStrings(Bytes record, const Set& set,
                                                      std::uint32_t at) const {
  const Blocks& blocks = blocks_[set.blocks];
  const ValueSet theirs(record, Moved(set.offset, segments_[set.segment].shift));
  const std::uint32_t count = theirs.count();
  const auto end = static_cast<std::uint32_t>(record.size() - kLengthWord);
  const Range* const strings = strings_.data() + blocks.first_string;
  // Where the i-th one was.
  const auto was_at = [&](std::uint32_t i) {
    return i < count ? static_cast<std::uint32_t>(strings[i].offset - kLengthWord)
                     : blocks.begin + blocks.length;
  };
  std::uint32_t i = 0;
  while (i < count) {
    const std::uint32_t first = i;
    const std::uint32_t begin = was_at(first);
    const std::uint32_t all = was_at(count) - begin;
    const std::size_t same =
        4 * loops_->same_words(record.data() + at, words_.data() + begin / 4,
                               mask_.data() + begin / 4, std::min(all, end - at) / 4);
    if (same == all) {
      i = count;
    } else {
      const auto* const next = std::partition_point(
          strings + first, strings + count,
          [&](const Range& string) { return string.offset - kLengthWord - begin <= same; });
      i = static_cast<std::uint32_t>(next - strings) - 1;  // with the first word that differs
    }
    if (i == first) {
      const std::optional<std::uint32_t> next =
          EndOfBlock(record, blocks.type, blocks.odd_padding, theirs.Word(i), at);
      if (!next) return std::nullopt;
      const std::size_t length = (LoadU32(record.data() + at) & 0xffffff) - kLengthWord;
      if (!IsGoodString(record.subspan(at + kLengthWord, length))) return std::nullopt;
      at = *next;
      ++i;
    } else {
      const std::int32_t moved = ShiftTo(at, begin);
      if (!loops_->are_shifted(theirs.Pair(first), KnownSetAt(set.offset).Pair(first), i - first,
                               static_cast<std::uint32_t>(moved / 4))) {
        return std::nullopt;
      }
      at = Moved(was_at(i), moved);
    }
  }
  return at;
}

Pmid RecordForm::MetricOf(std::size_t n) const { return Pmid{LoadU32(known() + sets_[n].offset)}; }

bool RecordForm::HasOther(std::size_t n, const ValueSet& set, Bytes record) const {
  if (sets_[n].kind == Kind::kLoose) return false;
  const std::size_t first = sets_[n].offset / 4;
  return KnownSetAt(sets_[n].offset).numval() != set.numval() ||
         loops_->differ(record.data() + set.offset(), words_.data() + first,
                        sets_mask_.data() + first, set.size() / 4);
}

bool RecordForm::NumbersAreGood(const std::uint8_t* record) {
  for (const Segment& segment : segments_) {
    for (std::uint32_t i = segment.first_numbers; i < segment.end_numbers; ++i)
      if (!AreGood(record, segment, numbers_[i])) return false;
  }
  return true;
}

std::vector<std::uint32_t> RecordForm::BadSets(const std::uint8_t* record) {
  std::vector<std::uint32_t> bad;
  for (const Segment& segment : segments_) {
    for (std::uint32_t i = segment.first_numbers; i < segment.end_numbers; ++i) {
      const Numbers& numbers = numbers_[i];
      if (AreGood(record, segment, numbers)) continue;
      for (std::uint32_t n = segment.first_set; n < segment.end_set; ++n) {
        const Set& set = sets_[n];
        const bool of_these =
            set.number == numbers.kind && (set.blocks != kNone) == numbers.in_blocks;
        if (of_these && !IsGood(record, segment, set)) bad.push_back(n);
      }
    }
  }
  std::ranges::sort(bad);
  return bad;
}

bool RecordForm::AreGood(const std::uint8_t* record, const Segment& segment,
                         const Numbers& numbers) {
  const std::int32_t shift = numbers.in_blocks ? segment.blocks_shift : segment.shift;
  const auto runs = std::span(runs_).subspan(numbers.begin, numbers.end - numbers.begin);
  return AreGood(numbers.kind, record + shift, runs, numbers.key);
}

bool RecordForm::IsGood(const std::uint8_t* record, const Segment& segment, const Set& set) {
  if (set.run.count == 0) return true;
  const std::int32_t shift = set.blocks == kNone ? segment.shift : segment.blocks_shift;
  return AreGood(set.number, record + shift, {&set.run, 1}, set.key);
}

// There are keys for counters alone.
bool RecordForm::AreGood(NumberKind kind, const std::uint8_t* record,
                         std::span<const NumberRun> runs, std::size_t key) {
  const bool counting = IsCounter(kind);
  return loops_->are_good(kind, record, runs, counting ? keys_.data() + key : nullptr,
                          counting ? fresh_.data() + key : nullptr);
}

std::span<CounterKey> RecordForm::Keys(std::size_t n) {
  const Set& set = sets_[n];
  if (!IsCounter(set.number)) return {};
  return std::span(keys_).subspan(set.key, set.run.count);
}

void RecordForm::ForgetKeys() { std::fill(keys_.begin(), keys_.end(), 0); }

std::size_t RecordForm::memory() const {
  const auto may_stretch = [](const Blocks& blocks) { return blocks.size == 0; };
  const std::size_t apart =
      MostLoose() + static_cast<std::size_t>(std::ranges::count_if(blocks_, may_stretch));
  return 8 * words_.size() + 4 * sets_mask_.size() + sizeof(Set) * sets_.size() +
         sizeof(Blocks) * blocks_.size() + sizeof(Range) * strings_.size() +
         sizeof(Segment) * (2 * apart + 1) + sizeof(Numbers) * numbers_.size() +
         sizeof(NumberRun) * runs_.size() + 16 * keys_.size();
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/record_form.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "validator/check/rules/value_scan.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::kLengthWord;
using archive::ValueSet;

constexpr std::uint32_t kFixed = ~std::uint32_t{0};

constexpr bool IsCounter(NumberKind kind) { return kind < NumberKind::kFloat; }

NumberKind CounterKind(MetricType type) {
  switch (type) {
    case MetricType::k32:
      return NumberKind::kCounter32;
    case MetricType::kU32:
      return NumberKind::kCounterU32;
    case MetricType::k64:
      return NumberKind::kCounter64;
    case MetricType::kU64:
      return NumberKind::kCounterU64;
    case MetricType::kFloat:
      return NumberKind::kCounterFloat;
    case MetricType::kNoSupport:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return NumberKind::kCounterDouble;
}

}  // namespace

RecordForm::Builder::Builder(const DataRecord& record)
    : record_(record),
      block_(record.sets_end),
      words_(record.record.bytes.size() / 4),
      mask_(words_.size(), kFixed),
      sets_mask_(record.sets_end / 4, kFixed) {
  std::memcpy(words_.data(), record.record.bytes.data(), 4 * words_.size());
  // The time: between the length and the number of sets (ARC-150).
  for (std::size_t i = 1; i + 1 < record.sets / 4; ++i) mask_[i] = 0;
}

bool RecordForm::Builder::Add(const ValueSet& set, MetricType type, bool counter) {
  odd_padding_ = false;
  slices_.emplace_back();
  if (type != MetricType::kUnknown) values_ += set.count();
  if (set.numval() <= 0) return true;
  const bool insitu = set.format() == archive::kInsitu;
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    const std::uint32_t word = set.PairOffset(i) / 4 + 1;
    sets_mask_[word] = 0;
    if (insitu) mask_[word] = 0;
  }
  if (!insitu && !AddBlocks(set, type)) return false;
  AddNumbers(set, type, counter);
  return true;
}

bool RecordForm::Builder::AddBlocks(const ValueSet& set, MetricType type) {
  const std::uint32_t size = IsNumeric(type) ? kLengthWord + NumericSize(type) : 0;
  blocks_.push_back({static_cast<std::uint32_t>(slices_.size() - 1), set.offset(), block_, 0, size,
                     static_cast<std::uint32_t>(strings_.size()), type, false});
  if (size != 0) return AddNumberBlocks(set, size);
  const std::uint8_t* const record = record_.record.bytes.data();
  const std::size_t end = record_.record.bytes.size() - kLengthWord;
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    if (ValueSet::BlockOffset(set.Word(i)) != block_) return false;
    const auto length = static_cast<std::uint32_t>(set.Block(i).payload.size());
    const auto padded = static_cast<std::uint32_t>(archive::PadToWord(kLengthWord + length));
    if (padded > end - block_) return false;
    for (std::uint32_t k = kLengthWord + length; k < padded; ++k)
      odd_padding_ |= record[block_ + k] != '~';
    if (type == MetricType::kString) {
      strings_.push_back({block_ + 4, length});
    } else {
      std::fill_n(mask_.begin() + block_ / 4 + 1, length / 4, 0);
      std::uint8_t rest[4] = {0xff, 0xff, 0xff, 0xff};  // of the payload, then padding
      std::fill_n(rest, length % 4, std::uint8_t{0});
      if (length % 4 != 0) std::memcpy(&mask_[block_ / 4 + 1 + length / 4], rest, sizeof rest);
    }
    block_ += padded;
  }
  blocks_.back().odd_padding = odd_padding_;
  blocks_.back().length = block_ - blocks_.back().begin;
  return true;
}

// Blocks of a header and a number; their headers are known to be right.
bool RecordForm::Builder::AddNumberBlocks(const ValueSet& set, std::uint32_t size) {
  const std::uint32_t count = set.count();
  const auto end = static_cast<std::uint32_t>(record_.record.bytes.size() - kLengthWord);
  if (count > (end - block_) / size) return false;
  std::uint32_t* mask = mask_.data() + block_ / 4;
  for (std::uint32_t i = 0; i < count; ++i, block_ += size, mask += size / 4) {
    if (set.Word(i) != block_ / 4 + 2) return false;
    mask[1] = 0;
    if (size == 12) mask[2] = 0;
  }
  return true;
}

void RecordForm::Builder::AddNumbers(const ValueSet& set, MetricType type, bool counter) {
  NumberKind kind = NumberKind::kDouble;
  if (counter) {
    kind = CounterKind(type);
  } else if (type == MetricType::kFloat) {
    kind = NumberKind::kFloat;
  } else if (type != MetricType::kDouble) {
    return;
  }
  NumberRun run{set.PairOffset(0) + 4, 8, set.count()};
  if (set.format() != archive::kInsitu) {
    run.place = blocks_.back().begin + kLengthWord;
    run.step = blocks_.back().size;
  }
  const auto k = static_cast<std::size_t>(kind);
  slices_.back() = {kind, counts_[k], run, 0};
  counts_[k] += run.count;
  Append(runs_[k], run);
}

// Numbers of more than one set can lie at equal distances, too: where each has one, they mostly do.
void RecordForm::Builder::Append(std::vector<NumberRun>& runs, NumberRun run) {
  if (!runs.empty()) {
    NumberRun& last = runs.back();
    if (last.count == 1 && run.place > last.place) last.step = run.place - last.place;
    if (run.count == 1) run.step = last.step;
    if (run.step == last.step && run.place == last.place + last.step * last.count) {
      last.count += run.count;
      return;
    }
  }
  runs.push_back(run);
}

std::optional<RecordForm> RecordForm::Builder::Finish() {
  if (block_ != record_.record.bytes.size() - kLengthWord) return std::nullopt;
  RecordForm form;
  std::size_t keys = 0;
  for (std::size_t k = 0; k < kNumberKinds; ++k) {
    const auto kind = static_cast<NumberKind>(k);
    form.begin_of_kind_[k] = keys;
    if (IsCounter(kind)) keys += counts_[k];
    if (runs_[k].empty()) continue;
    const std::size_t begin = form.runs_.size();
    form.runs_.insert(form.runs_.end(), runs_[k].begin(), runs_[k].end());
    form.numbers_.push_back({kind, begin, form.runs_.size()});
  }
  form.keys_ = std::vector<CounterKey>(keys);
  form.fresh_ = form.keys_;
  form.words_ = std::move(words_);
  form.mask_ = std::move(mask_);
  form.sets_mask_ = std::move(sets_mask_);
  form.blocks_ = std::move(blocks_);
  form.sets_begin_ = record_.sets / 4 - 1;  // their number is compared too
  form.strings_ = std::move(strings_);
  form.slices_ = std::move(slices_);
  form.values_ = values_;
  return form;
}

bool RecordForm::Matches(Bytes record) {
  shifted_ = false;
  if (record.size() != 4 * words_.size()) return MatchesShifted(record);
  return !loops_->differ(record.data(), words_.data(), mask_.data(), words_.size()) ||
         TakeStrings(record.data()) || MatchesShifted(record);
}

// True if the record matches but for the lengths of values that are bytes, so that blocks lie
// elsewhere.
bool RecordForm::MatchesShifted(Bytes record) {
  if (blocks_.empty() || record.size() < 4 * sets_mask_.size() + kLengthWord ||
      loops_->differ(record.data() + 4 * sets_begin_, words_.data() + sets_begin_,
                     sets_mask_.data() + sets_begin_, sets_mask_.size() - sets_begin_)) {
    return false;
  }
  auto at = static_cast<std::uint32_t>(4 * sets_mask_.size());
  for (const Builder::Blocks& blocks : blocks_) {
    slices_[blocks.set].shift = at - blocks.begin;
    const std::optional<std::uint32_t> end = EndOfBlocks(record, blocks, at);
    if (!end) return false;
    at = *end;
  }
  shifted_ = true;
  return at == record.size() - kLengthWord;
}

// Where the blocks of a set end if they begin at `at`, are of its type, and break no rule. Nothing
// otherwise.
std::optional<std::uint32_t> RecordForm::EndOfBlocks(Bytes record, const Builder::Blocks& blocks,
                                                     std::uint32_t at) const {
  const ValueSet set(record, blocks.offset);
  if (blocks.size != 0) {
    const auto end = static_cast<std::uint32_t>(record.size() - kLengthWord);
    const std::uint32_t header = static_cast<std::uint32_t>(blocks.type) << 24 | blocks.size;
    if (!archive::AreEqualBlocks(record.data(), set, header, at, end)) return std::nullopt;
    return at + set.count() * blocks.size;
  }
  if (blocks.type == MetricType::kString) return EndOfStrings(record, blocks, at);
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    const std::optional<std::uint32_t> next = EndOfBlock(record, blocks, set.Word(i), at);
    if (!next) return std::nullopt;
    at = *next;
  }
  return at;
}

// The same of one block of any length, which `word` is to point to.
std::optional<std::uint32_t> RecordForm::EndOfBlock(Bytes record, const Builder::Blocks& blocks,
                                                    std::uint32_t word, std::uint32_t at) {
  const auto end = static_cast<std::uint32_t>(record.size() - kLengthWord);
  if (end - at < kLengthWord || word != at / 4 + 2) return std::nullopt;
  const std::uint32_t header = LoadU32(record.data() + at);
  const std::uint32_t length = header & 0xffffff;
  const auto padded = static_cast<std::uint32_t>(archive::PadToWord(length));
  if (header >> 24 != static_cast<std::uint32_t>(blocks.type) || length < kLengthWord ||
      padded > end - at) {
    return std::nullopt;
  }
  if (!blocks.odd_padding) {
    for (std::uint32_t k = length; k < padded; ++k)
      if (record[at + k] != '~') return std::nullopt;
  }
  return at + padded;
}

// The same of strings: runs of those that are as they were, each compared as a whole, and between
// them single ones that are not.
std::optional<std::uint32_t> RecordForm::EndOfStrings(Bytes record, const Builder::Blocks& blocks,
                                                      std::uint32_t at) const {
  const ValueSet set(record, blocks.offset);
  const std::uint32_t count = set.count();
  const auto end = static_cast<std::uint32_t>(record.size() - kLengthWord);
  const Builder::Range* const strings = strings_.data() + blocks.first_string;
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
      const auto* const next =
          std::partition_point(strings + first, strings + count, [&](const Builder::Range& string) {
            return string.offset - kLengthWord - begin <= same;
          });
      i = static_cast<std::uint32_t>(next - strings) - 1;  // with the first word that differs
    }
    if (i == first) {
      const std::optional<std::uint32_t> next = EndOfBlock(record, blocks, set.Word(i), at);
      if (!next) return std::nullopt;
      const std::size_t length = (LoadU32(record.data() + at) & 0xffffff) - kLengthWord;
      if (!IsGoodString(record.subspan(at + kLengthWord, length))) return std::nullopt;
      at = *next;
      ++i;
    } else {
      const auto* const known = reinterpret_cast<const std::uint8_t*>(words_.data());
      const std::uint32_t moved = at - begin;
      if (!loops_->are_shifted(set.Pair(first), known + set.PairOffset(first), i - first,
                               moved / 4)) {
        return std::nullopt;
      }
      at = was_at(i) + moved;
    }
  }
  return at;
}

// True if nothing but strings differs, and none of these breaks a rule.
bool RecordForm::TakeStrings(const std::uint8_t* record) {
  auto* const known = reinterpret_cast<std::uint8_t*>(words_.data());
  auto next = strings_.begin();  // those before are as in the record
  std::size_t at = 0;
  while (true) {
    at += loops_->same_words(record + 4 * at, words_.data() + at, mask_.data() + at,
                             words_.size() - at);
    if (at == words_.size()) return true;
    // The first one that ends in this word or after it.
    next = std::partition_point(next, strings_.end(), [at](const Builder::Range& string) {
      return string.offset + string.length <= 4 * at;
    });
    if (next == strings_.end() || next->offset > 4 * at) return false;
    const Bytes payload(record + next->offset, next->length);
    if (!IsGoodString(payload)) return false;
    std::memcpy(known + next->offset, payload.data(), payload.size());
    at = (next->offset + next->length) / 4;  // where its padding is
    ++next;
  }
}

bool RecordForm::NumbersAreGood(const std::uint8_t* record) {
  const std::span<const NumberRun> runs(runs_);
  if (!shifted_) {
    for (const Numbers& numbers : numbers_) {
      if (!AreGood(numbers.kind, record, runs.subspan(numbers.begin, numbers.end - numbers.begin),
                   begin_of_kind_[static_cast<std::size_t>(numbers.kind)])) {
        return false;
      }
    }
    return true;
  }
  for (const Builder::Slice& slice : slices_) {
    if (!AreGood(slice.kind, record + static_cast<std::int32_t>(slice.shift), {&slice.run, 1},
                 begin_of_kind_[static_cast<std::size_t>(slice.kind)] + slice.begin)) {
      return false;
    }
  }
  return true;
}

// There are keys for counters alone: `begin` is where those of the runs do.
bool RecordForm::AreGood(NumberKind kind, const std::uint8_t* record,
                         std::span<const NumberRun> runs, std::size_t begin) {
  const bool counting = IsCounter(kind);
  return loops_->are_good(kind, record, runs, counting ? keys_.data() + begin : nullptr,
                          counting ? fresh_.data() + begin : nullptr);
}

std::span<CounterKey> RecordForm::Keys(std::size_t n) {
  const Builder::Slice& slice = slices_[n];
  if (!IsCounter(slice.kind)) return {};
  const std::size_t begin = begin_of_kind_[static_cast<std::size_t>(slice.kind)] + slice.begin;
  return std::span(keys_).subspan(begin, slice.run.count);
}

void RecordForm::ForgetKeys() { std::fill(keys_.begin(), keys_.end(), 0); }

std::size_t RecordForm::memory() const {
  return 8 * words_.size() + 4 * sets_mask_.size() + sizeof(Builder::Blocks) * blocks_.size() +
         sizeof(NumberRun) * runs_.size() + 16 * keys_.size() +
         sizeof(Builder::Range) * strings_.size() + sizeof(Builder::Slice) * slices_.size();
}

}  // namespace pmproof::validator

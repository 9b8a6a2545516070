// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/record_form.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "validator/check/rules/number_key.h"
#include "validator/check/rules/value_scan.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::kLengthWord;
using archive::ValueSet;
using Kind = RecordForm::Kind;

constexpr std::uint32_t kFixed = ~std::uint32_t{0};

constexpr bool IsCounter(Kind kind) { return kind < Kind::kFloat; }

Kind CounterKind(MetricType type) {
  switch (type) {
    case MetricType::k32:
      return Kind::kCounter32;
    case MetricType::kU32:
      return Kind::kCounterU32;
    case MetricType::k64:
      return Kind::kCounter64;
    case MetricType::kU64:
      return Kind::kCounterU64;
    case MetricType::kFloat:
      return Kind::kCounterFloat;
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
  return Kind::kCounterDouble;
}

// The bits of a number of kSize bytes.
template <std::uint32_t kSize>
std::uint64_t Bits(const std::uint8_t* at) {
  if constexpr (kSize == 8) return LoadU64(at);
  return LoadU32(at);
}

// Numbers of one kind: where they lie in the record.
struct Numbers {
  const std::uint8_t* record;
  const std::uint32_t* places;
  std::size_t count;
};

template <typename Type, std::uint32_t kSize>
bool AreCounting(const Numbers& numbers, const CounterKey* last, CounterKey* fresh) {
  bool good = true;
  for (std::size_t i = 0; i < numbers.count; ++i) {
    const std::uint64_t bits = Bits<kSize>(numbers.record + numbers.places[i]);
    const CounterKey key = Type::Key(bits);
    fresh[i] = key;
    good &= Type::Finite(bits) & (key >= last[i]) & (key >= Type::kZero);
  }
  return good;
}

template <typename Type, std::uint32_t kSize>
bool AreFinite(const Numbers& numbers) {
  bool good = true;
  for (std::size_t i = 0; i < numbers.count; ++i)
    good &= Type::Finite(Bits<kSize>(numbers.record + numbers.places[i]));
  return good;
}

// True if the record differs from `words` in bits of the mask.
bool Differs(const std::uint8_t* record, const std::uint32_t* words, const std::uint32_t* mask,
             std::size_t count) {
  constexpr std::size_t kPiece = 256;  // words that are compared without a look at the outcome
  const auto different = [&](std::size_t i) {
    std::uint32_t theirs;
    std::memcpy(&theirs, record + 4 * i, sizeof theirs);
    return (theirs ^ words[i]) & mask[i];
  };
  std::size_t at = 0;
  for (; at + kPiece <= count; at += kPiece) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kPiece; ++i) bits |= different(at + i);
    if (bits != 0) return true;
  }
  std::uint32_t bits = 0;
  for (; at < count; ++at) bits |= different(at);
  return bits != 0;
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
  blocks_.push_back({static_cast<std::uint32_t>(slices_.size() - 1), set.offset(), block_, size,
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
  Kind kind = Kind::kDouble;
  if (counter) {
    kind = CounterKind(type);
  } else if (type == MetricType::kFloat) {
    kind = Kind::kFloat;
  } else if (type != MetricType::kDouble) {
    return;
  }
  std::vector<std::uint32_t>& places = places_[static_cast<std::size_t>(kind)];
  slices_.back() = {kind, static_cast<std::uint32_t>(places.size()), set.count(), 0};
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    places.push_back(set.format() == archive::kInsitu
                         ? set.PairOffset(i) + 4
                         : static_cast<std::uint32_t>(ValueSet::BlockOffset(set.Word(i))) + 4);
  }
}

std::optional<RecordForm> RecordForm::Builder::Finish() {
  if (block_ != record_.record.bytes.size() - kLengthWord) return std::nullopt;
  RecordForm form;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    form.begin_of_kind_[kind] = form.places_.size();
    if (!places_[kind].empty()) form.kinds_.push_back(static_cast<Kind>(kind));
    form.places_.insert(form.places_.end(), places_[kind].begin(), places_[kind].end());
  }
  form.begin_of_kind_[kKinds] = form.places_.size();
  form.keys_ = std::vector<CounterKey>(form.begin_of_kind_[static_cast<std::size_t>(Kind::kFloat)]);
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
  const auto differs = [&] {
    return Differs(record.data(), words_.data(), mask_.data(), words_.size());
  };
  return !differs() || (TakeStrings(record.data()) && !differs()) || MatchesShifted(record);
}

// True if the record matches but for the lengths of values that are bytes, so that blocks lie
// elsewhere.
bool RecordForm::MatchesShifted(Bytes record) {
  if (blocks_.empty() || record.size() < 4 * sets_mask_.size() + kLengthWord ||
      Differs(record.data() + 4 * sets_begin_, words_.data() + sets_begin_,
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
  const auto end = static_cast<std::uint32_t>(record.size() - kLengthWord);
  const std::uint32_t type = static_cast<std::uint32_t>(blocks.type) << 24;
  if (blocks.size != 0) {
    if (!archive::AreEqualBlocks(record.data(), set, type | blocks.size, at, end))
      return std::nullopt;
    return at + set.count() * blocks.size;
  }
  const auto* const known = reinterpret_cast<const std::uint8_t*>(words_.data());
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    if (end - at < kLengthWord || set.Word(i) != at / 4 + 2) return std::nullopt;
    const std::uint32_t header = LoadU32(record.data() + at);
    const std::uint32_t length = header & 0xffffff;
    const auto padded = static_cast<std::uint32_t>(archive::PadToWord(length));
    if ((header ^ type) >> 24 != 0 || length < kLengthWord || padded > end - at)
      return std::nullopt;
    if (!blocks.odd_padding) {
      for (std::uint32_t k = length; k < padded; ++k)
        if (record[at + k] != '~') return std::nullopt;
    }
    if (blocks.type == MetricType::kString) {
      const Bytes payload = record.subspan(at + kLengthWord, length - kLengthWord);
      const Builder::Range& string = strings_[blocks.first_string + i];
      const bool same = payload.size() == string.length &&
                        std::memcmp(payload.data(), known + string.offset, string.length) == 0;
      if (!same && !IsGoodString(payload)) return std::nullopt;
    }
    at += padded;
  }
  return at;
}

// True if there are strings that differ, and none of them breaks a rule.
bool RecordForm::TakeStrings(const std::uint8_t* record) {
  bool taken = false;
  auto* const known = reinterpret_cast<std::uint8_t*>(words_.data());
  for (const Builder::Range& string : strings_) {
    const Bytes payload(record + string.offset, string.length);
    if (std::memcmp(payload.data(), known + string.offset, string.length) == 0) continue;
    if (!IsGoodString(payload)) return false;
    std::memcpy(known + string.offset, payload.data(), string.length);
    taken = true;
  }
  return taken;
}

bool RecordForm::NumbersAreGood(const std::uint8_t* record) {
  if (!shifted_) {
    for (const Kind kind : kinds_) {
      const auto k = static_cast<std::size_t>(kind);
      const std::size_t begin = begin_of_kind_[k];
      if (!AreGood(kind, record, begin, begin_of_kind_[k + 1] - begin)) return false;
    }
    return true;
  }
  for (const Builder::Slice& slice : slices_) {
    const std::size_t begin = begin_of_kind_[static_cast<std::size_t>(slice.kind)] + slice.begin;
    if (!AreGood(slice.kind, record + static_cast<std::int32_t>(slice.shift), begin, slice.count)) {
      return false;
    }
  }
  return true;
}

bool RecordForm::AreGood(Kind kind, const std::uint8_t* record, std::size_t begin,
                         std::size_t count) {
  const Numbers numbers{record, places_.data() + begin, count};
  // There are keys for counters alone.
  const bool counting = IsCounter(kind);
  const CounterKey* const last = counting ? keys_.data() + begin : nullptr;
  CounterKey* const fresh = counting ? fresh_.data() + begin : nullptr;
  switch (kind) {
    case Kind::kCounter32:
      return AreCounting<As32, 4>(numbers, last, fresh);
    case Kind::kCounterU32:
      return AreCounting<AsU32, 4>(numbers, last, fresh);
    case Kind::kCounter64:
      return AreCounting<As64, 8>(numbers, last, fresh);
    case Kind::kCounterU64:
      return AreCounting<AsU64, 8>(numbers, last, fresh);
    case Kind::kCounterFloat:
      return AreCounting<AsFloat, 4>(numbers, last, fresh);
    case Kind::kCounterDouble:
      return AreCounting<AsDouble, 8>(numbers, last, fresh);
    case Kind::kFloat:
      return AreFinite<AsFloat, 4>(numbers);
    case Kind::kDouble:
      return AreFinite<AsDouble, 8>(numbers);
  }
  return false;
}

std::span<CounterKey> RecordForm::Keys(std::size_t n) {
  const Builder::Slice& slice = slices_[n];
  if (!IsCounter(slice.kind)) return {};
  const std::size_t begin = begin_of_kind_[static_cast<std::size_t>(slice.kind)] + slice.begin;
  return std::span(keys_).subspan(begin, slice.count);
}

void RecordForm::ForgetKeys() { std::fill(keys_.begin(), keys_.end(), 0); }

std::size_t RecordForm::memory() const {
  return 8 * words_.size() + 4 * sets_mask_.size() + sizeof(Builder::Blocks) * blocks_.size() +
         4 * places_.size() + 16 * keys_.size() + sizeof(Builder::Range) * strings_.size() +
         sizeof(Builder::Slice) * slices_.size();
}

}  // namespace pmproof::validator

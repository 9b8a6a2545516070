// SPDX-License-Identifier: Apache-2.0
// How a form is made of a record; record_form.cc holds records against it.

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "validator/check/rules/record_form.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::kLengthWord;
using archive::ValueSet;

constexpr std::uint32_t kFixedWord = ~std::uint32_t{0};

// So many sets, at most, may be loose: each is checked by itself.
constexpr std::size_t kMostLoose = 256;

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

// Numbers of more than one set can lie at equal distances, too: where each has one, they mostly do.
void Append(std::vector<NumberRun>& runs, NumberRun run) {
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

}  // namespace

RecordForm::Builder::Builder(const DataRecord& record) : record_(record), block_(record.sets_end) {
  form_.words_.resize(record.record.bytes.size() / 4);
  form_.mask_.assign(form_.words_.size(), kFixedWord);
  form_.sets_mask_.assign(record.sets_end / 4, kFixedWord);
  std::memcpy(form_.words_.data(), record.record.bytes.data(), 4 * form_.words_.size());
  // The time: between the length and the number of sets (ARC-150).
  for (std::size_t i = 1; i + 1 < record.sets / 4; ++i) form_.mask_[i] = 0;
}

bool RecordForm::Builder::Add(const ValueSet& set, MetricType type, bool counter) {
  odd_padding_ = false;
  Set& added = form_.sets_.emplace_back();
  added.offset = set.offset();
  added.type = type;
  if (type != MetricType::kUnknown) form_.values_ += set.count();
  if (set.numval() <= 0) return true;
  const bool insitu = set.format() == archive::kInsitu;
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    const std::uint32_t word = set.PairOffset(i) / 4 + 1;
    form_.sets_mask_[word] = 0;
    if (insitu) form_.mask_[word] = 0;
  }
  if (!insitu && !AddBlocks(set, type)) return false;
  AddNumbers(set, type, counter);
  return true;
}

bool RecordForm::Builder::AddBlocks(const ValueSet& set, MetricType type) {
  const std::uint32_t size = IsNumeric(type) ? kLengthWord + NumericSize(type) : 0;
  form_.sets_.back().blocks = static_cast<std::uint32_t>(form_.blocks_.size());
  Blocks& blocks = form_.blocks_.emplace_back();
  blocks.begin = block_;
  blocks.length = set.count() * size;
  blocks.size = size;
  blocks.first_string = static_cast<std::uint32_t>(form_.strings_.size());
  blocks.type = type;
  if (size != 0) return AddNumberBlocks(set, size);
  const std::uint8_t* const record = record_.record.bytes.data();
  const std::size_t end = record_.record.bytes.size() - kLengthWord;
  std::vector<std::uint32_t>& mask = form_.mask_;
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    if (ValueSet::BlockOffset(set.Word(i)) != block_) return false;
    const auto length = static_cast<std::uint32_t>(set.Block(i).payload.size());
    const auto padded = static_cast<std::uint32_t>(archive::PadToWord(kLengthWord + length));
    if (padded > end - block_) return false;
    for (std::uint32_t k = kLengthWord + length; k < padded; ++k)
      odd_padding_ |= record[block_ + k] != '~';
    if (type == MetricType::kString) {
      form_.strings_.push_back({block_ + 4, length});
    } else {
      std::fill_n(mask.begin() + block_ / 4 + 1, length / 4, 0);
      std::uint8_t rest[4] = {0xff, 0xff, 0xff, 0xff};  // of the payload, then padding
      std::fill_n(rest, length % 4, std::uint8_t{0});
      if (length % 4 != 0) std::memcpy(&mask[block_ / 4 + 1 + length / 4], rest, sizeof rest);
    }
    block_ += padded;
  }
  blocks.odd_padding = odd_padding_;
  blocks.length = block_ - blocks.begin;
  return true;
}

// Blocks of a header and a number; their headers are known to be right.
bool RecordForm::Builder::AddNumberBlocks(const ValueSet& set, std::uint32_t size) {
  const std::uint32_t count = set.count();
  const auto end = static_cast<std::uint32_t>(record_.record.bytes.size() - kLengthWord);
  if (count > (end - block_) / size) return false;
  std::uint32_t* mask = form_.mask_.data() + block_ / 4;
  for (std::uint32_t i = 0; i < count; ++i, block_ += size, mask += size / 4) {
    if (set.Word(i) != block_ / 4 + 2) return false;
    mask[1] = 0;
    if (size == 12) mask[2] = 0;
  }
  return true;
}

void RecordForm::Builder::AddNumbers(const ValueSet& set, MetricType type, bool counter) {
  Set& added = form_.sets_.back();
  if (counter) {
    added.number = CounterKind(type);
  } else if (type == MetricType::kFloat) {
    added.number = NumberKind::kFloat;
  } else if (type == MetricType::kDouble) {
    added.number = NumberKind::kDouble;
  } else {
    return;
  }
  added.run = {set.PairOffset(0) + 4, 8, set.count()};
  if (added.blocks != kNone) {
    const Blocks& blocks = form_.blocks_[added.blocks];
    added.run.place = blocks.begin + kLengthWord;
    added.run.step = blocks.size;
  }
}

std::optional<RecordForm> RecordForm::Builder::Finish() {
  if (block_ != record_.record.bytes.size() - kLengthWord) return std::nullopt;
  form_.begin_ = static_cast<std::uint32_t>(record_.sets - kLengthWord);
  form_.sets_end_ = record_.sets_end;
  PlaceKeys();
  form_.Arrange();
  return std::move(form_);
}

// Those of one kind, in blocks or not, follow each other, however the sets are arranged.
void RecordForm::Builder::PlaceKeys() {
  std::array<std::array<std::uint32_t, kNumberKinds>, 2> places{};
  const auto place_of = [&](const Set& set) -> std::uint32_t& {
    return places[set.blocks == kNone ? 0 : 1][static_cast<std::size_t>(set.number)];
  };
  for (const Set& set : form_.sets_)
    if (IsCounter(set.number)) place_of(set) += set.run.count;
  std::uint32_t keys = 0;
  for (auto& kinds : places) {
    for (std::uint32_t& place : kinds) {
      const std::uint32_t count = place;
      place = keys;
      keys += count;
    }
  }
  for (Set& set : form_.sets_) {
    if (!IsCounter(set.number)) continue;
    set.key = place_of(set);
    place_of(set) += set.run.count;
  }
  form_.keys_ = std::vector<CounterKey>(keys);
  form_.fresh_ = form_.keys_;
}

std::size_t RecordForm::MostLoose() const { return std::min(sets_.size() / 4, kMostLoose); }

bool RecordForm::Loosen(std::span<const Loosened> sets) {
  if (loose_ + sets.size() > MostLoose()) return false;
  for (const Loosened& loosened : sets) {
    Set& set = sets_[loosened.set];
    if (set.type != MetricType::kUnknown) values_ -= KnownSetAt(set.offset).count();
    set.kind = Kind::kLoose;
    set.type = loosened.type;
  }
  Arrange();
  return true;
}

void RecordForm::Stretch() {
  for (const std::uint32_t n : lengthened_) sets_[n].kind = Kind::kStretched;
  Arrange();
}

// Divides the sets into segments, and their numbers with them.
void RecordForm::Arrange() {
  segments_.clear();
  numbers_.clear();
  runs_.clear();
  loose_ = 0;
  std::uint32_t begin = 0;
  const auto count = static_cast<std::uint32_t>(sets_.size());
  for (std::uint32_t n = 0; n < count; ++n) {
    const Kind kind = sets_[n].kind;
    if (kind == Kind::kFixed) continue;
    std::uint32_t end = n + 1;
    if (kind == Kind::kLoose) {
      ++loose_;
    } else {
      while (end < count && sets_[end].kind == kind) ++end;
    }
    if (begin < n || (n == 0 && kind == Kind::kLoose)) AddSegment(Kind::kFixed, begin, n);
    AddSegment(kind, n, end);
    begin = end;
    n = end - 1;
  }
  if (begin < count || count == 0) AddSegment(Kind::kFixed, begin, count);
}

// The first segment begins with the number of sets, so that that is compared, too. A loose set has
// a segment for itself alone.
void RecordForm::AddSegment(Kind kind, std::uint32_t first_set, std::uint32_t end_set) {
  const auto sets_end = static_cast<std::uint32_t>(4 * sets_mask_.size());
  Segment segment;
  segment.kind = kind;
  segment.first_set = first_set;
  segment.end_set = end_set;
  segment.begin = segments_.empty() ? begin_ : segments_.back().end;
  segment.end = end_set == sets_.size() ? sets_end : sets_[end_set].offset;
  segment.blocks_begin = segments_.empty() ? sets_end : segments_.back().blocks_end;
  segment.blocks_end = segment.blocks_begin;
  const auto number = static_cast<std::uint32_t>(segments_.size());
  for (std::uint32_t n = first_set; n < end_set; ++n) {
    sets_[n].segment = number;
    if (sets_[n].blocks != kNone) segment.blocks_end += blocks_[sets_[n].blocks].length;
  }
  AddNumbers(&segment);
  segments_.push_back(segment);
}

void RecordForm::AddNumbers(Segment* segment) {
  segment->first_numbers = segment->end_numbers = static_cast<std::uint32_t>(numbers_.size());
  if (segment->kind != Kind::kFixed) return;
  std::array<std::array<Numbers, kNumberKinds>, 2> all{};
  std::array<std::array<std::vector<NumberRun>, kNumberKinds>, 2> runs;
  for (std::uint32_t n = segment->first_set; n < segment->end_set; ++n) {
    const Set& set = sets_[n];
    if (set.run.count == 0) continue;
    const std::size_t in_blocks = set.blocks == kNone ? 0 : 1;
    const auto kind = static_cast<std::size_t>(set.number);
    if (runs[in_blocks][kind].empty())
      all[in_blocks][kind] = {set.number, in_blocks != 0, 0, 0, set.key};
    Append(runs[in_blocks][kind], set.run);
  }
  for (const std::size_t in_blocks : {0, 1}) {
    for (std::size_t kind = 0; kind < kNumberKinds; ++kind) {
      const std::vector<NumberRun>& of_kind = runs[in_blocks][kind];
      if (of_kind.empty()) continue;
      Numbers& numbers = numbers_.emplace_back(all[in_blocks][kind]);
      numbers.begin = static_cast<std::uint32_t>(runs_.size());
      runs_.insert(runs_.end(), of_kind.begin(), of_kind.end());
      numbers.end = static_cast<std::uint32_t>(runs_.size());
    }
  }
  segment->end_numbers = static_cast<std::uint32_t>(numbers_.size());
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/value_scan.h"

#include <cmath>
#include <cstring>
#include <string>

#include "reference/core/bytes.h"
#include "reference/core/plain_bytes.h"
#include "reference/core/printable.h"
#include "reference/core/utf8.h"
#include "validator/check/rules/event_rules.h"
#include "validator/check/rules/number_key.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::Details;
using archive::Gravity;
using archive::ValueBlock;
using archive::ValueSet;

// Calls visit(i, bits) for each insitu value.
template <typename Visit>
bool EachInsitu(const ValueSet& set, Visit&& visit) {
  const std::uint32_t count = set.count();
  const std::uint8_t* value = set.Pair(0) + 4;
  bool good = true;
  for (std::uint32_t i = 0; i < count; ++i, value += 8)
    good &= visit(i, std::uint64_t{LoadU32(value)});
  return good;
}

// Calls visit(i, bits) for each value block with the header that the type asks for (ARC-230,
// ARC-234); false if one has another.
template <std::uint32_t kSize, typename Visit>
bool EachBlock(const ValueSet& set, MetricType type, Visit&& visit) {
  const std::uint32_t header = static_cast<std::uint32_t>(type) << 24 | (4 + kSize);
  const std::uint32_t count = set.count();
  const std::uint8_t* word = set.Pair(0) + 4;
  for (std::uint32_t i = 0; i < count; ++i, word += 8) {
    const std::uint8_t* block = set.BlockOf(LoadU32(word), kSize);
    if (block == nullptr || LoadU32(block) != header) return false;
    if (!visit(i, kSize == 8 ? LoadU64(block + 4) : std::uint64_t{LoadU32(block + 4)}))
      return false;
  }
  return true;
}

template <typename Type>
auto Counting(const CounterKey* last, CounterKey* keys) {
  return [last, keys](std::uint32_t i, std::uint64_t bits) {
    const CounterKey key = Type::Key(bits);
    keys[i] = key;
    return Type::Finite(bits) && key >= last[i] && key >= Type::kZero;
  };
}

template <typename Type>
bool OnlyFinite(std::uint32_t, std::uint64_t bits) {
  return Type::Finite(bits);
}

template <typename Type>
std::optional<CounterKey> FiniteKey(std::uint64_t bits) {
  if (!Type::Finite(bits)) return std::nullopt;
  return Type::Key(bits);
}

std::optional<CounterKey> KeyOfBits(MetricType type, std::uint64_t bits) {
  switch (type) {
    case MetricType::k32:
      return FiniteKey<As32>(bits);
    case MetricType::kU32:
    case MetricType::kU64:
      return FiniteKey<AsU64>(bits);
    case MetricType::k64:
      return FiniteKey<As64>(bits);
    case MetricType::kFloat:
      return FiniteKey<AsFloat>(bits);
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
  return FiniteKey<AsDouble>(bits);
}

// Where the block of value `i` begins in the record.
std::size_t BlockAt(const ValueSet& set, std::uint32_t i) {
  return ValueSet::BlockOffset(set.Word(i));
}

// ARC-1829 and ARC-1810: true if the block is of the metric's type, or of one that readers take for
// it without harm.
bool CheckBlockType(const DataRecord& record, const ValueSet& set, std::uint32_t i, MetricType type,
                    const MetricTable& metrics, archive::Reporter& reporter) {
  const MetricType found = set.Block(i).type;
  if (found == type) return true;
  const archive::Location where = record.record.At(BlockAt(set, i), 4);
  if (found == MetricType::kAggregateStatic || found == MetricType::kUnknown) {
    reporter.Report("ARC-1829"_clause, where, [&] {
      return Details{"type", ToText(found), ToText(type),
                     "a value block of " + metrics.Show(set.pmid()) +
                         " has a type that does not belong on disk"};
    });
    if (found == MetricType::kAggregateStatic && type == MetricType::kAggregate) return true;
  }
  // Type 0 occurs in old archives. Readers take the bytes as the descriptor says; those of a number
  // come out wrong on hosts of the other byte order (ARC-233), so it is not compared with others.
  const bool old = found == MetricType::k32 && type != MetricType::kU32 && !IsEvent(type);
  reporter.Report(
      "ARC-1810"_clause, where,
      [&] {
        return Details{"type", ToText(found), ToText(type),
                       "a value block of " + metrics.Show(set.pmid()) +
                           " has another type than its descriptor"};
      },
      old ? Gravity::kWarning : Gravity::kAsCatalogued);
  return old && !IsNumeric(type);
}

// True if there is nothing in a string for CheckText() to report.
bool IsQuiet(std::string_view text) {
  while (true) {
    const ForeignCharacter foreign = FirstForeign(text);
    if (foreign.at == text.size()) return true;
    const std::uint32_t character = foreign.code_point.value_or(0);
    if (character != '\n' && character != '\t') return false;
    text.remove_prefix(foreign.at + foreign.size);
  }
}

}  // namespace

bool IsOpaque(MetricType type) {
  return type == MetricType::kString || type == MetricType::kAggregate || IsEvent(type);
}

CounterKey ZeroKey(MetricType type) {
  return type == MetricType::kU32 || type == MetricType::kU64 ? AsU64::kZero : AsDouble::kZero;
}

bool SameInstances(const ValueSet& set, const std::vector<std::uint32_t>& words) {
  const std::uint32_t count = set.count();
  if (words.size() != count) return false;
  const std::uint8_t* pair = set.Pair(0);
  std::uint32_t different = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t word;
    std::memcpy(&word, pair + 8 * std::size_t{i}, sizeof word);
    different |= word ^ words[i];
  }
  return different == 0;
}

bool ScanNumbers(const ValueSet& set, MetricType type) {
  const auto any = [](std::uint32_t, std::uint64_t) { return true; };
  if (set.format() == archive::kInsitu) {
    return type != MetricType::kFloat || EachInsitu(set, OnlyFinite<AsFloat>);
  }
  if (type == MetricType::kFloat) return EachBlock<4>(set, type, OnlyFinite<AsFloat>);
  if (type == MetricType::kDouble) return EachBlock<8>(set, type, OnlyFinite<AsDouble>);
  return EachBlock<8>(set, type, any);
}

bool ScanCounter(const ValueSet& set, MetricType type, const CounterKey* last, CounterKey* keys) {
  switch (type) {
    case MetricType::k32:
      return EachInsitu(set, Counting<As32>(last, keys));
    case MetricType::kU32:
      return EachInsitu(set, Counting<AsU32>(last, keys));
    case MetricType::kFloat:
      return set.format() == archive::kInsitu
                 ? EachInsitu(set, Counting<AsFloat>(last, keys))
                 : EachBlock<4>(set, type, Counting<AsFloat>(last, keys));
    case MetricType::k64:
      return EachBlock<8>(set, type, Counting<As64>(last, keys));
    case MetricType::kU64:
      return EachBlock<8>(set, type, Counting<AsU64>(last, keys));
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
  return EachBlock<8>(set, type, Counting<AsDouble>(last, keys));
}

bool HasGoodForm(const ValueSet& set, MetricType type) {
  if (set.format() == archive::kInsitu) return true;
  if (type == MetricType::kString) return ScanStrings(set);
  if (IsNumeric(type)) {
    const auto any = [](std::uint32_t, std::uint64_t) { return true; };
    return NumericSize(type) == 4 ? EachBlock<4>(set, type, any) : EachBlock<8>(set, type, any);
  }
  for (std::uint32_t i = 0; i < set.count(); ++i)
    if (set.Block(i).type != type) return false;
  return true;
}

namespace {

[[gnu::always_inline]] inline bool IsGood(Bytes payload) {
  if (payload.empty()) return true;
  const std::string_view text = AsText(payload).substr(0, payload.size() - 1);
  if (payload.back() != 0) return false;
  // Nearly all strings are plain, and a plain one has no NUL.
  return IsPlain(text) || IsQuiet(text);
}

}  // namespace

bool IsGoodString(Bytes payload) { return IsGood(payload); }

bool ScanStrings(const ValueSet& set) {
  if (set.format() == archive::kInsitu) return false;
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    const ValueBlock block = set.Block(i);
    if (block.type != MetricType::kString || !IsGood(block.payload)) return false;
  }
  return true;
}

std::optional<CounterKey> ReadNumber(const DataRecord& record, const ValueSet& set, std::uint32_t i,
                                     MetricType type, const MetricTable& metrics,
                                     archive::Reporter& reporter) {
  std::uint64_t bits = set.Word(i);
  archive::Location where = record.record.At(set.PairOffset(i) + 4, 4);
  if (set.format() != archive::kInsitu) {
    if (!CheckBlockType(record, set, i, type, metrics, reporter)) return std::nullopt;
    const ValueBlock block = set.Block(i);
    const std::uint32_t size = NumericSize(type);
    where = record.record.At(BlockAt(set, i), 4 + block.payload.size());
    if (block.payload.size() != size) {
      const bool short_of_64 = size == 8 && block.payload.size() < size;
      reporter.Report(
          "ARC-1811"_clause, where,
          [&] {
            return Details{"len", std::to_string(block.payload.size() + 4),
                           std::to_string(size + 4),
                           "a value block of " + metrics.Show(set.pmid()) +
                               " has the wrong length for " + ToText(type)};
          },
          short_of_64 ? Gravity::kFatal : Gravity::kError);
      return std::nullopt;
    }
    bits = size == 8 ? LoadU64(block.payload.data()) : LoadU32(block.payload.data());
  }
  const std::optional<CounterKey> key = KeyOfBits(type, bits);
  if (!key) {
    reporter.Report("ARC-1828"_clause, where, [&] {
      return Details{"value", "", "a finite number",
                     "a value of " + metrics.Show(set.pmid()) + " is NaN or infinite"};
    });
  }
  return key;
}

void CheckText(const DataRecord& record, std::size_t offset, std::string_view text, Pmid pmid,
               const MetricTable& metrics, archive::Reporter& reporter) {
  if (IsPlain(text)) return;
  if (const ForeignCharacter acting = FirstActing(text); acting.at < text.size()) {
    reporter.Report("ARC-1834"_clause, record.record.At(offset + acting.at, acting.size), [&] {
      return Details{"value", Printable(text.substr(acting.at)), "",
                     "a string of " + metrics.Show(pmid) +
                         " has characters that act on a terminal, or reorder, hide or break text"};
    });
  }
  if (const std::size_t bad = FirstInvalidUtf8(text); bad < text.size()) {
    reporter.Report("ARC-1835"_clause, record.record.At(offset + bad, 1), [&] {
      return Details{"value", Printable(text.substr(bad)), "",
                     "a string of " + metrics.Show(pmid) + " is not UTF-8"};
    });
  }
}

void CheckOpaqueValue(const DataRecord& record, const ValueSet& set, std::uint32_t i,
                      MetricType type, bool time_known, const MetricTable& metrics,
                      EventParameters* event_parameters, archive::Reporter& reporter) {
  if (!CheckBlockType(record, set, i, type, metrics, reporter)) return;
  const ValueBlock block = set.Block(i);
  const std::size_t payload_offset = BlockAt(set, i) + 4;
  if (IsEvent(type)) {
    CheckEventArray(record, block, payload_offset, time_known, metrics, event_parameters, reporter);
    return;
  }
  if (type != MetricType::kString || block.payload.empty()) return;
  const std::string_view stored = AsText(block.payload);
  const std::string_view text = UpToNul(stored);
  CheckText(record, payload_offset, text, set.pmid(), metrics, reporter);
  if (text.size() == stored.size()) {
    reporter.Report("ARC-1812"_clause, record.record.At(payload_offset, block.payload.size()), [&] {
      return Details{"value", "", "a NUL at the end",
                     "a string of " + metrics.Show(set.pmid()) + " has no NUL at its end"};
    });
    return;
  }
  if (text.size() + 1 < stored.size()) {
    reporter.Report(
        "ARC-1813"_clause,
        record.record.At(payload_offset + text.size(), stored.size() - text.size()), [&] {
          return Details{
              "value", std::to_string(stored.size() - text.size() - 1) + " bytes", "none",
              "a string of " + metrics.Show(set.pmid()) + " goes on after its first NUL"};
        });
  }
}

void ReportBlockOfSmall(const DataRecord& record, const ValueSet& set, std::uint32_t i,
                        MetricType type, const MetricTable& metrics, archive::Reporter& reporter) {
  if (!CheckBlockType(record, set, i, type, metrics, reporter)) return;
  reporter.Report("ARC-1809"_clause, record.record.At(BlockAt(set, i), 4), [&] {
    return Details{
        "valfmt", std::to_string(set.format()), "0",
        "a value of " + metrics.Show(set.pmid()) + " (" + ToText(type) + ") lies in a value block"};
  });
}

void ReportFormatChange(const archive::Location& where, Pmid pmid, MetricType type,
                        const MetricTable& metrics, archive::Reporter& reporter) {
  reporter.Report("ARC-1814"_clause, where, [&] {
    return Details{"valfmt", "", "",
                   "the format of the values of " + metrics.Show(pmid) + " (" + ToText(type) +
                       ") changes within the archive"};
  });
}

void ReportDecrease(const archive::Location& where, Pmid pmid, std::int32_t instance,
                    CounterKey now, CounterKey before, MetricType type, const MetricTable& metrics,
                    archive::Reporter& reporter) {
  reporter.Report("ARC-1825"_clause, where, [&] {
    std::string who = metrics.Show(pmid);
    if (instance != kInstanceNull) who += " instance " + std::to_string(instance);
    return Details{"value", KeyText(now, type), ">= " + KeyText(before, type),
                   "the counter " + who + " decreased without a mark before"};
  });
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "reference/core/print_value.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "reference/core/bytes.h"
#include "reference/core/descriptor_text.h"
#include "reference/core/number_text.h"

namespace pmproof {
namespace {

using std::chars_format;

constexpr std::size_t kLongestAtom = 79;
constexpr std::size_t kWholeString = 37;  // longer ones are cut (MET-501)
constexpr std::size_t kCutString = 34;
constexpr std::size_t kShownBytes = 12;

std::string Hex(Bytes bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

// As printf("%*s") does.
std::string Padded(std::string text, int width) {
  const auto size = static_cast<std::size_t>(std::abs(static_cast<std::int64_t>(width)));
  if (text.size() >= size) return text;
  text.insert(width < 0 ? text.size() : 0, size - text.size(), ' ');
  return text;
}

// Strings and bytes are padded at their left only (MET-503, MET-504).
std::string PaddedLeft(std::string text, int width) {
  return width > 0 ? Padded(std::move(text), width) : text;
}

std::string QuotedAtom(std::string_view bytes) {
  const std::string_view text = UpToNul(bytes);
  const bool whole = text.size() <= kWholeString;
  return '"' + std::string(text.substr(0, whole ? text.size() : kCutString)) +
         (whole ? "\"" : "...\"");
}

// "[type=AGGREGATE len=5] 01020304 05"
std::string AggregateAtom(MetricType type, Bytes bytes) {
  std::string text = "[type=" + TypeSymbol(type) + " len=" + std::to_string(bytes.size()) + "]";
  const Bytes shown = bytes.first(std::min(bytes.size(), kShownBytes));
  for (std::size_t at = 0; at < shown.size(); at += 4) {
    text += ' ' + Hex(shown.subspan(at, std::min<std::size_t>(4, shown.size() - at)));
  }
  return bytes.size() > kShownBytes ? text + " ..." : text;
}

std::string NumberAtom(const Value& number) {
  switch (number.type) {
    case MetricType::k32:
      return std::to_string(number.AsI32());
    case MetricType::kU32:
      return std::to_string(number.AsU32());
    case MetricType::k64:
      return std::to_string(number.AsI64());
    case MetricType::kU64:
      return std::to_string(number.AsU64());
    case MetricType::kFloat:
      return NumberText(number.AsFloat(), chars_format::scientific, 6);
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
  return NumberText(number.AsDouble(), chars_format::scientific, 6);
}

// MET-502
std::string PrintedNumber(const Value& number) {
  if (IsInteger(number.type)) return NumberAtom(number);
  if (number.type == MetricType::kFloat) {
    return NumberText(number.AsFloat(), chars_format::general, 8);
  }
  return NumberText(number.AsDouble(), chars_format::general, 16);
}

std::string Squashed(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= '\t' && c <= '\r'; }, ' ');
  return text;
}

// MET-504, of a value in place.
std::string WordAlternatives(std::uint32_t word, int width) {
  std::string text = Padded(std::to_string(word), width);
  const auto number = std::bit_cast<float>(word);
  if (!std::isnan(number)) {
    text += ' ' + Padded(NumberText(number, chars_format::general, 8), width);
  }
  char digits[8];
  const std::string hex(digits, std::to_chars(digits, digits + sizeof digits, word, 16).ptr);
  return text + " 0x" + Padded(hex, width > 2 ? width - 2 : width);
}

bool IsPrintable(Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](std::uint8_t c) { return c >= ' ' && c <= '~'; });
}

template <typename Word>
Word LittleEndian(Bytes bytes) {
  Word word = 0;
  for (std::size_t i = 0; i < sizeof word; ++i) word |= Word{bytes[i]} << (8 * i);
  return word;
}

// MET-504, of a value block. Nobody turns the bytes of an aggregate round, so PCP takes them for
// numbers of its machine; here that is a little-endian one.
std::string BlockAlternatives(Bytes bytes, int width) {
  std::string text;
  const auto add = [&](const std::string& alternative) {
    if (!text.empty()) text += ' ';
    text += alternative;
  };
  if (bytes.size() == 8) {
    const std::uint64_t word = LittleEndian<std::uint64_t>(bytes);
    add(Padded(std::to_string(word), width));
    const auto number = std::bit_cast<double>(word);
    if (!std::isnan(number)) add(Padded(NumberText(number, chars_format::general, 16), width));
  } else if (bytes.size() == 4) {
    const auto number = std::bit_cast<float>(LittleEndian<std::uint32_t>(bytes));
    if (!std::isnan(number)) add(Padded(NumberText(number, chars_format::general, 8), width));
  }
  if (IsPrintable(bytes)) add(PaddedLeft('"' + std::string(AsText(bytes)) + '"', width));
  add(PaddedLeft('[' + Hex(bytes) + ']', width));
  return text;
}

std::string Counted(std::int32_t number, const char* one) {
  return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

}  // namespace

std::string AtomText(MetricType type, const std::optional<Atom>& atom) {
  if (IsNumeric(type)) return NumberAtom(atom ? atom->number : Value{type, false, 0, {}});
  switch (type) {
    case MetricType::kString:
      return atom ? QuotedAtom(atom->bytes).substr(0, kLongestAtom) : "<null>";
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
      return atom ? AggregateAtom(type, AsBytes(atom->bytes)) : "<null>";
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
      return "<null>";
    case MetricType::kNoSupport:
      return "Error: unexpected type: Not Supported";
    case MetricType::kUnknown:
      return "Error: unexpected type: Unknown";
    case MetricType::k32:
    case MetricType::kU32:
    case MetricType::k64:
    case MetricType::kU64:
    case MetricType::kFloat:
    case MetricType::kDouble:
      break;
  }
  return "Error: unexpected type: Illegal type=" + std::to_string(static_cast<int>(type));
}

std::string EventAtomText(std::int32_t records) {
  return "[" + Counted(records, "event record") + "]";
}

std::string PrintValue(const StoredValue& stored, MetricType type, int width,
                       bool squash_newlines) {
  // The version matters for numbers as strings only.
  const auto atom = ExtractValue(stored, type, type, PcpVersion::k7_2);
  if (atom && IsNumeric(type)) return Padded(PrintedNumber(atom->number), width);
  if (atom && type == MetricType::kString) {
    std::string text = '"' + std::string(UpToNul(atom->bytes)) + '"';
    return PaddedLeft(squash_newlines ? Squashed(std::move(text)) : text, width);
  }
  return stored.format == ValueFormat::kInPlace ? WordAlternatives(stored.word, width)
                                                : BlockAlternatives(stored.payload, width);
}

std::string PrintEvents(const EventSummary& events) {
  std::string text = "[" + Counted(events.records, "event record");
  if (events.missed > 0) text += " (" + std::to_string(events.missed) + " missed)";
  if (events.records > 0) {
    text += events.records == 1 ? " timestamp " : " timestamps ";
    text += events.first;
    if (events.records > 1) text += "..." + events.last;
  }
  return text + "]";
}

std::string CompactNumber(double number) {
  struct Step {
    double positive;
    double negative;
    double size;
    char suffix;
  };
  static constexpr Step kSteps[] = {{999995000000.0, -99995000000.0, 1e12, 'T'},
                                    {999995000.0, -99995000.0, 1e9, 'G'},
                                    {999995.0, -99995.0, 1e6, 'M'},
                                    {999.995, -99.995, 1e3, 'K'}};
  if (number >= 999995000000000.0) return " inf?  ";
  if (number <= -99995000000000.0) return "-inf?  ";
  for (const Step& step : kSteps) {
    if (!(number >= step.positive || number <= step.negative)) continue;  // as a NaN is neither
    const std::string digits = NumberText(number / step.size, chars_format::fixed, 2);
    return Padded(digits, 6) + step.suffix;
  }
  const bool shown = number >= 0.005 || number <= -0.005;  // not a NaN either
  return Padded(NumberText(shown ? number : 0.0, chars_format::fixed, 2), 6) + ' ';
}

std::string EventFlagsText(std::uint32_t flags) {
  static constexpr struct {
    std::uint32_t flag;
    const char* name;
  } kFlags[] = {{0x1, "point"}, {0x2, "start"}, {0x4, "end"}, {0x8, "id"}, {0x10, "parent"}};
  if ((flags & 0x80000000U) != 0) return "missed";
  std::string text;
  for (const auto& one : kFlags) {
    if ((flags & one.flag) == 0) continue;
    if (!text.empty()) text += ',';
    text += one.name;
  }
  return text;
}

}  // namespace pmproof

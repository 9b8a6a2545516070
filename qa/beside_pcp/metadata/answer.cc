// SPDX-License-Identifier: Apache-2.0
// Answers questions about units, values and labels, for comparison with libpcp: one line each, in
// the order asked. The fields of a question are separated by tabs, numbers are hexadecimal, and so
// are the bytes of texts and payloads; VERSION is 6.0.3, 6.3.8 or 7.2.2.
//
//   parse VERSION TEXT                      -> 0 WORD MULTIPLIER | -12362 MESSAGE
//   text VERSION WORD                       -> the text
//   convert VERSION TYPE BITS FROM TO       -> 0 BITS | code
//   extract VERSION FORMAT FROM TO WORD BLOCK PAYLOAD -> 0 BITS | 0 BYTES | code
//   atom VERSION TYPE BITS PAYLOAD          -> the bytes
//   print VERSION FORMAT TYPE WIDTH WORD BLOCK PAYLOAD -> the bytes
//   compact VERSION BITS                    -> the text
//   flags VERSION WORD                      -> the text
//   labels VERSION JSON                     -> 0 JSON (PLACES FLAG)... | code
//   merge VERSION JSON...                   -> 0 JSON | code
//
// Types, formats and the width are decimal. Numbers in payloads are big-endian.

#include <bit>
#include <charconv>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/convert_scale.h"
#include "reference/core/extract_value.h"
#include "reference/core/label_set.h"
#include "reference/core/print_value.h"
#include "reference/core/units_text.h"

namespace pmproof {
namespace {

std::uint64_t Hex(std::string_view digits) {
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number;
}

std::string HexText(std::uint64_t number) {
  char text[20];
  return {text, std::to_chars(text, text + sizeof text, number, 16).ptr};
}

PcpVersion VersionOf(std::string_view text) {
  if (text == "6.0.3") return PcpVersion::k6_0_3;
  return text == "6.3.8" ? PcpVersion::k6_3_8 : PcpVersion::k7_2;
}

std::string FromHex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(Hex(digits.substr(i, 2)));
  }
  return bytes;
}

std::string BytesText(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += HexText(byte >> 4) + HexText(byte & 15);
  }
  return text;
}

int Decimal(std::string_view digits) {
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

MetricType TypeOf(std::string_view digits) { return static_cast<MetricType>(Decimal(digits)); }

Units UnitsOf(std::string_view digits) { return Units{static_cast<std::uint32_t>(Hex(digits))}; }

using Fields = std::vector<std::string_view>;

Fields Split(std::string_view line) {
  Fields fields;
  while (true) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

std::string Parse(const Fields& fields, PcpVersion version) {
  const auto parsed = ParseUnits(FromHex(fields[2]), version);
  if (!parsed) return std::string("-12362 ") + parsed.error().message;
  // Of a NaN only that it is one: the processor chooses its sign.
  const bool nan = parsed->multiplier != parsed->multiplier;
  return "0 " + HexText(parsed->units.word) + " " +
         (nan ? "nan" : HexText(std::bit_cast<std::uint64_t>(parsed->multiplier)));
}

std::string Convert(const Fields& fields, PcpVersion version) {
  const Value value{TypeOf(fields[2]), false, Hex(fields[3]), {}};
  const auto converted = ConvertScale(value, UnitsOf(fields[4]), UnitsOf(fields[5]), version);
  if (!converted) return std::to_string(static_cast<int>(converted.error()));
  return "0 " + HexText(converted->bits);
}

StoredValue Stored(std::string_view format, std::string_view word, std::string_view block,
                   std::string_view payload) {
  return {static_cast<ValueFormat>(Decimal(format)), static_cast<std::uint32_t>(Hex(word)),
          TypeOf(block), AsBytes(payload)};
}

std::string Extract(const Fields& fields, PcpVersion version) {
  const std::string payload = FromHex(fields[7]);
  const auto atom = ExtractValue(Stored(fields[2], fields[5], fields[6], payload),
                                 TypeOf(fields[3]), TypeOf(fields[4]), version);
  if (!atom) return std::to_string(static_cast<int>(atom.error()));
  return "0 " + (IsNumeric(atom->type) ? HexText(atom->number.bits) : BytesText(atom->bytes));
}

std::string ShortText(const Fields& fields) {
  const MetricType type = TypeOf(fields[2]);
  return BytesText(
      AtomText(type, Atom{type, {type, false, Hex(fields[3]), {}}, FromHex(fields[4])}));
}

std::string Print(const Fields& fields) {
  const std::string payload = FromHex(fields[7]);
  return BytesText(PrintValue(Stored(fields[2], fields[5], fields[6], payload), TypeOf(fields[3]),
                              Decimal(fields[4])));
}

std::string Labels(const Fields& fields, PcpVersion version) {
  const auto stored = ParseLabelSet(FromHex(fields[2]), version);
  if (!stored) return std::to_string(static_cast<int>(stored.error()));
  std::string text = "0 " + BytesText(stored->json);
  for (const IndexedLabel& label : stored->index) {
    for (const std::size_t number : {label.name_offset, label.name_length, label.value_offset,
                                     label.value_length, label.compound ? std::size_t{64} : 0}) {
      text += ' ' + std::to_string(number);
    }
  }
  return text;
}

std::string Merge(const Fields& fields, PcpVersion version) {
  std::vector<std::string> texts;
  for (std::size_t i = 2; i < fields.size(); ++i) texts.push_back(FromHex(fields[i]));
  const std::vector<std::optional<std::string_view>> sets(texts.begin(), texts.end());
  const auto merged = MergeLabelSets(sets, version);
  return merged ? "0 " + BytesText(*merged) : std::to_string(static_cast<int>(merged.error()));
}

std::string Answer(const Fields& fields) {
  if (fields.size() < 3) return "?";
  const PcpVersion version = VersionOf(fields[1]);
  const std::string_view kind = fields[0];
  if (kind == "parse") return Parse(fields, version);
  if (kind == "text") return UnitsText(UnitsOf(fields[2]), version);
  if (kind == "convert" && fields.size() == 6) return Convert(fields, version);
  if (kind == "extract" && fields.size() == 8) return Extract(fields, version);
  if (kind == "atom" && fields.size() == 5) return ShortText(fields);
  if (kind == "print" && fields.size() == 8) return Print(fields);
  if (kind == "compact") return CompactNumber(std::bit_cast<double>(Hex(fields[2])));
  if (kind == "flags") return EventFlagsText(static_cast<std::uint32_t>(Hex(fields[2])));
  if (kind == "labels") return Labels(fields, version);
  if (kind == "merge") return Merge(fields, version);
  return "?";
}

}  // namespace
}  // namespace pmproof

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << pmproof::Answer(pmproof::Split(line)) << '\n';
  }
}

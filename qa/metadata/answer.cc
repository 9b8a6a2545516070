// Answers questions about units, for comparison with libpcp: one line each, in the order asked.
//
//   parse\tVERSION\tTEXT            -> 0 WORD MULTIPLIER | -12362 MESSAGE
//   text\tVERSION\tWORD             -> the text
//   convert\tVERSION\tTYPE\tBITS\tFROM\tTO -> 0 BITS | code
//
// VERSION is 6.0.3, 6.3.8 or 7.2.2; words and bits are hexadecimal; TEXT is hexadecimal bytes.

#include <bit>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/convert_scale.h"
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

std::string Bytes(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(Hex(digits.substr(i, 2)));
  }
  return bytes;
}

std::vector<std::string_view> Fields(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

std::string Answer(const std::vector<std::string_view>& fields) {
  if (fields.size() < 3) return "?";
  const PcpVersion version = VersionOf(fields[1]);
  if (fields[0] == "parse") {
    const auto parsed = ParseUnits(Bytes(fields[2]), version);
    if (!parsed) return std::string("-12362 ") + parsed.error().message;
    // Of a NaN only that it is one: the processor chooses its sign.
    const bool nan = parsed->multiplier != parsed->multiplier;
    return "0 " + HexText(parsed->units.word) + " " +
           (nan ? "nan" : HexText(std::bit_cast<std::uint64_t>(parsed->multiplier)));
  }
  if (fields[0] == "text") {
    return UnitsText(Units{static_cast<std::uint32_t>(Hex(fields[2]))}, version);
  }
  if (fields[0] != "convert" || fields.size() != 6) return "?";
  Value value;
  value.type = static_cast<MetricType>(Hex(fields[2]));
  value.bits = Hex(fields[3]);
  const auto converted = ConvertScale(value, Units{static_cast<std::uint32_t>(Hex(fields[4]))},
                                      Units{static_cast<std::uint32_t>(Hex(fields[5]))}, version);
  if (!converted) return std::to_string(static_cast<int>(converted.error()));
  return "0 " + HexText(converted->bits);
}

}  // namespace
}  // namespace pmproof

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << pmproof::Answer(pmproof::Fields(line)) << '\n';
  }
}

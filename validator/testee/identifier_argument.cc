// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/identifier_argument.h"

#include <charconv>

namespace pmproof::validator {
namespace {

constexpr std::size_t kWordDigits = 8;

std::optional<std::uint32_t> Number(std::string_view text, int base) {
  std::uint32_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::uint32_t> ParseWord(std::string_view text) {
  if (text.size() != kWordDigits) return std::nullopt;
  return Number(text, 16);
}

std::string WordText(std::uint32_t word) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(kWordDigits, '0');
  for (std::size_t i = kWordDigits; i-- > 0; word >>= 4) text[i] = kDigits[word & 15];
  return text;
}

Indom TakeIndom(RequestReader* reader, const char* key) {
  const std::string text = reader->NeededText(reader->args(), key, "args");
  const std::size_t dot = text.find('.');
  if (dot != std::string::npos) {
    const auto domain = Number(std::string_view(text).substr(0, dot), 10);
    const auto serial = Number(std::string_view(text).substr(dot + 1), 10);
    if (domain && serial && *domain < 512 && *serial < (1U << 22)) {
      return Indom::Of(*domain, *serial);
    }
  }
  reader->Fail(std::string("args.") + key + ": no instance domain, such as 29.1");
  return Indom::Null();
}

}  // namespace pmproof::validator

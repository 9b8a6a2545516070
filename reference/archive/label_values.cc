// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/label_values.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>

#include "reference/core/printable.h"

namespace pmproof::archive {
namespace {

// The number of the escape \uXXXX at the start of `text`; nothing if there is none.
std::optional<std::uint32_t> EscapedUnit(std::string_view text) {
  if (!text.starts_with("\\u") || text.size() < 6) return std::nullopt;
  std::uint32_t unit = 0;
  const auto read = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  if (read.ptr != text.data() + 6) return std::nullopt;
  return unit;
}

bool IsHighHalf(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool IsLowHalf(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

}  // namespace

bool FitsDouble(std::string_view number) {
  constexpr std::uint64_t kLargest = (std::uint64_t{1} << 53) - 1;
  if (number.starts_with('-')) number.remove_prefix(1);
  const char* const end = number.data() + number.size();
  if (number.find_first_of(".eE") == std::string_view::npos) {
    std::uint64_t integer = 0;
    return std::from_chars(number.data(), end, integer).ec == std::errc() && integer <= kLargest;
  }
  double value = 0;
  return std::from_chars(number.data(), end, value).ec == std::errc();
}

std::optional<OddCharacter> FirstOddCharacter(std::string_view string) {
  const ForeignCharacter foreign = FirstForeign(string);
  std::size_t at = 0;
  while ((at = string.find('\\', at)) < foreign.at) {
    const std::string_view rest = string.substr(at);
    const std::optional<std::uint32_t> unit = EscapedUnit(rest);
    if (!unit) {
      if (rest.size() > 1 && std::string_view("bfr").find(rest[1]) != std::string_view::npos)
        return OddCharacter{at, 2, false};
      at += 2;
    } else if (IsHighHalf(*unit) && IsLowHalf(EscapedUnit(rest.substr(6)).value_or(0))) {
      at += 12;  // all that are foreign need no pair
    } else if (IsHighHalf(*unit) || IsLowHalf(*unit)) {
      return OddCharacter{at, 6, true};
    } else if (IsForeign(*unit) && *unit != '\n' && *unit != '\t') {
      return OddCharacter{at, 6, false};
    } else {
      at += 6;
    }
  }
  if (foreign.at == string.size()) return std::nullopt;
  return OddCharacter{foreign.at, foreign.size, false};
}

}  // namespace pmproof::archive

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_CHARACTERS_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_CHARACTERS_H_

#include <cstddef>
#include <string_view>

// Classes of characters as they are in the C locale, which PCP's programs read these files in.

namespace pmproof::pmda {

constexpr bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr std::string_view SkipBlanks(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && IsBlank(text[at])) ++at;
  return text.substr(at);
}

// The first word of `text`, which does not begin with a blank.
constexpr std::string_view FirstWord(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && !IsBlank(text[at])) ++at;
  return text.substr(0, at);
}

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_CHARACTERS_H_

// SPDX-License-Identifier: Apache-2.0
#include "reference/core/printable.h"

#include "reference/core/plain_bytes.h"
#include "reference/core/utf8.h"

namespace pmproof {
namespace {

// The code point of one well-formed UTF-8 sequence.
std::uint32_t CodePointOf(std::string_view character) {
  const auto lead = static_cast<std::uint8_t>(character[0]);
  if (character.size() == 1) return lead;
  std::uint32_t value = lead & (0xffU >> (character.size() + 1));
  for (const char c : character.substr(1)) {
    value = value << 6 | (static_cast<std::uint8_t>(c) & 0x3fU);
  }
  return value;
}

std::string Escaped(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

}  // namespace

// It moves the cursor, starts an escape sequence, reorders or hides text, or may not occur in
// XML 1.0.
bool IsForeign(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff ||
         c == 0xfffe || c == 0xffff;
}

ForeignCharacter FirstForeign(std::string_view text) {
  std::size_t at = 0;
  while ((at += PlainPrefix(text.substr(at))) < text.size()) {
    const std::size_t size = Utf8CharacterSize(text.substr(at));
    if (size == 0) return {at, 1, std::nullopt};
    const std::uint32_t code_point = CodePointOf(text.substr(at, size));
    if (IsForeign(code_point)) return {at, size, code_point};
    at += size;
  }
  return {text.size(), 0, std::nullopt};
}

ForeignCharacter FirstActing(std::string_view text) {
  std::size_t at = 0;
  while (true) {
    ForeignCharacter foreign = FirstForeign(text.substr(at));
    foreign.at += at;
    if (foreign.at == text.size()) return foreign;
    if (foreign.code_point && *foreign.code_point != '\n' && *foreign.code_point != '\t') {
      return foreign;
    }
    at = foreign.at + foreign.size;
  }
}

std::string Printable(std::string_view text, std::size_t max) {
  constexpr std::size_t kLongestCharacter = 4;
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at, kLongestCharacter);
    const ForeignCharacter foreign = FirstForeign(rest);
    const bool is_foreign = foreign.at == 0;
    const std::size_t size = is_foreign ? foreign.size : Utf8CharacterSize(rest);
    std::string next(rest.substr(0, size));
    if (is_foreign) {
      next = Escaped(next);
    } else if (next == "\\") {
      next = "\\\\";
    }
    if (shown.size() + next.size() > max) return shown + "...";
    shown += next;
    at += size;
  }
  return shown;
}

}  // namespace pmproof

// SPDX-License-Identifier: Apache-2.0
#include "validator/text/quote.h"

#include <cstddef>
#include <cstdint>

#include "reference/core/printable.h"
#include "reference/core/utf8.h"
#include "validator/text/json_string.h"

namespace pmproof::validator {
namespace {

constexpr char kHex[] = "0123456789abcdef";
constexpr std::size_t kLongestCharacter = 4;  // bytes of UTF-8

void AppendHex(std::uint32_t value, int digits, std::string* out) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) *out += kHex[value >> shift & 15];
}

void AppendEscaped(std::uint32_t code_point, std::string* out) {
  switch (code_point) {
    case '"':
      *out += "\\\"";
      return;
    case '\\':
      *out += "\\\\";
      return;
    case '\n':
      *out += "\\n";
      return;
    case '\t':
      *out += "\\t";
      return;
    default:
      *out += "\\u";
      AppendHex(code_point, 4, out);
  }
}

bool Plain(char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; }

// `character` is well-formed UTF-8.
std::uint32_t CodePoint(std::string_view character) {
  const auto at = [&](std::size_t i) {
    return std::uint32_t{static_cast<std::uint8_t>(character[i])};
  };
  if (character.size() == 1) return at(0);
  std::uint32_t code_point = at(0) & (0x7f >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code_point = code_point << 6 | (at(i) & 0x3f);
  return code_point;
}

// A character that does not stand in quotes as it is, in the escapes that JSON has for it.
void AppendAsciiEscape(std::uint32_t code_point, std::string* out) {
  switch (code_point) {
    case '\b':
      *out += "\\b";
      return;
    case '\f':
      *out += "\\f";
      return;
    case '\r':
      *out += "\\r";
      return;
    default:
      break;
  }
  constexpr std::uint32_t kSupplementary = 0x10000;
  if (code_point < kSupplementary) return AppendEscaped(code_point, out);
  code_point -= kSupplementary;
  AppendEscaped(0xd800 + (code_point >> 10), out);
  AppendEscaped(0xdc00 + (code_point & 0x3ff), out);
}

// The bytes at the front that stand in quotes as they are.
std::size_t PlainSize(std::string_view bytes) {
  std::size_t size = 0;
  while (size < bytes.size() && Plain(bytes[size])) ++size;
  return size;
}

void AppendAscii(std::string_view bytes, std::string* out) {
  *out += '"';
  while (!bytes.empty()) {
    const std::size_t plain = PlainSize(bytes);
    out->append(bytes.substr(0, plain));
    bytes.remove_prefix(plain);
    if (bytes.empty()) break;
    std::size_t size = Utf8CharacterSize(bytes);
    if (size == 0 || BeginsWithJsonByte(bytes)) {
      *out += "\\\\x";
      AppendHex(static_cast<std::uint8_t>(bytes.front()), 2, out);
      size = 1;
    } else {
      AppendAsciiEscape(CodePoint(bytes.substr(0, size)), out);
    }
    bytes.remove_prefix(size);
  }
  *out += '"';
}

}  // namespace

void AppendQuoted(std::string_view bytes, Quoting quoting, std::string* out) {
  if (quoting == Quoting::kAscii) return AppendAscii(bytes, out);
  *out += '"';
  while (!bytes.empty()) {
    const std::size_t plain = PlainSize(bytes);
    out->append(bytes.substr(0, plain));
    bytes.remove_prefix(plain);
    if (bytes.empty()) break;
    std::size_t size = 1;
    if (quoting == Quoting::kJson && BeginsWithJsonByte(bytes)) {
      *out += "\\\\x5c";
    } else if (bytes.front() == '"' || bytes.front() == '\\') {
      AppendEscaped(static_cast<std::uint8_t>(bytes.front()), out);
    } else {
      const std::string_view character = bytes.substr(0, kLongestCharacter);
      const ForeignCharacter foreign = FirstForeign(character);
      if (foreign.at > 0) {
        size = Utf8CharacterSize(bytes);
        out->append(bytes.substr(0, size));
      } else if (foreign.code_point) {
        size = foreign.size;
        AppendEscaped(*foreign.code_point, out);
      } else {
        *out += quoting == Quoting::kJson ? "\\\\x" : "\\x";
        AppendHex(static_cast<std::uint8_t>(bytes.front()), 2, out);
      }
    }
    bytes.remove_prefix(size);
  }
  *out += '"';
}

std::string Base64(Bytes bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text = "base64:";
  text.reserve(text.size() + 4 * (bytes.size() + 2) / 3);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const std::uint32_t group = std::uint32_t{bytes[i]} << 16 |
                                (left > 1 ? std::uint32_t{bytes[i + 1]} << 8 : 0) |
                                (left > 2 ? std::uint32_t{bytes[i + 2]} : 0);
    text += kDigits[group >> 18];
    text += kDigits[group >> 12 & 63];
    text += left > 1 ? kDigits[group >> 6 & 63] : '=';
    text += left > 2 ? kDigits[group & 63] : '=';
  }
  return text;
}

}  // namespace pmproof::validator

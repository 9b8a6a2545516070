// SPDX-License-Identifier: Apache-2.0
#include "validator/text/quote.h"

#include <cstddef>
#include <cstdint>

#include "reference/core/utf8.h"
#include "validator/text/json_string.h"

namespace pmproof::validator {
namespace {

constexpr char kHex[] = "0123456789abcdef";

void AppendEscaped(std::uint8_t byte, std::string* out) {
  switch (byte) {
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
      *out += "\\u00";
      *out += kHex[byte >> 4];
      *out += kHex[byte & 15];
  }
}

bool Plain(char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; }

}  // namespace

void AppendQuoted(std::string_view bytes, Quoting quoting, std::string* out) {
  *out += '"';
  while (!bytes.empty()) {
    std::size_t plain = 0;
    while (plain < bytes.size() && Plain(bytes[plain])) ++plain;
    out->append(bytes.substr(0, plain));
    bytes.remove_prefix(plain);
    if (bytes.empty()) break;
    const auto byte = static_cast<std::uint8_t>(bytes.front());
    const std::size_t size = Utf8CharacterSize(bytes);
    if (quoting == Quoting::kJson && BeginsWithJsonByte(bytes)) {
      *out += "\\\\x5c";
      bytes.remove_prefix(1);
    } else if (size == 1) {
      AppendEscaped(byte, out);
      bytes.remove_prefix(1);
    } else if (size == 2 && byte == 0xc2 && static_cast<std::uint8_t>(bytes[1]) < 0xa0) {
      AppendEscaped(static_cast<std::uint8_t>(bytes[1]), out);  // C1: controls of a terminal
      bytes.remove_prefix(2);
    } else if (size > 1) {
      out->append(bytes.substr(0, size));
      bytes.remove_prefix(size);
    } else {
      *out += quoting == Quoting::kJson ? "\\\\x" : "\\x";
      *out += kHex[byte >> 4];
      *out += kHex[byte & 15];
      bytes.remove_prefix(1);
    }
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

// SPDX-License-Identifier: Apache-2.0
#include "generators/json_text.h"

#include <algorithm>
#include <cstdint>

#include "reference/core/utf8.h"

namespace pmproof::generators {
namespace {

constexpr std::string_view kBase64Prefix = "base64:";

bool IsPlain(char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; }

// The character of a well-formed sequence.
std::uint32_t Decode(std::string_view character) {
  const auto byte = [&](std::size_t i) {
    return std::uint32_t{static_cast<std::uint8_t>(character[i])};
  };
  switch (character.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
    case 3:
      return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    default:
      return (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 |
             (byte(3) & 0x3f);
  }
}

}  // namespace

JsonText& JsonText::Quote(std::string_view bytes) {
  const auto end = std::find_if_not(bytes.begin(), bytes.end(), IsPlain);
  if (bytes.starts_with(kBase64Prefix) ||
      (end != bytes.end() && FirstInvalidUtf8(bytes) != bytes.size())) {
    return Base64(bytes);
  }
  *this << '"';
  while (!bytes.empty()) {
    const auto plain = static_cast<std::size_t>(
        std::find_if_not(bytes.begin(), bytes.end(), IsPlain) - bytes.begin());
    *this << bytes.substr(0, plain);
    bytes.remove_prefix(plain);
    if (bytes.empty()) break;
    const std::size_t size = Utf8CharacterSize(bytes);
    const std::uint32_t character = Decode(bytes.substr(0, size));
    if (character > 0xffff) {
      Escape(0xd800 + ((character - 0x10000) >> 10));
      Escape(0xdc00 + ((character - 0x10000) & 0x3ff));
    } else {
      Escape(character);
    }
    bytes.remove_prefix(size);
  }
  return *this << '"';
}

void JsonText::Escape(std::uint32_t code_unit) {
  static constexpr char kHex[] = "0123456789abcdef";
  switch (code_unit) {
    case '"':
      *this << std::string_view("\\\"");
      return;
    case '\\':
      *this << std::string_view("\\\\");
      return;
    case '\n':
      *this << std::string_view("\\n");
      return;
    default:
      *this << std::string_view("\\u");
      for (const int shift : {12, 8, 4, 0}) *this << kHex[code_unit >> shift & 15];
  }
}

JsonText& JsonText::Base64(std::string_view bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  *this << '"' << kBase64Prefix;
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? std::uint32_t{static_cast<std::uint8_t>(bytes[i])} : 0;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    char* to = Room(4);
    to[0] = kDigits[group >> 18];
    to[1] = kDigits[group >> 12 & 63];
    to[2] = i + 1 < bytes.size() ? kDigits[group >> 6 & 63] : '=';
    to[3] = i + 2 < bytes.size() ? kDigits[group & 63] : '=';
    size_ += 4;
  }
  return *this << '"';
}

void JsonText::Flush() {
  Write(AsBytes({text_.get(), size_}));
  size_ = 0;
}

void JsonText::Write(Bytes bytes) {
  if (!status_) status_ = file_.Write(bytes);
}

}  // namespace pmproof::generators

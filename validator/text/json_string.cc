// SPDX-License-Identifier: Apache-2.0
#include "validator/text/json_string.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "reference/core/utf8.h"

namespace pmproof::validator {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::size_t kByteSize = 4;  // "\xNN"

void AppendByte(char c, std::string* out) {
  const auto byte = static_cast<std::uint8_t>(c);
  *out += "\\x";
  *out += kHex[byte >> 4];
  *out += kHex[byte & 15];
}

}  // namespace

bool BeginsWithJsonByte(std::string_view text) {
  return text.size() >= kByteSize && text.starts_with("\\x") &&
         kHex.find(text[2]) != std::string_view::npos &&
         kHex.find(text[3]) != std::string_view::npos;
}

bool NeedsJsonString(std::string_view bytes) {
  if (FirstInvalidUtf8(bytes) < bytes.size()) return true;
  for (std::size_t at = bytes.find("\\x"); at < bytes.size(); at = bytes.find("\\x", at + 1)) {
    if (BeginsWithJsonByte(bytes.substr(at))) return true;
  }
  return false;
}

std::string ToJsonString(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t size = Utf8CharacterSize(bytes);
    if (size == 0 || BeginsWithJsonByte(bytes)) {
      AppendByte(bytes.front(), &text);
      bytes.remove_prefix(1);
    } else {
      text.append(bytes.substr(0, size));
      bytes.remove_prefix(size);
    }
  }
  return text;
}

std::string FromJsonString(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    if (BeginsWithJsonByte(text)) {
      bytes += static_cast<char>(kHex.find(text[2]) << 4 | kHex.find(text[3]));
      text.remove_prefix(kByteSize);
    } else {
      const std::size_t next = std::min(text.find('\\', 1), text.size());
      bytes.append(text.substr(0, next));
      text.remove_prefix(next);
    }
  }
  return bytes;
}

}  // namespace pmproof::validator

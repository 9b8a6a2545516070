// SPDX-License-Identifier: Apache-2.0
#include "reference/core/utf8.h"

namespace pmproof {
namespace {

unsigned char At(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

}  // namespace

std::size_t Utf8CharacterSize(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned char lead = At(text, 0);
  if (lead < 0x80) return 1;
  std::size_t size = 0;
  // The range of the second byte shuts out overlong forms, surrogates and what is above U+10FFFF.
  unsigned char low = 0x80;
  unsigned char high = 0xbf;
  if (lead >= 0xc2 && lead <= 0xdf) {
    size = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    size = 3;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    size = 4;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
  } else {
    return 0;
  }
  if (text.size() < size || At(text, 1) < low || At(text, 1) > high) return 0;
  for (std::size_t i = 2; i < size; ++i) {
    if ((At(text, i) & 0xc0) != 0x80) return 0;
  }
  return size;
}

std::size_t FirstInvalidUtf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t size = Utf8CharacterSize(text.substr(at));
    if (size == 0) break;
    at += size;
  }
  return at;
}

}  // namespace pmproof

// SPDX-License-Identifier: Apache-2.0
#include "reference/core/printable.h"

#include <algorithm>

#include "reference/core/utf8.h"

namespace pmproof {
namespace {

bool IsControl(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead < 0x20 || lead == 0x7f;
  return lead == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;  // U+0080..U+009F
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

std::string Printable(std::string_view text, std::size_t max) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t size = Utf8CharacterSize(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(size, 1));
    std::string next(character);
    if (size == 0 || IsControl(character)) {
      next = Escaped(character);
    } else if (next == "\\") {
      next = "\\\\";
    }
    if (shown.size() + next.size() > max) return shown + "...";
    shown += next;
    text.remove_prefix(character.size());
  }
  return shown;
}

}  // namespace pmproof

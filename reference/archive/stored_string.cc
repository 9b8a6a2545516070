// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/stored_string.h"

#include <cstdint>

#include "reference/core/plain_bytes.h"
#include "reference/core/printable.h"
#include "reference/core/utf8.h"

namespace pmproof::archive {
namespace {

// The bytes of the character at the start of `text`; 0 if there is none or if it is a control
// character (U+0000..U+001F, U+007F..U+009F).
std::size_t PrintableCharacterSize(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::size_t size = Utf8CharacterSize(text);
  if (size == 1) return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : 0;
  if (size == 2 && byte(0) == 0xc2 && byte(1) < 0xa0) return 0;
  return size;
}

}  // namespace

StoredString ScanString(std::string_view table, std::size_t begin) {
  StoredString string{begin, begin};
  std::size_t at = begin;
  while (at < table.size()) {
    while (table.size() - at >= 8) {
      const PlainBytes plain = CountPlain(table.data() + at);
      string.has_blank |= plain.has_blank;
      at += plain.count;
      if (plain.count < 8) break;
    }
    if (at == table.size() || table[at] == '\0') break;
    const auto c = static_cast<std::uint8_t>(table[at]);
    if (c > 0x20 && c < 0x7f) {
      ++at;
    } else if (c == ' ') {
      string.has_blank = true;
      ++at;
    } else if (const std::size_t size = PrintableCharacterSize(table.substr(at)); size != 0) {
      if (FirstForeign(table.substr(at, size)).at == 0) string.hidden_end = at + 1;
      at += size;
    } else {
      string.bad_end = ++at;
    }
  }
  string.end = at;
  return string;
}

}  // namespace pmproof::archive

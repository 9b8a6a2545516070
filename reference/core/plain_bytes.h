// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_PLAIN_BYTES_H_
#define PMPROOF_REFERENCE_CORE_PLAIN_BYTES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace pmproof {

// Eight bytes at once: how many of them, from the first on, are 0x20..0x7e, and whether a blank is
// among those.
struct PlainBytes {
  std::size_t count = 0;
  bool has_blank = false;
};

// Requires eight bytes at `text`.
inline PlainBytes CountPlain(const char* text) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  std::uint64_t bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  // The high bit of a byte: set if the byte is the first that is meant; after it, it may be wrong.
  const std::uint64_t below = (bytes - 0x20 * kEach) & ~bytes;
  const std::uint64_t above = (bytes + kEach) | bytes;
  const std::uint64_t other = (below | above) & 0x80 * kEach;
  const std::uint64_t from_blanks = bytes ^ 0x20 * kEach;
  std::uint64_t blanks = (from_blanks - kEach) & ~from_blanks & 0x80 * kEach;
  if (other == 0) return {8, blanks != 0};
  blanks &= (other & -other) - 1;
  return {static_cast<std::size_t>(std::countr_zero(other)) / 8, blanks != 0};
}

// How many bytes of `text`, from the first on, are 0x20..0x7e: characters of ASCII that every
// terminal shows as they are.
inline std::size_t PlainPrefix(std::string_view text) {
  std::size_t at = 0;
  while (text.size() - at >= 8) {
    const std::size_t count = CountPlain(text.data() + at).count;
    at += count;
    if (count < 8) return at;
  }
  while (at < text.size() && text[at] >= ' ' && text[at] < 0x7f) ++at;
  return at;
}

// True if all bytes of `text` are of that kind: what PlainPrefix() says of most texts, sooner.
inline bool IsPlain(std::string_view text) {
  const char* const begin = text.data();
  const std::size_t size = text.size();
  if (size >= 8) {
    std::size_t at = 0;
    for (; size - at > 8; at += 8)
      if (CountPlain(begin + at).count < 8) return false;
    return CountPlain(begin + size - 8).count == 8;
  }
  if (size >= 4) {
    char twice[8];  // the first four and the last four
    std::memcpy(twice, begin, 4);
    std::memcpy(twice + 4, begin + size - 4, 4);
    return CountPlain(twice).count == 8;
  }
  return PlainPrefix(text) == size;
}

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_PLAIN_BYTES_H_

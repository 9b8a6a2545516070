// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_STORED_WORDS_H_
#define PMPROOF_REFERENCE_CORE_STORED_WORDS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pmproof {

// Lists of 32-bit words as they are stored, aligned or not: instance identifiers of a file are
// compared with each other as they are.

inline std::uint32_t StoredWord(const void* words, std::size_t i) {
  std::uint32_t word;
  std::memcpy(&word, static_cast<const char*>(words) + 4 * i, sizeof word);
  return word;
}

// The first position of a word; `count` if it is not there.
inline std::size_t FindWord(const void* words, std::size_t count, std::uint32_t word) {
  // Several at once and without a look at the outcome of each: a compiler makes vectors of them.
  constexpr std::size_t kPiece = 32;
  std::size_t at = 0;
  for (; at + kPiece <= count; at += kPiece) {
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < kPiece; ++i) found |= StoredWord(words, at + i) == word ? ~0U : 0U;
    if (found != 0) break;
  }
  while (at < count && StoredWord(words, at) != word) ++at;
  return at;
}

// How many words two lists have in common at their beginnings.
inline std::size_t CommonWords(const void* a, const void* b, std::size_t count) {
  constexpr std::size_t kPiece = 32;
  std::size_t at = 0;
  for (; at + kPiece <= count; at += kPiece) {
    std::uint32_t different = 0;
    for (std::size_t i = 0; i < kPiece; ++i)
      different |= StoredWord(a, at + i) ^ StoredWord(b, at + i);
    if (different != 0) break;
  }
  while (at < count && StoredWord(a, at) == StoredWord(b, at)) ++at;
  return at;
}

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_STORED_WORDS_H_

// SPDX-License-Identifier: Apache-2.0
#include "reference/core/stored_words.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pmproof {
namespace {

using Words = std::vector<std::uint32_t>;

// `bytes` bytes off the alignment of words.
std::vector<std::uint8_t> Moved(const Words& words, std::size_t bytes) {
  std::vector<std::uint8_t> moved(bytes + 4 * words.size());
  if (!words.empty()) std::memcpy(moved.data() + bytes, words.data(), 4 * words.size());
  return moved;
}

TEST(StoredWordsTest, AWordIsFoundWhereverItIs) {
  for (std::uint32_t count = 0; count < 150; ++count) {
    Words words;
    for (std::uint32_t i = 0; i < count; ++i) words.push_back(3 * i);
    const std::vector<std::uint8_t> moved = Moved(words, 1);
    for (std::uint32_t i = 0; i < count; ++i) {
      EXPECT_EQ(FindWord(words.data(), count, 3 * i), i);
      EXPECT_EQ(FindWord(moved.data() + 1, count, 3 * i), i);
    }
    EXPECT_EQ(FindWord(words.data(), count, 3 * count), count);
    EXPECT_EQ(FindWord(words.data(), count, 1), count);
  }
}

TEST(StoredWordsTest, OfWordsThatAreEqualTheFirstIsFound) {
  Words words(100, 7);
  for (const std::size_t first : {0U, 1U, 31U, 32U, 33U, 63U, 64U, 96U, 99U}) {
    std::fill(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first), 8);
    EXPECT_EQ(FindWord(words.data(), words.size(), 7), first);
  }
}

TEST(StoredWordsTest, WhatListsHaveInCommonEndsWithTheFirstThatDiffers) {
  for (std::size_t count = 0; count < 150; ++count) {
    const Words words(count, 0x01020304);
    EXPECT_EQ(CommonWords(words.data(), Words(words).data(), count), count);
    for (std::size_t i = 0; i < count; ++i) {
      for (unsigned byte = 0; byte < 4; ++byte) {
        Words other = words;
        other[i] ^= 1U << (8 * byte);
        EXPECT_EQ(CommonWords(words.data(), other.data(), count), i);
        EXPECT_EQ(CommonWords(Moved(words, 2).data() + 2, other.data(), count), i);
      }
    }
  }
}

}  // namespace
}  // namespace pmproof

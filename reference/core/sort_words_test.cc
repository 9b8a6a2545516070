// SPDX-License-Identifier: Apache-2.0
#include "reference/core/sort_words.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pmproof {
namespace {

std::vector<std::uint64_t> WithPositions(const std::vector<std::uint32_t>& keys) {
  std::vector<std::uint64_t> words;
  for (const std::uint32_t key : keys) words.push_back(std::uint64_t{key} << 32 | words.size());
  return words;
}

// Both few and many, of small numbers, of large ones and of negative ones.
RC_GTEST_PROP(SortWordsTest, WordsWithPositionsAreSortedAsStdSortDoes, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(0, 700);
  const auto bits = *rc::gen::inRange<int>(1, 33);
  const auto offset = *rc::gen::arbitrary<std::uint32_t>();
  auto keys = *rc::gen::container<std::vector<std::uint32_t>>(
      size, rc::gen::resize(1000, rc::gen::arbitrary<std::uint32_t>()));
  for (std::uint32_t& key : keys) key = (key >> (32 - bits)) + offset;
  std::vector<std::uint64_t> words = WithPositions(keys);
  std::vector<std::uint64_t> expected = words;
  std::sort(expected.begin(), expected.end());
  SortByUpperHalf(words);
  RC_ASSERT(words == expected);
}

TEST(SortWordsTest, WordsWithEqualUpperHalvesKeepTheirOrder) {
  std::vector<std::uint64_t> words;
  for (std::uint64_t i = 0; i < 300; ++i) words.push_back((300 - i) / 100 << 32 | (300 - i));
  SortByUpperHalf(words);
  for (std::size_t i = 1; i < words.size(); ++i) {
    EXPECT_LE(words[i - 1] >> 32, words[i] >> 32);
    if (words[i - 1] >> 32 == words[i] >> 32) {
      EXPECT_GT(words[i - 1], words[i]);
    }
  }
}

TEST(SortWordsTest, NoWordsAndOneWordStay) {
  std::vector<std::uint64_t> none;
  SortByUpperHalf(none);
  EXPECT_TRUE(none.empty());
  std::vector<std::uint64_t> one = {7};
  SortByUpperHalf(one);
  EXPECT_EQ(one, std::vector<std::uint64_t>{7});
}

}  // namespace
}  // namespace pmproof

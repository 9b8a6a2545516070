// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/shrink_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace pmproof::validator {
namespace {

// What is left of 0 to size-1 where `needed` must stay, and how often was asked.
std::vector<std::size_t> Left(std::size_t size, const std::vector<std::size_t>& needed,
                              std::size_t least, std::size_t* asked) {
  std::vector<std::size_t> list(size);
  for (std::size_t i = 0; i < size; ++i) list[i] = i;
  ShrinkList(
      size, least, [] { return false; },
      [&](std::size_t begin, std::size_t end) {
        ++*asked;
        const std::vector<std::size_t> rest = Without(list, begin, end);
        const bool kept = std::ranges::includes(rest, needed);
        if (kept) list = rest;
        return kept;
      });
  return list;
}

TEST(ShrinkListTest, WhatIsNotNeededGoes) {
  for (std::size_t size = 0; size < 40; ++size) {
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = a; b < size; ++b) {
        std::size_t asked = 0;
        std::vector<std::size_t> needed = {a};
        if (b > a) needed.push_back(b);
        EXPECT_EQ(Left(size, needed, 1, &asked), needed) << size;
        EXPECT_LE(asked, 2 * size + 8);
      }
    }
  }
}

TEST(ShrinkListTest, AListOfWhichNothingIsNeededIsAskedForOnce) {
  std::size_t asked = 0;
  EXPECT_TRUE(Left(1000, {}, 1, &asked).empty());
  EXPECT_EQ(asked, 1U);
}

TEST(ShrinkListTest, FewOfManyAreFoundInFewSteps) {
  std::size_t asked = 0;
  EXPECT_EQ(Left(1'000'000, {0, 777'777}, 1, &asked).size(), 2U);
  EXPECT_LE(asked, 200U);
}

TEST(ShrinkListTest, StretchesShorterThanTheLeastAreNotLookedAt) {
  std::size_t asked = 0;
  EXPECT_LE(Left(1024, {500}, 16, &asked).size(), 16U);
  EXPECT_LE(asked, 130U);
}

TEST(ShrinkListTest, WhenItIsOverNothingMoreIsAsked) {
  std::size_t asked = 0;
  ShrinkList(
      1'000'000, 1, [&] { return asked == 10; },
      [&](std::size_t, std::size_t) { return ++asked > 10; });
  EXPECT_EQ(asked, 10U);
}

}  // namespace
}  // namespace pmproof::validator

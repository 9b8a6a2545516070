// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace pmproof::validator {
namespace {

TEST(StaysBelow, TakesOnlyPlainRelativePaths) {
  for (const char* path : {"a", "a/b", "a/..b", ".a", "...", "a b/ c", "\xff"}) {
    EXPECT_TRUE(StaysBelow(path)) << path;
  }
  for (const char* path :
       {"", ".", "..", "/", "/a", "a/", "a//b", "./a", "a/.", "../a", "a/../b"}) {
    EXPECT_FALSE(StaysBelow(path)) << path;
  }
  EXPECT_FALSE(StaysBelow(std::string_view("a\0", 2)));
}

TEST(ComesBefore, IsTheOrderOfAWalk) {
  const std::vector<std::string> walk = {"a",     "b",     "a/z",  "a/b/a", "a/b/c/a",
                                         "a-b/a", "a.b/a", "ab/a", "b/a",   "\xff/a"};
  std::vector<std::string> sorted = walk;
  std::ranges::reverse(sorted);
  std::ranges::sort(sorted, [](const auto& x, const auto& y) { return ComesBefore(x, y); });
  EXPECT_EQ(sorted, walk);
  EXPECT_FALSE(ComesBefore("a/b", "a/b"));
}

TEST(Tree, NamesThingsAsTheyAreCalledBelowItsRoot) {
  archive::MemoryStorage storage;
  storage.files["root/a/x.0"] = {1, 2, 3};
  const Tree tree(storage, "root");
  EXPECT_EQ((*tree.Open("a/x.0"))->bytes().size(), 3U);
  EXPECT_EQ(tree.Open("b").error().file, "b");
  EXPECT_EQ(tree.List(".")->size(), 1U);
  EXPECT_EQ(tree.List("b").error().file, "b");
}

}  // namespace
}  // namespace pmproof::validator

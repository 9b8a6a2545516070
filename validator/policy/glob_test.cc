// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/glob.h"

#include <gtest/gtest.h>

#include <string>

#include "validator/policy/name_search.h"

namespace pmproof::validator::policy {
namespace {

TEST(GlobTest, StarsStandForAnyBytesAndQuestionMarksForOne) {
  for (const auto& [pattern, text] : {std::pair("", ""),
                                      {"*", ""},
                                      {"*", "web"},
                                      {"web*", "web1"},
                                      {"w?b*", "web1"},
                                      {"*.com", "a.com.com"},
                                      {"a*b*c", "axxbyybzc"},
                                      {"**a**", "bab"},
                                      {"[a]", "[a]"}}) {
    EXPECT_TRUE(Matches(pattern, text)) << pattern << " " << text;
  }
  for (const auto& [pattern, text] : {std::pair("", "a"),
                                      {"?", ""},
                                      {"web", "web1"},
                                      {"*.com", "a.com.de"},
                                      {"a*b*c", "acb"},
                                      {"[a]", "a"}}) {
    EXPECT_FALSE(Matches(pattern, text)) << pattern << " " << text;
  }
}

// With backtracking to each star this would not end.
TEST(GlobTest, ManyStarsTakeNoLongTime) {
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "*a";
  EXPECT_FALSE(Matches(pattern + "b", std::string(4000, 'a')));
}

TEST(GlobTest, APathIsHeldAgainstAPatternFromItsEnd) {
  for (const auto& [pattern, path] : {std::pair("2024*", "/archives/web1/20240101"),
                                      {"web*/2024*", "/archives/web1/20240101"},
                                      {"/archives/*/2024*", "/archives/web1/20240101"},
                                      {"web1/a", "web1/a"},
                                      {"a", "a"}}) {
    EXPECT_TRUE(MatchesPath(pattern, path)) << pattern << " " << path;
  }
  for (const auto& [pattern, path] : {std::pair("web*", "/archives/web1/20240101"),
                                      {"archives/*1", "/archives/web1/20240101"},
                                      {"/web1/2024*", "/archives/web1/20240101"},
                                      {"/*/2024*", "/archives/web1/20240101"},
                                      {"x/a", "a"},
                                      {"/a", "a"}}) {
    EXPECT_FALSE(MatchesPath(pattern, path)) << pattern << " " << path;
  }
}

TEST(NameSearchTest, MissingIsWhatNoNameWasLike) {
  const std::vector<std::string> patterns = {"disk.*", "mem.free", "mem.free", "cpu.?", "none"};
  NameSearch search(patterns);
  for (const char* name : {"disk.dev.read", "mem.free", "cpu.user"}) search.See(name);
  EXPECT_EQ(search.Missing(), (std::vector<std::string>{"cpu.?", "none"}));
}

}  // namespace
}  // namespace pmproof::validator::policy

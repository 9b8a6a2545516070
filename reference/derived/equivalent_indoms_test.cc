// SPDX-License-Identifier: Apache-2.0
// DER-832, DER-833. What is expected here was observed of 6.3.8 and 7.2.2.

#include "reference/derived/equivalent_indoms.h"

#include <gtest/gtest.h>

#include <string>

namespace pmproof::derived {
namespace {

// The pairs of five domains that are equivalent, "ab ac".
std::string Pairs(const EquivalentIndoms& indoms) {
  const Indom all[] = {Indom::Of(100, 1), Indom::Of(100, 2), Indom::Of(101, 1), Indom::Of(3, 9),
                       Indom::Of(3, 39)};
  std::string pairs;
  for (int i = 0; i < 5; ++i) {
    for (int j = i + 1; j < 5; ++j) {
      EXPECT_EQ(indoms.Contains(all[i], all[j]), indoms.Contains(all[j], all[i]));
      if (!indoms.Contains(all[i], all[j])) continue;
      pairs += pairs.empty() ? "" : " ";
      pairs += {static_cast<char>('a' + i), static_cast<char>('a' + j)};
    }
  }
  return pairs;
}

std::string Parsed(std::string_view text) {
  const auto indoms = EquivalentIndoms::Parse(text);
  if (!indoms) return std::to_string(indoms.error().line) + ": " + indoms.error().message;
  return Pairs(*indoms);
}

TEST(EquivalentIndomsTest, TheVersionsBringTwoSets) {  // DER-832
  const EquivalentIndoms indoms = EquivalentIndoms::Default();
  EXPECT_TRUE(indoms.Contains(Indom::Of(3, 9), Indom::Of(3, 40)));
  EXPECT_TRUE(indoms.Contains(Indom::Of(3, 39), Indom::Of(3, 40)));
  EXPECT_TRUE(indoms.Contains(Indom::Of(60, 0), Indom::Of(127, 5)));
  EXPECT_TRUE(indoms.Contains(Indom::Of(127, 5), Indom::Of(127, 6)));
  EXPECT_FALSE(indoms.Contains(Indom::Of(3, 9), Indom::Of(60, 0)));
  EXPECT_FALSE(indoms.Contains(Indom::Of(60, 0), Indom::Of(60, 1)));
}

TEST(EquivalentIndomsTest, ALineIsASet) {
  EXPECT_EQ(Parsed(""), "");
  EXPECT_EQ(Parsed("100.1 100.2\n"), "ab");
  EXPECT_EQ(Parsed(" \t100.1  \t100.2\n"), "ab");
  EXPECT_EQ(Parsed("3.9 3.39\n100.1 100.2 101.1\n"), "ab ac bc de");
  EXPECT_EQ(Parsed("100.1\n100.2\n"), "");
  EXPECT_EQ(Parsed("100.* 101.1\n"), "ab ac bc");
  EXPECT_EQ(Parsed("100.*\n"), "ab");
}

TEST(EquivalentIndomsTest, SetsAreNotHandedOn) {
  EXPECT_EQ(Parsed("100.1 100.2\n100.2 101.1\n"), "ab bc");
  EXPECT_EQ(Parsed("100.1 3.9\n100.* 101.1\n"), "ab ac ad bc");
}

TEST(EquivalentIndomsTest, CommentsBeginWhereADomainMayStand) {
  EXPECT_EQ(Parsed("# 3.9 3.39\n  # x\n   \n100.1 100.2\n"), "ab");
  EXPECT_EQ(Parsed("100.1 100.2#x\n"),
            "1: newline or whitespace expected after <serial> 2, found '#'");
}

TEST(EquivalentIndomsTest, OnlyANewlineBehindASerialEndsASet) {
  EXPECT_EQ(Parsed("100.1 100.2 \n"), "");
  EXPECT_EQ(Parsed("100.1 100.2 # x\n3.9 3.39\n"), "ab ad ae bd be de");
  EXPECT_EQ(Parsed("100.1 100.2 "), "");
  EXPECT_EQ(Parsed("3.9 3.39\n100.1 100.2 "), "de");
}

TEST(EquivalentIndomsTest, OneErrorAndNoSetCounts) {
  EXPECT_EQ(Parsed("100.1 100.2"), "1: expected newline, found End-of-File");
  EXPECT_EQ(Parsed("100.1 100.2\n# c"), "2: expected newline, found End-of-File");
  EXPECT_EQ(Parsed("100.1 100.2\nfoo\n"), "2: <domain> expected, found 'f'");
  EXPECT_EQ(Parsed("*.1 100.2\n"), "1: <domain> expected, found '*'");
  EXPECT_EQ(Parsed("100 101.1\n"), "1: '.' expected after <domain> 100, found ' '");
  EXPECT_EQ(Parsed("100. 1\n"), "1: digit or '*' expected after <domain> 100, found ' '");
  EXPECT_EQ(Parsed("100.1,100.2\n"),
            "1: newline or whitespace expected after <serial> 1, found ','");
  EXPECT_EQ(Parsed("100.*x\n"), "1: newline or whitespace expected after <serial> *, found 'x'");
  EXPECT_EQ(Parsed("512.1 100.1\n"), "1: <domain> 512 too big");
  EXPECT_EQ(Parsed("0100.1 100.2\n"), "1: <domain> 0100... too long");
  EXPECT_EQ(Parsed("3.4194304 100.2\n"), "1: <serial> 4194304 too big");
  EXPECT_EQ(Parsed("3.00000001 100.2\n"), "1: <serial> 00000001... too long");
}

TEST(EquivalentIndomsTest, LargestNumbersAndLeadingZeros) {
  EXPECT_EQ(Parsed("511.4194303 001.0 100.0000001 100.2\n"), "ab");
}

}  // namespace
}  // namespace pmproof::derived

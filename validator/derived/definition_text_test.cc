// SPDX-License-Identifier: Apache-2.0
#include "validator/derived/definition_text.h"

#include <gtest/gtest.h>

namespace pmproof::validator {
namespace {

TEST(DefinitionTextTest, TheFirstEqualsSignSplits) {  // DER-307
  const DefinitionText definition = SplitDefinition("  a.b\t=  x == 1 ");
  EXPECT_EQ(definition.name, "a.b");
  EXPECT_EQ(definition.expression, "x == 1 ");
  EXPECT_EQ(definition.problem, "");
}

TEST(DefinitionTextTest, WhatIsMissingIsSaid) {  // DER-321..324
  EXPECT_EQ(SplitDefinition("a.b").clause, "DER-321"_clause);
  EXPECT_EQ(SplitDefinition(" = 1").clause, "DER-322"_clause);
  EXPECT_EQ(SplitDefinition("1a = 1").clause, "DER-323"_clause);
  EXPECT_EQ(SplitDefinition("a = ").clause, "DER-324"_clause);
}

TEST(WithCaretTest, StandsUnderThePlace) {
  EXPECT_EQ(WithCaret("a b", 2), "a b\n  ^\n");
  EXPECT_EQ(WithCaret("", -1), "\n^\n");
  EXPECT_EQ(WithCaret("a\n\tb", 3), "a  b\n   ^\n");
}

TEST(WithCaretTest, StandsUnderThePlaceAlsoAfterWhatIsForeign) {
  EXPECT_EQ(WithCaret("\x1b[2J + \xff", 7), "\\x1b[2J + \\xff\n          ^\n");
  EXPECT_EQ(WithCaret("\xc3\xa9\xe2\x80\xae!", 5), "\xc3\xa9\\u202e!\n       ^\n");
}

TEST(WithCaretTest, OfALongTextWhatIsAroundThePlace) {
  const std::string text = std::string(100, 'x') + "!" + std::string(200, 'y');
  EXPECT_EQ(WithCaret(text, 100), "..." + std::string(60, 'x') + "!" + std::string(59, 'y') +
                                      "...\n" + std::string(63, ' ') + "^\n");
  EXPECT_EQ(WithCaret(text, 0), std::string(100, 'x') + "!" + std::string(19, 'y') + "...\n^\n");
}

}  // namespace
}  // namespace pmproof::validator

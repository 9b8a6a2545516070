// SPDX-License-Identifier: Apache-2.0
#include "reference/core/printable.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "reference/core/utf8.h"

namespace pmproof {
namespace {

TEST(Printable, LeavesPlainTextAndUtf8) {  // ARC-002
  EXPECT_EQ(Printable("kernel.all.load"), "kernel.all.load");
  EXPECT_EQ(Printable("caf\xc3\xa9 \xe2\x82\xac"), "caf\xc3\xa9 \xe2\x82\xac");
}

TEST(Printable, EscapesWhatWouldActOnATerminal) {
  EXPECT_EQ(Printable("a\nb\x1b[2J\x7f"), "a\\x0ab\\x1b[2J\\x7f");
  EXPECT_EQ(Printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(Printable("\xc2\x9b"), "\\xc2\\x9b");
}

TEST(Printable, EscapesWhatReordersOrHidesText) {
  EXPECT_EQ(Printable("a\xe2\x80\xae"), "a\\xe2\\x80\\xae");
  EXPECT_EQ(Printable("\xef\xbb\xbf"), "\\xef\\xbb\\xbf");
}

TEST(FirstForeign, NamesTheCharacterAndItsPlace) {  // ARC-002
  const ForeignCharacter escape = FirstForeign("ab\x1b[");
  EXPECT_EQ(escape.at, 2U);
  EXPECT_EQ(escape.code_point, 0x1bU);
  const ForeignCharacter reversing = FirstForeign("\xc3\xa9\xe2\x80\xae!");
  EXPECT_EQ(reversing.at, 2U);
  EXPECT_EQ(reversing.size, 3U);
  EXPECT_EQ(reversing.code_point, 0x202eU);
  const ForeignCharacter byte = FirstForeign("a\xff");
  EXPECT_EQ(byte.at, 1U);
  EXPECT_FALSE(byte.code_point);
  EXPECT_EQ(FirstForeign("caf\xc3\xa9").at, 5U);
}

TEST(FirstForeign, FindsACharacterAtEachPlace) {
  for (std::size_t at = 0; at < 40; ++at) {
    for (const char* const foreign : {"\x1f", "\x7f", "\xff", "\xe2\x80\xae"}) {
      const std::string text = std::string(at, ' ') + foreign + "~~~~~~~~~~~";
      EXPECT_EQ(FirstForeign(text).at, at);
    }
    EXPECT_EQ(FirstForeign(std::string(at, '~')).at, at);
  }
}

TEST(FirstActing, PassesOverLinesTabulatorsAndBytesThatAreNotUtf8) {  // ARC-1612, ARC-1834
  EXPECT_EQ(FirstActing("a\n\tb\xff").at, 5U);
  EXPECT_EQ(FirstActing("").at, 0U);
  const ForeignCharacter escape = FirstActing("a\n\xff\xe2\x80\xae\x1b");
  EXPECT_EQ(escape.at, 3U);
  EXPECT_EQ(escape.size, 3U);
  EXPECT_EQ(escape.code_point, 0x202eU);
  EXPECT_EQ(FirstActing("a\rb").at, 1U);
}

RC_GTEST_PROP(FirstActing, IsForeignAndNoLayout, (std::string bytes)) {
  const ForeignCharacter acting = FirstActing(bytes);
  RC_PRE(acting.at < bytes.size());
  RC_ASSERT(acting.code_point && *acting.code_point != '\n' && *acting.code_point != '\t');
  RC_ASSERT(FirstForeign(bytes.substr(acting.at)).at == 0U);
}

TEST(Printable, EscapesBytesThatAreNotUtf8) { EXPECT_EQ(Printable("\xff\xfeok"), "\\xff\\xfeok"); }

TEST(Printable, IsUnambiguousAboutBackslashes) { EXPECT_EQ(Printable("\\x0a"), "\\\\x0a"); }

TEST(Printable, CutsLongTextAndSaysSo) {
  EXPECT_EQ(Printable(std::string(80, 'n')), std::string(80, 'n'));
  EXPECT_EQ(Printable(std::string(5000, 'n')), std::string(80, 'n') + "...");
}

TEST(Printable, NeverCutsInsideACharacter) {
  EXPECT_EQ(Printable("ab\xe2\x82\xac", 4), "ab...");
  EXPECT_EQ(Printable("ab\n", 5), "ab...");
}

RC_GTEST_PROP(Printable, IsOneBoundedLineOfUtf8, (std::string bytes)) {
  const std::string shown = Printable(bytes, 20);
  RC_ASSERT(shown.size() <= 23);
  RC_ASSERT(FirstInvalidUtf8(shown) == shown.size());
  RC_ASSERT(FirstForeign(shown).at == shown.size());
}

TEST(Utf8, KnowsTheSizeOfACharacter) {
  EXPECT_EQ(Utf8CharacterSize(""), 0U);
  EXPECT_EQ(Utf8CharacterSize("ab"), 1U);
  EXPECT_EQ(Utf8CharacterSize("\xc3\xa9"), 2U);
  EXPECT_EQ(Utf8CharacterSize("\xe2\x82\xac"), 3U);
  EXPECT_EQ(Utf8CharacterSize("\xf0\x9f\x98\x80"), 4U);
}

TEST(Utf8, RefusesWhatIsNotWellFormed) {
  for (const char* text :
       {"\x80", "\xc3", "\xc3(", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf0\x80\x80\xaf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    EXPECT_EQ(Utf8CharacterSize(text), 0U) << Printable(text);
  }
}

TEST(Utf8, FindsTheFirstByteThatIsWrong) {
  EXPECT_EQ(FirstInvalidUtf8("ab\xff"), 2U);
  EXPECT_EQ(FirstInvalidUtf8("\xc3\xa9\xc3"), 2U);
  EXPECT_EQ(FirstInvalidUtf8("abc"), 3U);
}

}  // namespace
}  // namespace pmproof

// SPDX-License-Identifier: Apache-2.0
#include "validator/text/display.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "validator/text/progress.h"
#include "validator/text/terminal.h"

namespace pmproof::validator {
namespace {

using namespace std::string_literals;

TEST(DisplayTest, OrdinaryTextIsUnchanged) {
  EXPECT_EQ(Displayable("disk.dev.read (\xc3\xa9, \xe6\x97\xa5) \\x1b"),
            "disk.dev.read (\xc3\xa9, \xe6\x97\xa5) \\x1b");
}

TEST(DisplayTest, ControlCharactersAreShownAsNumbers) {
  EXPECT_EQ(Displayable("\x1b[2J\n\t\r\0\x7f"s), "\\x1b[2J\\n\\t\\r\\x00\\x7f");
  EXPECT_EQ(Displayable("\xc2\x9b"), "\\u009b");
}

TEST(DisplayTest, CharactersThatReorderTextAreShownAsNumbers) {
  EXPECT_EQ(Displayable("a\xe2\x80\xae"
                        "b\xe2\x80\xa8\xef\xbb\xbf"),
            "a\\u202eb\\u2028\\ufeff");
}

TEST(DisplayTest, BytesThatAreNoUtf8AreShownAsNumbers) {
  EXPECT_EQ(Displayable("\xff\xc0\x80 \xed\xa0\x80 \xe2\x82"),
            "\\xff\\xc0\\x80 \\xed\\xa0\\x80 \\xe2\\x82");
}

TEST(DisplayTest, MarkupEscapesAllThatMeansSomething) {
  EXPECT_EQ(Markup("<a b='c' d=\"e\">&\x01"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;\\x01");
}

TEST(DisplayTest, PathsAreUriReferences) {
  EXPECT_EQ(PathToUri("./a dir/b%c\xc3\xa9.0"), "a%20dir/b%25c%C3%A9.0");
  EXPECT_EQ(PathToUri("/var/log/pcp"), "file:///var/log/pcp");
}

TEST(DisplayTest, WrapBreaksAtBlanks) {
  EXPECT_EQ(Wrap("one two three four", 9, 0), "one two\nthree\nfour");
  EXPECT_EQ(Wrap("one two three", 9, 2), "one two\n  three");
}

TEST(DisplayTest, WrapKeepsLongWordsAndCountsCharactersNotBytes) {
  EXPECT_EQ(Wrap("a abcdefghijkl b", 5, 0), "a\nabcdefghijkl\nb");
  EXPECT_EQ(Wrap("\xc3\xa9\xc3\xa9 \xc3\xa9\xc3\xa9", 5, 0), "\xc3\xa9\xc3\xa9 \xc3\xa9\xc3\xa9");
}

TEST(DisplayTest, WrapStartsALineAtANewline) { EXPECT_EQ(Wrap("a\nb c", 80, 2), "a\n  b c"); }

TEST(DisplayTest, NumbersReadAsWords) {
  EXPECT_EQ(Plural(1, "error"), "1 error");
  EXPECT_EQ(Plural(0, "error"), "0 errors");
  EXPECT_EQ(ByteSize(812), "812 bytes");
  EXPECT_EQ(ByteSize(12'345'678), "12.3 MB");
  EXPECT_EQ(ByteSize(999'960), "1.0 MB");
}

TEST(DisplayTest, StylesAreWrittenOnlyWhereThereIsColour) {
  EXPECT_EQ(Styled(Screen{.terminal = true, .colour = false, .width = 80}, Style::kRed, "x"), "x");
  EXPECT_EQ(Styled(Screen{.terminal = true, .colour = true, .width = 80}, Style::kRed, "x"),
            "\033[31mx\033[0m");
}

TEST(ProgressBarTest, ShowsArchivesAndBytesAndIsWipedAtTheEnd) {
  std::ostringstream terminal;
  {
    ProgressBar bar(terminal);
    bar.Expect(4, 2'000'000'000);
    bar.AddBytes(1'000'000'000);
    bar.ArchiveDone();
  }
  EXPECT_EQ(terminal.str(),
            "\r[..............................] 0/4 archives, 0.0/2.0 GB\033[K\r\033[K");
}

}  // namespace
}  // namespace pmproof::validator

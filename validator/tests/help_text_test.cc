// SPDX-License-Identifier: Apache-2.0
// Rules on help text (section 14.7).

#include <algorithm>

#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using archive::RawRecordModel;
using archive::TextModel;
using ::testing::ElementsAre;

constexpr std::uint32_t kCnt = 0x07400001;  // 29.0.1

class HelpTextTest : public CheckedArchive {
 protected:
  // A text with no NUL added.
  RawRecordModel RawText(std::uint32_t type, const std::string& text) {
    RawRecordModel raw = Raw(TextModel{type, kCnt, text});
    raw.payload.pop_back();
    return raw;
  }
  // Puts a text at the very end of .meta.
  void AddLast(const archive::MetaRecordModel& text) { AddMeta(text, /*at_end=*/true); }
};
INSTANTIATE_TEST_SUITE_P(Versions, HelpTextTest, ::testing::Values(2, 3), VersionName);

TEST_P(HelpTextTest, NeitherOneLineNorHelp) {
  AddMeta(TextModel{4, kCnt, "text"});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1601 fatal"));
}

TEST_P(HelpTextTest, NeitherOneLineNorHelpAsLastRecordCanBeRead) {
  AddLast(TextModel{4, kCnt, "text"});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1601 error"));
}

TEST_P(HelpTextTest, ForNeitherMetricNorDomain) {
  AddMeta(TextModel{1, kCnt, "text"});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1602 fatal"));
}

TEST_P(HelpTextTest, ForNeitherMetricNorDomainAsLastRecordCanBeRead) {
  AddLast(TextModel{1, kCnt, "text"});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1602 error"));
}

TEST_P(HelpTextTest, ForBothMetricAndDomain) {
  AddMeta(TextModel{13, 0x07400001, "text"});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1602 error"));
}

TEST_P(HelpTextTest, BothOneLineAndHelp) {
  AddMeta(TextModel{7, kCnt, "text"});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1602 error"));
}

TEST_P(HelpTextTest, BitsThatMakeItUnreachable) {
  AddMeta(TextModel{5 + 16, kCnt, "text"});
  AddMeta(TextModel{5 + 64, kCnt, "text"});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1603 warning"));
  EXPECT_EQ(Check().counts.warning, 2U);
}

TEST_P(HelpTextTest, WithoutNul) {
  AddMeta(RawText(6, "long\nhelp"));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1604 error"));
}

TEST_P(HelpTextTest, OfAMetricThatTheArchiveDoesNotHave) {
  AddMeta(TextModel{5, Pmid::Of(99, 9, 9).value, "text"});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1605 warning"));
}

TEST_P(HelpTextTest, OfADomainThatTheArchiveDoesNotHave) {
  AddMeta(TextModel{9, Indom::Of(99, 9).value, "text"});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1605 warning"));
}

TEST_P(HelpTextTest, OneLineOfTwo) {
  Text(5).text = "two\nlines";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1606 warning"));
}

TEST_P(HelpTextTest, TwiceWithDifferentContent) {
  AddMeta(TextModel{5, kCnt, "different"});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1607 warning"));
}

TEST_P(HelpTextTest, TwiceWithTheSameContentIsFine) {
  AddMeta(TextModel{5, kCnt, "one line"});
  EXPECT_THAT(RulesWithSeverity(), ::testing::IsEmpty());
}

TEST_P(HelpTextTest, Empty) {
  Text(5).text.clear();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1608 info"));
}

TEST_P(HelpTextTest, WithANulInside) {
  Text(5).text = std::string("abc\0def", 7);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1609 warning"));
}

TEST_P(HelpTextTest, ThatIsNotUtf8) {
  Text(5).text = "\xff\xfe";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1610 info"));
}

TEST_P(HelpTextTest, ThatActsOnATerminal) {
  Text(5).text = "\x1b[31mred";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1612 warning"));
}

TEST_P(HelpTextTest, OfNoDomain) {
  AddMeta(TextModel{9, 0xffffffff, "text"});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1611 warning"));
}

}  // namespace
}  // namespace pmproof::validator::testing

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validator/tool_output/parsed_lines.h"

namespace pmproof::validator::tool_output {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kHeading[] =
    "@ Tue Nov 14 22:13:20 2023\n"
    " loadavg                      memory      swap        io    system         cpu\n"
    "   1 min   swpd   free   buff  cache   pi   po   bi   bo   in   cs  us  sy  id\n";
constexpr char kNodes[] =
    "@ Tue Nov 14 22:13:20 2023\n"
    "node    loadavg               memory      swap        io    system         cpu\n"
    "          1 min   swpd   buff  cache   si   so   bi   bo   in   cs  us  sy  id\n";

ParsedLines Rows(const std::string& rows, const char* heading = kHeading) {
  ParsedLines lines = Parsed(Tool::kPmstat, heading + rows);
  if (!lines.empty()) lines.erase(lines.begin());
  return lines;
}

TEST(Pmstat, HeadingsHaveATime) {  // OUT-1301
  const std::string row =
      "    1.25   1003   1003   1003   1003    3    4    5    6    7    8  10  20  70\n";
  EXPECT_THAT(Parsed(Tool::kPmstat, std::string("Note: timezone set to \"TZ=UTC\"\n\n") + kHeading +
                                        row + kHeading),
              ElementsAre(HasSubstr(R"("kind": "note")"),
                          R"({"kind": "header", "start": "1700000000", "line": 3})",
                          HasSubstr(R"("kind": "sample")"), HasSubstr(R"("line": 7)")));
  EXPECT_THAT(Parsed(Tool::kPmstat, "Note: timezone set to \"TZ=EST+5\"\n\n"),
              ElementsAre(HasSubstr("OUT-102")));
}

TEST(Pmstat, AllColumns) {  // OUT-1302, OUT-1303
  EXPECT_THAT(Rows("    1.25   1003   1004   1005   1006    3    4    5    6    7    8  10  20  70 "
                   "  9   5   3\n",
                   "@ Tue Nov 14 22:13:20 2023\n"
                   " loadavg                      memory      swap        io    system             "
                   "        cpu\n"
                   "   1 min   swpd   free   buff  cache   pi   po   bi   bo   in   cs  us  sy  id "
                   " wa  st  gu\n"),
              ElementsAre(AllOf(
                  HasSubstr(R"({"name": "1 min", "value": "1.25", "within": "0.005"})"),
                  HasSubstr(R"({"name": "free", "value": "1004", "within": "1"})"),
                  HasSubstr(R"({"name": "cs", "value": "8", "within": "1"})"),
                  HasSubstr(R"({"name": "gu", "value": "3", "within": "0.5"}], "line": 4)"))));
}

TEST(Pmstat, OfHostsTheColumnBuffIsOfFreeMemory) {  // OUT-1302
  EXPECT_THAT(
      Rows("one        1.25   1003   1004   1006    3    4    5    6    7    8  10  20  70\n",
           kNodes),
      ElementsAre(AllOf(HasSubstr(R"({"name": "free", "value": "1004", "within": "1"})"),
                        HasSubstr(R"({"name": "cache", "value": "1006", "within": "1"})"))));
}

TEST(Pmstat, LettersMultiply) {  // OUT-1304, OUT-1305
  EXPECT_THAT(
      Rows(" 123456.00   976m 99999m   976g  4095g 9999  10K 100K   1M 123M 1234M  15  10 100\n"),
      ElementsAre(
          AllOf(HasSubstr(R"("value": "123456.00")"),
                HasSubstr(R"({"name": "swpd", "value": "999424", "within": "1024"})"),
                HasSubstr(R"({"name": "buff", "value": "1023410176", "within": "1048576"})"),
                HasSubstr(R"({"name": "po", "value": "10000", "within": "1000"})"),
                HasSubstr(R"({"name": "cs", "value": "1234000000", "within": "1000000"})"))));
  EXPECT_THAT(
      Rows("    1.25   1K03   1003   1003   1003    3    4    5    6    7    8  10  20  70\n"),
      ElementsAre(HasSubstr("OUT-1301")));
  EXPECT_THAT(
      Rows("    1.25    1K   1003   1003   1003    3    4    5    6    7    8  10  20  70\n"),
      ElementsAre(HasSubstr("OUT-1301")));
  EXPECT_THAT(
      Rows("    1.25   1003   1003   1003   1003   3m    4    5    6    7    8  10  20  70\n"),
      ElementsAre(HasSubstr("OUT-1301")));
}

TEST(Pmstat, QuestionMarksStandForNoValue) {  // OUT-1306
  EXPECT_THAT(
      Rows("     nan   1003   1003   1003   1003    ?    4    5    6    7    8   ?  20  70\n"),
      ElementsAre(AllOf(HasSubstr(R"({"name": "1 min", "value": "nan"})"),
                        HasSubstr(R"({"name": "pi", "value": null, "state": "no value"})"))));
}

TEST(Pmstat, MessagesInPlaceOfRows) {  // OUT-1307
  EXPECT_THAT(
      Rows(" No data in the archive\n pmFetchGroup: End of PCP archive log\n"),
      ElementsAre(HasSubstr(R"("text": "No data in the archive", "index": 1)"),
                  AllOf(HasSubstr(R"("error": "PM_ERR_EOL")"), HasSubstr(R"("index": 2)"))));
}

TEST(Pmstat, RowsOfSeveralHosts) {  // OUT-1302, OUT-1308
  EXPECT_THAT(
      Rows("a-rathe    1.25   1011   1011   1011    3    4    5    6    7    8  10  20  70\n"
           "short       inf   1011   1011   1011    ?    ?    5    6    7    8  10  20  70\n"
           "a-rathe No data in the archive\n"
           "short",
           kNodes),
      ElementsAre(AllOf(HasSubstr(R"("host": "a-rathe", "index": 1)"),
                        HasSubstr(R"({"name": "si", "value": "3", "within": "1"})")),
                  HasSubstr(R"("host": "short", "index": 1)"),
                  HasSubstr(R"("host": "a-rathe", "text": "No data in the archive", "index": 2)"),
                  HasSubstr(R"("host": "short", "index": 2, "values": [])")));
}

TEST(Pmstat, WhatFitsNoRuleIsTold) {  // OUT-1301..1303
  EXPECT_THAT(Rows("    1.25   1003\n    1.25 1 2 3 4 5 6 7 8 9 10 11 12 -1\nwords\n"),
              ElementsAre(HasSubstr("OUT-1301"), HasSubstr("OUT-1301"), HasSubstr("OUT-1301")));
  const std::string wide =
      std::string(kHeading, sizeof kHeading - 2) + std::string(100, ' ') + "us us us us us us\n";
  EXPECT_THAT(Parsed(Tool::kPmstat, wide).size(), 3U);
  EXPECT_THAT(Parsed(Tool::kPmstat, "    1.25   1003\n@ Tue Nov 14 22:13:20 2023\n x\n y\n"),
              ElementsAre(HasSubstr("OUT-1301"), HasSubstr("OUT-1301"), HasSubstr("OUT-1301"),
                          HasSubstr("OUT-1301")));
}

}  // namespace
}  // namespace pmproof::validator::tool_output

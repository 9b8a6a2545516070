// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "validator/tool_output/parsed_lines.h"

namespace pmproof::validator::tool_output {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Common, AnotherTimeZoneThanUtcIsRefused) {  // OUT-102
  EXPECT_THAT(Parsed(Tool::kPmdumplog, "Note: timezone set to \"TZ=EST-11\"\n\n"),
              ElementsAre(HasSubstr("run the tool with -Z UTC")));
  EXPECT_THAT(
      Parsed(Tool::kPminfo, "Note: timezone set to local timezone of host \"h\" from archive\n"),
      ElementsAre(HasSubstr("[OUT-102]")));
  EXPECT_THAT(Parsed(Tool::kPmval, "Note: timezone set to \"TZ=UTC\"\n"),
              ElementsAre(HasSubstr("\"note\"")));
}

TEST(Common, TimesAreCutAndTheDayIsFound) {  // OUT-103
  const ParsedLines lines = Values(Tool::kPmdumplog,
                                   "\n23:59:59.500000 1 metric\n    1.0.1 (a.b): value 1\n"
                                   "\n00:00:01.000000 1 metric\n    1.0.1 (a.b): value 2\n",
                                   At("2023-11-14T23:59:58Z"));
  EXPECT_THAT(lines, ElementsAre(HasSubstr(R"("time": "1700006399.500000000", "digits": 6)"),
                                 HasSubstr(R"("time": "1700006401.000000000")")));
}

TEST(Common, WithoutADayThereIsTheTimeOfDay) {  // OUT-103
  EXPECT_THAT(Values(Tool::kPmdumplog, "\n23:59:59.500000 1 metric\n    1.0.1 (a.b): value 1\n"),
              ElementsAre(HasSubstr(R"("time": null, "clock": "23:59:59.500000")")));
}

TEST(Common, ATextGoesOnUntilItsQuote) {  // OUT-104
  EXPECT_THAT(Values(Tool::kPminfo,
                     "\na.b\n    value \"one\nvalue \"two\" three\n\nfour\"\n\nc.d\n    value 1\n"),
              ElementsAre(HasSubstr(R"("value": "one\nvalue \"two\" three\n\nfour")"),
                          HasSubstr(R"("metric": "c.d")")));
}

TEST(Common, ATextWithoutAnEndIsNoText) {  // OUT-104
  EXPECT_THAT(Parsed(Tool::kPminfo, "\na.b\n    value \"one\n\nc.d\n    value 1\n"),
              testing::Contains(AllOf(HasSubstr("unparsed"), HasSubstr("\"line\": 3"))));
}

TEST(Common, ErrorTextsOfAllVersionsAreCodes) {  // OUT-105, OUT-1011
  for (const char* text : {"End of PCP archive log", "End of PCP archive"}) {
    EXPECT_THAT(Values(Tool::kPminfo, "a.b: pmFetch: " + std::string(text) + "\n"),
                ElementsAre(AllOf(HasSubstr(R"("status": -12370, "error": "PM_ERR_EOL")"),
                                  HasSubstr(R"("call": "pmFetch", "values": [])"))));
  }
  EXPECT_THAT(Values(Tool::kPminfo, "\na.b\nError: of no code\n"),
              ElementsAre(HasSubstr(R"("status": null, "message": "of no code")")));
}

TEST(Common, NumbersThatAreNone) {  // OUT-106
  EXPECT_EQ(PmvalValue("  nan.    "), R"("value": "nan")");
  EXPECT_EQ(PmvalValue(" -nan.    "), R"("value": "nan")");
  EXPECT_EQ(PmvalValue("      -INF"), R"("value": "-inf")");
}

TEST(Records, ReadBackAsTheyWereWritten) {
  for (const Tool tool : {Tool::kPmdumplog, Tool::kPminfo, Tool::kPmprobe}) {
    for (const std::string& line :
         Parsed(tool, "a.b 2 1 2\n\na.b\n    inst [0 or \"x\"] value \"t\"\n")) {
      const auto record = ReadRecordJson(line);
      ASSERT_TRUE(record) << record.error();
      EXPECT_EQ(RecordJson(**record), line);
    }
  }
}

TEST(Records, WhatIsNoneIsRefused) {
  for (const char* line :
       {"", "7", "[1]", "{\"time\": 1}", "{\"kind\": 1}", "{\"metric\": \"a\", \"time\": null}",
        "{\"metric\": \"a\", \"time\": \"x\", \"values\": []}", "{\"a\": "}) {
    EXPECT_FALSE(ReadRecordJson(line)) << line;
  }
  EXPECT_FALSE(ReadRecordJson("{\"kind\": \"x\", \"a\": " + std::string(100000, '[') +
                              std::string(100000, ']') + "}"));
}

}  // namespace
}  // namespace pmproof::validator::tool_output

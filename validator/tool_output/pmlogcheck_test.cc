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
using ::testing::IsEmpty;

TEST(Pmlogcheck, Findings) {  // OUT-812..819, OUT-822
  const ParsedLines lines = Parsed(
      Tool::kPmlogcheck,
      "/d/a.meta: bad label magic number: 0x1 not 0x50052600 as expected\n"
      "/d/a.0[record 3]: illegal header record length (7)\n"
      "/d/a.0: last valid record ends at offset 132 (of 133)\n/d/a.meta: missing metadata file\n"
      "/d/a: warning temporal index is missing\n/d/a.2: file missing for log volume 2\n"
      "/d/a.index[entry 3]: offset to log (1977) past end of file (1976)\n"
      "/d/a.meta: m.x [1.0.1]: non-zero scale (3) with zero dimension for Time in pmDesc\n"
      "/d/a.meta[record 2]: pmInDom 1.2: timestamp 1.000000000 before archive start 2.000000000\n"
      "/d/a.0:[06:13:20.248]: timestamp went backwards, prior timestamp: 18:34:33.248\n"
      "[after 06:13:20.248]: pmFetch: error: Corrupted record in a PCP archive\n");
  EXPECT_THAT(
      lines,
      ElementsAre(
          HasSubstr("OUT-812"),
          AllOf(HasSubstr("OUT-813"), HasSubstr(R"("file": "a.0")"),
                HasSubstr(R"("place": "record 3")")),
          AllOf(HasSubstr("OUT-814"),
                HasSubstr(R"("message": "last valid record ends at offset 132", "of": "133")")),
          HasSubstr("OUT-815"), HasSubstr("OUT-816"), HasSubstr("file missing for data volume 2"),
          HasSubstr(
              R"x("message": "offset to data volume (1977) past end of file (1976)", "place": "entry 3")x"),
          AllOf(HasSubstr("OUT-817"), HasSubstr(R"("metric": "m.x")"),
                HasSubstr(R"("pmid": "1.0.1")")),
          HasSubstr("OUT-818"),
          AllOf(HasSubstr("OUT-819"), HasSubstr(R"("at": "06:13:20.248", "than": "18:34:33.248")")),
          HasSubstr("OUT-822")));
}

TEST(Pmlogcheck, VersionsDifferInWordsAlone) {  // OUT-814, OUT-816
  EXPECT_EQ(
      Parsed(Tool::kPmlogcheck,
             "/d/a.index[entry 3]: volume number (0) decreased (from 2 at [entry 2])\n"),
      Parsed(Tool::kPmlogcheck,
             "/e/a.index[entry 3]: data volume number (0) decreased (from 2 at [entry 2])\n"));
  const auto early = Parsed(Tool::kPmlogcheck,
                            "/d/a.index[entry 1]: timestamp (1700000000.000000000) less than log "
                            "label timestamp (1700000005.000000000)\n");
  EXPECT_EQ(early, Parsed(Tool::kPmlogcheck,
                          "/e/a.index[entry 1]: timestamp (1700000000.000000000) less than "
                          "archive label timestamp (1700000005.000000000)\n"));
  EXPECT_THAT(early, ElementsAre(AllOf(HasSubstr("OUT-816"), HasSubstr("\"entry 1\""))));
}

TEST(Pmlogcheck, Wraps) {  // OUT-821
  EXPECT_THAT(
      Parsed(Tool::kPmlogcheck,
             "/d/a.0:[05:08:21.284]: m.w[x]: signed 32-bit wrap\n"
             "\tvalue 2147483596 at 05:08:20.284\n\tvalue -5 at 05:08:21.284\n\tdifference -7\n"),
      ElementsAre(AllOf(HasSubstr(R"("metric": "m.w")"),
                        HasSubstr(R"("name": "x", "before": "2147483596")"),
                        HasSubstr(R"("after": "-5")"), HasSubstr(R"("difference": "-7")"))));
}

TEST(Pmlogcheck, ValuesThatCanNotBeRead) {  // OUT-802, OUT-820
  EXPECT_THAT(
      Parsed(
          Tool::kPmlogcheck,
          "/d/a.0:[14:11:08.712] m.x: pmExtractValue failed: Impossible value or scale conversion\n"
          "pmlogcheck: possibly corrupt archive?\n"
          "pmlogcheck: cannot open archive \"/d/b\": Corrupted record in a PCP archive "
          "log\nChecking abandoned.\n"),
      ElementsAre(HasSubstr("OUT-820"), HasSubstr("OUT-802"),
                  AllOf(HasSubstr(R"("file": "b")"), HasSubstr("PM_ERR_LOGREC")),
                  HasSubstr("abandoned")));
}

TEST(Pmlogcheck, NoFiles) {  // OUT-802
  EXPECT_THAT(Parsed(Tool::kPmlogcheck, "pmlogcheck: no PCP archive files match \"/d/a\"\n"),
              ElementsAre(AllOf(HasSubstr("OUT-802"), HasSubstr(R"("file": "a")"),
                                HasSubstr("no PCP archive files match"))));
}

TEST(Pmlogcheck, ProgressAndLabel) {  // OUT-811, OUT-823, OUT-826
  EXPECT_THAT(Parsed(Tool::kPmlogcheck,
                     "Scanning for components of archive \"/d/a\"\n/d/a.meta: start pass0 ... "
                     "found 5 records\n"
                     "Log Label (Log Format Version 2)\nPerformance metrics from host h\nProcessed "
                     "5 pmResult records\n"),
              ElementsAre(HasSubstr("progress"), HasSubstr("progress"), HasSubstr("\"archive\""),
                          HasSubstr("progress")));
  EXPECT_THAT(Parsed(Tool::kPmlogcheck, ""), IsEmpty());
}

TEST(Pmlogcheck, StampsWithDatesAndRepairs) {  // OUT-824, OUT-825
  EXPECT_THAT(Parsed(Tool::kPmlogcheck,
                     "/d/a.0:[Tue Nov 14 22:13:20.248 2023]: timestamp before label timestamp: Tue "
                     "Nov 14 22:13:21.000 2023\n"
                     "Info: /d/a.0: truncated from 133 to 132 bytes\n"
                     "Error: /d/a.0.xz: compressed file, repair not allowed\n"),
              ElementsAre(AllOf(HasSubstr(R"("at": "1700000000.248")"), HasSubstr("OUT-819")),
                          HasSubstr(R"("text": "a.0: truncated from 133 to 132 bytes")"),
                          AllOf(HasSubstr("OUT-824"), HasSubstr(R"("file": "a.0.xz")"))));
}

}  // namespace
}  // namespace pmproof::validator::tool_output

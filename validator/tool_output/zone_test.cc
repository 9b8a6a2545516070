// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/zone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "validator/tool_output/parsed_lines.h"

namespace pmproof::validator::tool_output {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kChange = 1'700'010'000;  // 2023-11-15T01:00:00Z

ParseOptions In(std::string zone, ZoneOffset offset) {
  ParseOptions options = At("@1700000000");
  options.zone = std::move(zone);
  options.offset = std::move(offset);
  return options;
}

ParseOptions Est() {
  return In("EST+5", [](std::int64_t) { return -5 * kHour; });
}
// Its clock goes back from 03:00 to 02:00.
ParseOptions GoingBack() {
  return In("Back", [](std::int64_t time) { return time < kChange ? 2 * kHour : kHour; });
}
// And forward from 02:00 to 03:00.
ParseOptions GoingForward() {
  return In("Forth", [](std::int64_t time) { return time < kChange ? kHour : 2 * kHour; });
}

std::string Dump(const std::string& stamp) {
  return "\n" + stamp + " 1 metric\n    1.0.1 (a.b): value 5\n";
}

TEST(Zone, ClocksAndDaysBecomeTimesOfUtc) {  // OUT-108
  for (const char* stamp : {"17:13:30.500000", "Tue Nov 14 17:13:30.500000 2023"}) {
    EXPECT_THAT(Values(Tool::kPmdumplog, Dump(stamp), Est()),
                ElementsAre(HasSubstr("\"1700000010.500000000\"")));
  }
  // Seconds since 1970 are of no zone.
  EXPECT_THAT(Values(Tool::kPmdumplog,
                     Dump("Tue Nov 14 17:13:30.500000 2023 (0.000000) 1700000010"), Est()),
              ElementsAre(HasSubstr("\"1700000010.500000000\"")));
}

TEST(Zone, ADayThatStartsElsewhereGoesOn) {  // OUT-108
  ParseOptions options = In("IST", [](std::int64_t) { return 5 * kHour + kHour / 2; });
  EXPECT_THAT(Values(Tool::kPmdumplog, Dump("03:43:20.000000") + Dump("03:43:30.000000"), options),
              ElementsAre(HasSubstr("\"1700000000.0"), HasSubstr("\"1700000010.0")));
}

TEST(Zone, TimesOfOtherRecordsToo) {  // OUT-108
  EXPECT_THAT(Parsed(Tool::kPmlogsummary,
                     "Note: timezone set to \"TZ=EST+5\"\n\nmetric minimum minimum_time units\n"
                     "a.b  1.000 17:13:30.000 none\n",
                     Est()),
              ElementsAre(HasSubstr("note"), HasSubstr(R"("minimum_time": "1700000010.000")")));
}

TEST(Zone, ATimePrintedOnceForSeveralRecords) {  // OUT-108
  EXPECT_THAT(
      Values(Tool::kPmdumplog,
             "\n17:13:30.500000 2 metrics\n    1.0.1 (a.b): value 5\n"
             "    1.0.2 (a.c): value 6\n",
             Est()),
      ElementsAre(HasSubstr("\"1700000010.500000000\""), HasSubstr("\"1700000010.500000000\"")));
  EXPECT_THAT(
      Parsed(Tool::kPmval, "17:13:30.500  m.e[one]: 0 event records\nm.e[two]: 0 event records\n",
             Est()),
      ElementsAre(HasSubstr("\"1700000010.500000000\""), HasSubstr("\"1700000010.500000000\"")));
}

TEST(Zone, ATimeThatIsTwoOrNoneIsRefused) {  // OUT-108
  EXPECT_THAT(Values(Tool::kPmdumplog, Dump("Wed Nov 15 02:30:00.000000 2023"), GoingBack()),
              ElementsAre(AllOf(HasSubstr("line 2: "), HasSubstr("twice"), HasSubstr("-Z UTC"))));
  EXPECT_THAT(Values(Tool::kPmdumplog, Dump("Wed Nov 15 02:30:00.000000 2023"), GoingForward()),
              ElementsAre(HasSubstr("never")));
  for (const auto& [clock, time] :
       {std::pair{"01:59:59", "\"1700006399.0"}, {"03:00:00", "\"1700013600.0"}}) {
    EXPECT_THAT(Values(Tool::kPmdumplog, Dump("Wed Nov 15 " + std::string(clock) + ".000000 2023"),
                       GoingBack()),
                ElementsAre(HasSubstr(time)));
  }
}

TEST(Zone, AnUnknownDayIsRefused) {  // OUT-108
  ParseOptions options = Est();
  options.start.reset();
  EXPECT_THAT(Values(Tool::kPmdumplog, Dump("17:13:30.500000"), options),
              ElementsAre(AllOf(HasSubstr("refused: "), HasSubstr("--start"))));
  EXPECT_THAT(Parsed(Tool::kPmlogcheck, "", Est()), ElementsAre(HasSubstr("-Z UTC")));
}

TEST(Zone, TheNoteAndTheCallerSayTheSame) {  // OUT-102
  const std::string note = "Note: timezone set to \"TZ=EST+5\"\n";
  EXPECT_THAT(Parsed(Tool::kPmdumplog, note),
              ElementsAre(AllOf(HasSubstr("--zone EST+5"), HasSubstr("[OUT-102]"))));
  EXPECT_THAT(Parsed(Tool::kPmdumplog, note, Est()), ElementsAre(HasSubstr("note")));
  EXPECT_THAT(Parsed(Tool::kPmdumplog, note, GoingBack()),
              ElementsAre(HasSubstr("--zone says Back")));
  // That of the archive's host has no name.
  const std::string host = "Note: timezone set to local timezone of host \"h\" from archive\n";
  EXPECT_THAT(Parsed(Tool::kPmdumplog, host), ElementsAre(HasSubstr("--zone")));
  EXPECT_THAT(Parsed(Tool::kPmdumplog, host, Est()), ElementsAre(HasSubstr("note")));
}

}  // namespace
}  // namespace pmproof::validator::tool_output

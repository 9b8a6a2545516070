// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validator/tool_output/parsed_lines.h"

namespace pmproof::validator::tool_output {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Pmprobe, CountsAndErrors) {  // OUT-601
  EXPECT_THAT(Parsed(Tool::kPmprobe,
                     "a.b 3\nc.d 0\nno.such -12357 Unknown metric name\n"
                     "e.f -12370 End of PCP archive (pmFetch)\n"),
              ElementsAre(HasSubstr(R"({"kind": "count", "metric": "a.b", "values": 3)"),
                          HasSubstr(R"("metric": "c.d", "status": 0, "values": [])"),
                          HasSubstr(R"("status": -12357, "error": "PM_ERR_NAME")"),
                          HasSubstr(R"("message": "End of PCP archive", "call": "pmFetch")")));
}

TEST(Pmprobe, NoteOfAnyZone) {  // OUT-102, OUT-108: no time depends on it
  for (const char* note : {"Note: timezone set to \"TZ=EST+5\"\n\n",
                           "Note: timezone set to local timezone of host \"h\" from archive\n\n"}) {
    EXPECT_THAT(Parsed(Tool::kPmprobe, std::string(note) + "a.b 1 5\n"),
                ElementsAre(HasSubstr(R"("kind": "note")"), HasSubstr(R"("value": "5")")));
  }
  EXPECT_THAT(Parsed(Tool::kPmprobe, "a.b 1 5\n\n"),
              ElementsAre(HasSubstr(R"("value": "5")"), HasSubstr("unparsed")));
}

TEST(Pmprobe, Values) {  // OUT-602, OUT-604
  EXPECT_THAT(
      Values(Tool::kPmprobe,
             "a.b 2 1 -2.5\nc.d 1 \"x \"y\" z\"\ne.f 2 \"a b\" \"c\"\ng.h 1 \"two\nlines\"\n"),
      ElementsAre(
          HasSubstr(
              R"("time": null, "metric": "a.b", "status": 0, "values": [{"value": "1"}, {"value": "-2.5"}])"),
          HasSubstr(R"("value": "x \"y\" z")"),
          HasSubstr(R"([{"type": "string", "value": "a b"}, {"type": "string", "value": "c"}])"),
          HasSubstr(R"("two\nlines")")));
}

TEST(Pmprobe, Instances) {  // OUT-602, OUT-603
  EXPECT_THAT(
      Parsed(Tool::kPmprobe,
             "a.b 1 PM_IN_NULL\nc.d 2 \"x\" \"y\"\ne.f 2 \"x\" ?7\ng.h 2 ?0 \"x\" ?1 \"y z\"\n"
             "i.j 2 ?0 ?1\n"),
      ElementsAre(HasSubstr(R"([{"instance": null}])"),
                  HasSubstr(R"([{"name": "x"}, {"name": "y"}])"),
                  HasSubstr(R"([{"name": "x"}, {"instance": 7}])"),
                  HasSubstr(R"({"instance": 1, "name": "y z"})"),
                  HasSubstr(R"([{"instance": 0}, {"instance": 1}])")));
  EXPECT_THAT(Parsed(Tool::kPmprobe, "c.d 3 \"x\" \"y\"\n"), ElementsAre(HasSubstr("unparsed")));
}

}  // namespace
}  // namespace pmproof::validator::tool_output

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "validator/tool_output/parsed_lines.h"

namespace pmproof::validator::tool_output {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Pmrep, Columns) {  // OUT-711, OUT-712, OUT-713, OUT-714, OUT-715
  EXPECT_THAT(
      Values(Tool::kPmrep,
             "           a.b.c  d.text    a.real\n             one               two\n"
             "          byte/s\n22:13:20       5   \"q\" s    1.500\n22:13:30     xxx     N/A  "
             "12345678\n",
             At("@1700000000")),
      ElementsAre(
          HasSubstr(
              R"("digits": 0, "metric": "a.b.c", "abbreviated": true, "status": 0, "values": [{"name": "one", "value": "5"}])"),
          HasSubstr(R"("instance": null, "type": "string", "value": "\"q\" s")"),
          HasSubstr(R"({"name": "two", "value": "1.500", "within": "0.0005"})"),
          HasSubstr(R"([{"name": "one", "value": null, "state": "too wide"}])"),
          AllOf(HasSubstr("d.text"), HasSubstr(R"("values": [])")),
          HasSubstr(R"({"name": "two", "value": "12345678", "within": "1"})")));
}

TEST(Pmrep, ExtendedHeader) {  // OUT-717
  for (const char* first : {"  archive: /a b\n", "   source: /a b (archive)\n"}) {
    EXPECT_THAT(Parsed(Tool::kPmrep,
                       "\n" + std::string(first) +
                           "     host: h\n timezone: UTC+0\n    start: Tue Nov 14 22:13:20 2023\n"
                           "      end: Tue Nov 14 22:14:20 2023\n  metrics: 2 (6 instances)\n"),
                ElementsAre(AllOf(HasSubstr(R"("archive": "/a b", "host": "h")"),
                                  HasSubstr(R"("start": "1700000000", "finish": "1700000060")"))));
  }
}

TEST(Pmrep, ListedColumns) {  // OUT-718
  EXPECT_THAT(
      Values(Tool::kPmrep,
             "[ 1] - a.b[\"x - \"y\"\"] - count/s\n[ 2] - c.d - \n\n"
             "                 1         2\n22:13:20     1.000         5\n",
             At("@1700000000")),
      ElementsAre(HasSubstr(R"("metric": "a.b", "status": 0, "values": [{"name": "x - \"y\"")"),
                  HasSubstr(R"("metric": "c.d")")));
}

TEST(Pmrep, InstancesAsRows) {  // OUT-719
  EXPECT_THAT(
      Values(Tool::kPmrep,
             "          inst  a.read  a.write\n                count    count\n"
             "22:13:20   sda       1        2\n22:13:20   sdb       3      N/A\n"
             "22:13:30   sda       5        6\n",
             At("@1700000000")),
      ElementsAre(HasSubstr(R"([{"name": "sda", "value": "1"}, {"name": "sdb", "value": "3"}])"),
                  HasSubstr(R"([{"name": "sda", "value": "2"}])"), HasSubstr("1700000010"),
                  HasSubstr("1700000010")));
}

TEST(Pmrep, Csv) {  // OUT-731, OUT-732
  for (const char* head : {"Time,\"a.b[x-1]\",\"c.d\"\n", "Time,\"a.b-x-1\",\"c.d\"\n"}) {
    EXPECT_THAT(
        Values(Tool::kPmrep,
               std::string(head) + "2023-11-14 22:13:20,5,\"a_ b\"\n2023-11-14 22:13:30,,1.500\n"),
        ElementsAre(
            HasSubstr(
                R"("metric": "a.b", "status": 0, "values": [{"name": "x-1", "altered": true, "value": "5"}])"),
            HasSubstr(R"("type": "string", "value": "a_ b")"),
            AllOf(HasSubstr("1700000010"), HasSubstr(R"("values": [])")),
            HasSubstr(R"("value": "1.500", "within": "0.0005")")));
  }
}

}  // namespace
}  // namespace pmproof::validator::tool_output

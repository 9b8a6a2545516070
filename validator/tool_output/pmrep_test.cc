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

ParseOptions With(std::string_view delimiter) {
  ParseOptions options = At("@1700000000");
  options.delimiter = delimiter;
  return options;
}

constexpr char kBars[] =
    "        |t.u32|t.float\n        |    ||    one\n        |     |millise\n"
    "22:13:20|  xxx|  0.100\n22:13:30|    5|    N/A\n";

TEST(Pmrep, ColumnsOfAnotherDelimiter) {  // OUT-720
  EXPECT_THAT(Values(Tool::kPmrep, kBars, With("|")),
              ElementsAre(HasSubstr(R"("t.u32", "abbreviated": true, "status": 0, )"
                                    R"("values": [{"instance": null, "value": null, )"
                                    R"("state": "too wide"}])"),
                          HasSubstr(R"([{"name": "one", "value": "0.100")"),
                          HasSubstr(R"([{"instance": null, "value": "5"}])"),
                          HasSubstr(R"("values": [])")));
  EXPECT_THAT(
      Values(Tool::kPmrep, "        ;a.b; d.text\n        ;   ;       \n22:13:20;  5;    a;b\n",
             With(";")),
      ElementsAre(HasSubstr(R"("value": "5")"), HasSubstr(R"("value": "a;b")")));
}

TEST(Pmrep, ADelimiterIsNotGuessed) {  // OUT-720
  for (const ParseOptions& options : {At("@1700000000"), With(";")}) {
    EXPECT_THAT(Parsed(Tool::kPmrep, kBars, options),
                ElementsAre(AllOf(HasSubstr("refused: line 1: "), HasSubstr("--delimiter"),
                                  HasSubstr("[OUT-720]"))));
  }
  // A row whose separators are not where those of the heading are.
  EXPECT_THAT(Parsed(Tool::kPmrep,
                     "        |t.u32|t.float\n        |     |millise\n"
                     "22:13:20|    5;  0.100\n",
                     With("|")),
              ElementsAre(HasSubstr(R"("clause": "OUT-711")")));
}

TEST(Pmrep, RowsWithoutTimes) {  // OUT-721
  const char* const text =
      "  t.u32  t.float\n             one\n         millise\n"
      "      5    0.100\n      6      N/A\n";
  EXPECT_THAT(Parsed(Tool::kPmrep, text, At("@1700000000")),
              ElementsAre(AllOf(HasSubstr("refused: line 1: "), HasSubstr("-p"),
                                HasSubstr("--interval"), HasSubstr("[OUT-721]"))));
  ParseOptions options = At("@1700000000.25");
  options.interval = 500'000'000;
  EXPECT_THAT(
      Values(Tool::kPmrep, text, options),
      ElementsAre(AllOf(HasSubstr("\"1700000000.250000000\""), HasSubstr(R"("value": "5")")),
                  HasSubstr(R"([{"name": "one", "value": "0.100")"),
                  AllOf(HasSubstr("\"1700000000.750000000\""), HasSubstr(R"("value": "6")")),
                  HasSubstr(R"("values": [])")));
  // Where the heading ends cannot be seen without its units, nor that a column has instances.
  for (const char* unseen : {"  t.text\n       x\n       y\n       z\n",
                             "  inst  t.u32\n         count\n   one      5\n   one      6\n"}) {
    EXPECT_THAT(Parsed(Tool::kPmrep, unseen, options), ElementsAre(HasSubstr("run pmrep with -p")));
  }
  options.start.reset();
  EXPECT_THAT(Parsed(Tool::kPmrep, text, options), ElementsAre(HasSubstr("--start")));
}

TEST(Pmrep, RowsWithoutAHeading) {  // OUT-722
  const char* const text = "22:13:20      5    0.100\n22:13:30    xxx      N/A\n";
  EXPECT_THAT(Parsed(Tool::kPmrep, text, At("@1700000000")),
              ElementsAre(AllOf(HasSubstr("--columns"), HasSubstr("-H"), HasSubstr("[OUT-722]"))));
  ParseOptions options = At("@1700000000");
  options.columns = {"t.u32", "t.float[one]"};
  EXPECT_THAT(
      Values(Tool::kPmrep, text, options),
      ElementsAre(
          HasSubstr(
              R"("metric": "t.u32", "status": 0, "values": [{"instance": null, "value": "5"}])"),
          HasSubstr(R"([{"name": "one", "value": "0.100")"), HasSubstr("too wide"),
          HasSubstr(R"("values": [])")));
  for (const char* unseen : {"22:13:20      5    0.100    1\n", "22:13:20      5    word\n"}) {
    EXPECT_THAT(Parsed(Tool::kPmrep, unseen, options), ElementsAre(HasSubstr("[OUT-722]")));
  }
  EXPECT_THAT(Values(Tool::kPmrep, "2023-11-14 22:13:30,5,\n", options),
              ElementsAre(HasSubstr("1700000010"), HasSubstr(R"("values": [])")));
}

TEST(Pmrep, TimesOfAFormat) {  // OUT-714, OUT-723
  ParseOptions options = At("@1700000000");
  const auto time_of = [&](const char* format, const std::string& stamp) {
    options.time_format = format;
    const std::string blanks(stamp.size(), ' ');
    const ParsedLines lines = Parsed(
        Tool::kPmrep, blanks + "  t.u32\n" + blanks + "       \n" + stamp + "      5\n", options);
    return lines.empty() ? "nothing" : lines.front();
  };
  EXPECT_THAT(time_of("%Y-%m-%dT%H:%M:%S", "2023-11-14T22:13:30"), HasSubstr("1700000010.000"));
  EXPECT_THAT(time_of("%c", "Tue Nov 14 22:13:30 2023"), HasSubstr("1700000010.000"));
  EXPECT_THAT(time_of("%s", "1700000010"), HasSubstr("1700000010.000"));
  EXPECT_THAT(time_of("%T.%f", "22:13:30.250000"),
              HasSubstr(R"(1700000010.250000000", "digits": 6)"));
  EXPECT_THAT(time_of("%d.%m.%Y %H:%M:%S", "31.02.2023 22:13:30"), HasSubstr("[OUT-721]"));
  EXPECT_THAT(time_of("%H:%M", "22:13"), HasSubstr("no time to the second"));
  EXPECT_THAT(time_of("%d %H:%M:%S", "14 22:13:30"), HasSubstr("a part of the date alone"));
  EXPECT_THAT(time_of("%I:%M:%S", "10:13:30"), HasSubstr("%I is not read"));
  EXPECT_THAT(time_of("%H:%M:%S%", "22:13:30"), HasSubstr("is not read"));
  EXPECT_THAT(Parsed(Tool::kPmrep, "Time,\"t.u32\"\n1700000000,5\n"),
              ElementsAre(AllOf(HasSubstr("refused: line 2: "), HasSubstr("--time-format"))));
}

TEST(Pmrep, ZoneOfTheHeader) {  // OUT-102, OUT-108, OUT-717
  const std::string header =
      " timezone: UTC-5 (reporting, current is UTC+0)\n    start: Tue Nov 14 17:13:20 2023\n";
  EXPECT_THAT(Parsed(Tool::kPmrep, header),
              ElementsAre(AllOf(HasSubstr("refused: line 1: "), HasSubstr("--zone"),
                                HasSubstr("UTC-5"), HasSubstr("[OUT-102]"))));
  ParseOptions options;
  options.zone = "EST+5";
  options.offset = [](std::int64_t) { return -5 * 3600; };
  EXPECT_THAT(Parsed(Tool::kPmrep, header, options),
              ElementsAre(HasSubstr(R"("start": "1700000000")")));
  options.offset = [](std::int64_t) { return -4 * 3600; };
  EXPECT_THAT(Parsed(Tool::kPmrep, header, options), ElementsAre(HasSubstr("refused: line 2: ")));
}

TEST(Pmrep, SingularMetricsAmongInstances) {  // OUT-719
  EXPECT_THAT(Values(Tool::kPmrep,
                     "          inst  a.read  b.load\n                 count        \n"
                     "22:13:20     =       ~       7\n22:13:20   sda       3       ~\n",
                     At("@1700000000")),
              ElementsAre(HasSubstr(R"([{"name": "sda", "value": "3"}])"),
                          HasSubstr(R"([{"instance": null, "value": "7"}])")));
}

TEST(Pmrep, CsvOfAnotherDelimiter) {  // OUT-734, OUT-735
  for (const char* delimiter : {";", "||", "\t"}) {
    const std::string d = delimiter;
    const std::string text = "#\n# timezone: UTC+0\n#\nTime" + d + "\"a.b[x]\"" + d +
                             "\"c.d\"\n2023-11-14 22:13:20" + d + "5" + d + "\"a, _\"\n";
    EXPECT_THAT(Values(Tool::kPmrep, text), ElementsAre(HasSubstr(R"("name": "x", "altered": ")"),
                                                        HasSubstr(R"("value": "a, _")")));
    EXPECT_THAT(Parsed(Tool::kPmrep, text, With(":")).back(), HasSubstr("[OUT-734]"));
  }
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

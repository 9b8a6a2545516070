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

TEST(Pmval, HeaderOfACounter) {  // OUT-201, OUT-202, OUT-203
  EXPECT_THAT(
      Parsed(
          Tool::kPmval,
          "\nmetric:    m.x\narchive:   /a b\nhost:      h\n"
          "start:     Tue Nov 14 22:13:20.250000 2023\nend:       Tue Nov 14 22:14:20.000000 2023\n"
          "semantics: cumulative counter (converting to rate)\n"
          "units:     nanosec (converting to time utilization)\nsamples:   all\n"
          "22:13:30.000             0.5000\n"),
      ElementsAre(
          AllOf(HasSubstr(R"("metric": "m.x", "archive": "/a b", "host": "h")"),
                HasSubstr(R"("start": "1700000000.250000", "finish": "1700000060.000000")"),
                HasSubstr(R"("converted": "time utilization", "units": "nanosec")"),
                HasSubstr(R"("samples": "all")")),
          AllOf(HasSubstr(R"("rate": true, "factor": 1000000000.0)"),
                HasSubstr(R"({"instance": null, "value": "0.5000", "within": "0.00005"})"))));
}

TEST(Pmval, RealsSayHowExactTheyAre) {  // OUT-214
  EXPECT_EQ(PmvalValue("  9.000E-02"), R"("value": "9.000e-02", "within": "0.0005e-02")");
  EXPECT_EQ(PmvalValue("  0.1000 "), R"("value": "0.1000", "within": "0.00005")");
  EXPECT_EQ(PmvalValue("  10.00  "), R"("value": "10.00", "within": "0.005")");
  EXPECT_EQ(PmvalValue("  9999.    "), R"("value": "9999", "within": "0.5")");
  EXPECT_EQ(PmvalValue("  0.0   "), R"("value": "0.0")");  // a nought of the table is one
  EXPECT_EQ(PmvalValue("        0.0"), R"("value": "0.0", "within": "0.05")");  // -f 1
  EXPECT_EQ(PmvalValue("-123456"), R"("value": "-123456")");
}

TEST(Pmval, MarksOfMissingAndDecreasedValues) {  // OUT-214, OUT-215
  EXPECT_THAT(
      Values(Tool::kPmval, Pmval("\n                      a           b \n"
                                 "22:13:20.000          !           ? \n")),
      ElementsAre(HasSubstr(R"("values": [{"name": "a", "value": null, "state": "decreased"}])")));
}

TEST(Pmval, AValueMayTouchItsStamp) {  // OUT-213
  const ParsedLines full = Values(Tool::kPmval, Pmval("\n                    a         b \n"
                                                      "22:13:20.000-22499.90      1.00 \n"
                                                      "22:13:30.000     1.00 -22499.90 \n"));
  EXPECT_THAT(full,
              ElementsAre(HasSubstr(R"({"name": "a", "value": "-22499.90", "within": "0.005"})"),
                          HasSubstr(R"({"name": "b", "value": "-22499.90", "within": "0.005"})")));
  // A wider one moves what follows.
  EXPECT_THAT(Values(Tool::kPmval, Pmval("\n                   a        b \n"
                                         "22:13:20.000-22499.90     1.00 \n")),
              ElementsAre(HasSubstr(R"({"name": "b", "value": "1.00", "within": "0.005"})")));
}

TEST(Pmval, NamesHaveBlanksAndMayBeCut) {  // OUT-212
  EXPECT_THAT(
      Values(Tool::kPmval, Pmval("\n              1 minute a longer n \n"
                                 "22:13:20.000        12          7 \n")),
      ElementsAre(AllOf(HasSubstr(R"({"name": "1 minute", "value": "12"})"),
                        HasSubstr(R"({"name": "a longer n", "cut": true, "value": "7"})"))));
  EXPECT_THAT(Values(Tool::kPmval, Pmval("full label for instance[0]: abcdef\n"
                                         "full label for instance[1]: ab ghi\n"
                                         "\n            abcde ab gh \n22:13:20.000   10    11 \n")),
              ElementsAre(AllOf(HasSubstr(R"({"name": "abcdef", "value": "10"})"),
                                HasSubstr(R"({"name": "ab ghi", "value": "11"})"))));
}

TEST(Pmval, TextsOfColumnsGoOnInFurtherLines) {  // OUT-104, OUT-213
  const ParsedLines read =
      Values(Tool::kPmval, Pmval("\n                      a           b \n"
                                 "22:13:20.000    \"two\n\nlines\"        \"x\" \n"
                                 "22:13:30.000        \"y\"     \"at\nend\" \n"
                                 "22:13:40.000         \"\"        \"z\" \n"));
  EXPECT_THAT(read,
              ElementsAre(HasSubstr(R"([{"name": "a", "type": "string", "value": "two\n\nlines"}, )"
                                    R"({"name": "b", "type": "string", "value": "x"}])"),
                          HasSubstr(R"({"name": "b", "type": "string", "value": "at\nend"}])"),
                          HasSubstr(R"({"name": "a", "type": "string", "value": ""})")));
}

TEST(Pmval, AnAggregateFillsSeveralColumns) {  // OUT-213, MET-504
  EXPECT_THAT(
      Values(Tool::kPmval, Pmval("\n                         a              b              c \n"
                                 "22:13:20.000             ?  2.0135821e+34 "
                                 "        \"s1xx\"     [73317878]           [01] \n")),
      ElementsAre(
          AllOf(HasSubstr(R"({"name": "b", "type": "aggregate", "value": "base64:czF4eA=="})"),
                HasSubstr(R"({"name": "c", "type": "aggregate", "value": "base64:AQ=="})"))));
}

TEST(Pmval, TheHeadingIsRepeated) {  // OUT-212, OUT-216
  EXPECT_THAT(Values(Tool::kPmval, Pmval("\n                      a \n22:13:20.000          1 \n"
                                         "22:13:30.000  No values available\n"
                                         "\n                      a           b \n"
                                         "22:13:40.000          2           3 \n")),
              ElementsAre(HasSubstr(R"([{"name": "a", "value": "1"}])"),
                          AllOf(HasSubstr("1700000010"), HasSubstr(R"("values": [])")),
                          HasSubstr(R"({"name": "b", "value": "3"})")));
}

TEST(Pmval, AMarkOfTheArchive) {  // OUT-216
  EXPECT_THAT(Parsed(Tool::kPmval, Pmval("22:13:20.000  Archive logging suspended\n")),
              testing::Contains(HasSubstr(R"({"kind": "mark", "time": "1700000000.000000000")")));
}

TEST(Pmval, StampsWithDates) {  // OUT-213
  EXPECT_THAT(Values(Tool::kPmval, Pmval("Tue Nov 14 22:13:20.250000 2023-22499.90\n"
                                         "Tue Nov 14 22:13:20.250000001 2023      5\n")),
              ElementsAre(AllOf(HasSubstr(R"("1700000000.250000000", "digits": 6)"),
                                HasSubstr("-22499.90")),
                          HasSubstr(R"("1700000000.250000001", "digits": 9)")));
}

TEST(Pmval, ASecondMayHaveAThousandMilliseconds) {  // OUT-222, INT-203
  EXPECT_THAT(Values(Tool::kPmval, Pmval("22:13:20.500     2.000 \n"
                                         "22:13:20.1000     0.0   \n"
                                         "22:13:21.1000  No values available\n")),
              ElementsAre(HasSubstr(R"("1700000000.500000000", "digits": 3)"),
                          AllOf(HasSubstr(R"("1700000001.000000000", "digits": 3)"),
                                HasSubstr(R"([{"instance": null, "value": "0.0"}])")),
                          HasSubstr(R"("1700000002.000000000", "digits": 3)")));
  EXPECT_THAT(Values(Tool::kPmval, Pmval("Tue Nov 14 22:13:20.1000000 2023     2.000 \n"
                                         "Tue Nov 14 23:59:59.1000000000 2023     2.000 \n")),
              ElementsAre(HasSubstr(R"("1700000001.000000000", "digits": 6)"),
                          HasSubstr(R"("1700006400.000000000", "digits": 9)")));
}

TEST(Pmval, TheSecondBehindTheLastOfADayIsOfTheNext) {  // OUT-222
  EXPECT_THAT(Values(Tool::kPmval, Pmval("Tue Nov 14 23:59:59.500000 2023     2.000 \n"
                                         "23:59:59.1000     2.000 \n00:00:00.500     2.000 \n")),
              ElementsAre(HasSubstr("1700006399.500000000"), HasSubstr("1700006400.000000000"),
                          HasSubstr("1700006400.500000000")));
}

TEST(Pmval, AWideValueThatTouchesIsNoThousandth) {  // OUT-213, OUT-222
  EXPECT_THAT(Values(Tool::kPmval, Pmval("\n                 a      b \n"
                                         "22:13:20.1000.2500    1.0 \n")),
              ElementsAre(AllOf(HasSubstr(R"("1700000000.100000000", "digits": 3)"),
                                HasSubstr(R"({"name": "a", "value": "0.2500")"))));
}

TEST(Pmval, AWarningIsANote) {  // OUT-218
  EXPECT_THAT(Parsed(Tool::kPmval, "Warning: value=3, but instance=4 is unknown\n"),
              ElementsAre(HasSubstr("\"note\"")));
}

TEST(Pmval, Events) {  // OUT-221
  EXPECT_THAT(
      Parsed(Tool::kPmval,
             "22:13:20.500  m.e[one]: 2 event records\n"
             "  22:13:20.250 --- event record [0] flags 0x1 (point) ---\n"
             "    m.p \"a b\"\n"
             "  22:13:20.300 --- event record [1] flags 0x80000000 (missed) ---\n"
             "    ==> 7 missed event records\n"
             "m.e[two]: 0 event records\n",
             At("@1700000000")),
      ElementsAre(HasSubstr(R"("metric": "m.e", "name": "one", "records": 2)"),
                  AllOf(HasSubstr(R"("index": 0, "at": "22:13:20.250", "flags": 1)"),
                        HasSubstr(R"([{"metric": "m.p", "type": "string", "value": "a b"}])")),
                  HasSubstr(R"("flags": 2147483648, "missed": 7)"),
                  AllOf(HasSubstr(R"("time": "1700000000.500000000")"),
                        HasSubstr(R"("name": "two", "records": 0)"))));
}

TEST(Pmval, EventsWithoutFlagsAndParameters) {  // OUT-221
  EXPECT_THAT(Parsed(Tool::kPmval,
                     "22:13:20.500  m.e: 2 event records\n"
                     "  22:13:20.250 --- event record [0] ---\n"
                     "    ==> No parameters\n"
                     "  22:13:20.300 --- event record [1] flags 0x4 (end) ---\n",
                     At("@1700000000")),
              ElementsAre(HasSubstr(R"("kind": "events")"),
                          HasSubstr(R"("index": 0, "at": "22:13:20.250", "flags": 0)"),
                          HasSubstr(R"("index": 1, "at": "22:13:20.300", "flags": 4)")));
}

TEST(Pmevent, IsPmvalByAnotherName) {  // OUT-1101
  const std::string printed = Pmval("22:13:20.000   5\n") + "22:13:30.000  m.e: 0 event records\n";
  EXPECT_EQ(Parsed(Tool::kPmevent, printed), Parsed(Tool::kPmval, printed));
  EXPECT_THAT(Values(Tool::kPmevent, printed), ElementsAre(HasSubstr(R"("value": "5")")));
}

}  // namespace
}  // namespace pmproof::validator::tool_output

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validator/tool_output/parsed_lines.h"

namespace pmproof::validator::tool_output {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Pminfo, NamesAndIdentifiers) {  // OUT-301, OUT-302, OUT-303
  EXPECT_THAT(
      Parsed(Tool::kPminfo,
             "a.b\nc.d PMID: 246.1.2\ne.f = 1031799810 = 0x3d800402\n"
             "g.h PMID: 246.1.2 = 1031799810 = 0x3d800402\n"),
      ElementsAre(R"({"kind": "metric", "metric": "a.b", "line": 1})",
                  R"({"kind": "identifier", "metric": "c.d", "pmid": "246.1.2", "line": 2})",
                  HasSubstr(R"("number": 1031799810)"),
                  HasSubstr(R"("pmid": "246.1.2", "number": 1031799810)")));
}

TEST(Pminfo, OneLineHelp) {  // OUT-304
  EXPECT_THAT(Parsed(Tool::kPminfo,
                     "a.b [what [it] is]\nc.d PMID: 1.0.1 = 4194305 = 0x400001\n"
                     "    [more]\ne.f One-line Help: Error: Unknown metric name\n"),
              ElementsAre(HasSubstr("\"metric\""),
                          HasSubstr(R"("form": "oneline", "text": "what [it] is")"),
                          HasSubstr("\"identifier\""),
                          HasSubstr(R"("metric": "c.d", "form": "oneline", "text": "more")"),
                          HasSubstr("\"metric\""), HasSubstr(R"("error": "PM_ERR_NAME")")));
}

TEST(Pminfo, Descriptors) {  // OUT-305, OUT-306
  EXPECT_THAT(
      Parsed(Tool::kPminfo,
             "\na.b\n    Data Type: 64-bit unsigned int  InDom: 60.1 0xf000001\n"
             "    Semantics: counter  Units: byte / sec\n"
             "    inst [0 or \"x\"] value 5\n\nc.d\n    Metadata unavailable\n"
             "\ne.f\ne.f\tfloat\tPM_INDOM_NULL 0xffffffff\tinstant\tnone\n"),
      ElementsAre(
          HasSubstr("a.b"),
          HasSubstr(
              R"("type": "u64", "indom": "60.1", "semantics": "counter", "units": "byte / sec")"),
          HasSubstr(R"({"instance": 0, "name": "x", "type": "u64", "value": "5"})"),
          HasSubstr("c.d"), HasSubstr("\"unavailable\": true"), HasSubstr("e.f"),
          HasSubstr(R"("type": "float", "indom": null, "semantics": "instant", "units": "")")));
}

TEST(Pminfo, SourcesSeriesAndLabels) {  // OUT-307, OUT-308
  EXPECT_THAT(
      Parsed(Tool::kPminfo,
             "a.b\n    Source: 12ab\n    Series: 34cd\n"
             "    inst [1 or \"x] y\"] series 56ef\n    labels {\"k\":1}\n"
             "    inst [1 or \"x] y\"] labels {\"k\":2}\n"),
      ElementsAre(HasSubstr("a.b"), HasSubstr(R"("source", "metric": "a.b", "digest": "12ab")"),
                  HasSubstr(R"("digest": "34cd")"),
                  HasSubstr(R"("instance": 1, "name": "x] y", "digest": "56ef")"),
                  HasSubstr(R"("level": "metric", "json": "{\"k\":1}")"),
                  HasSubstr(R"("level": "instance", "instance": 1, "name": "x] y")")));
}

TEST(Pminfo, FullHelp) {  // OUT-309
  EXPECT_THAT(
      Parsed(Tool::kPminfo,
             "\na.b\nHelp:\nOne line.\n\nAnd one\n\nc.d\nHelp: <empty entry>\n"
             "    value 3\n\ne.f\nFull Help: Error: One-line or help text is not available\n"),
      ElementsAre(HasSubstr("a.b"), HasSubstr(R"("text": "One line.\n\nAnd one")"),
                  HasSubstr("c.d"), HasSubstr(R"("text": "")"), HasSubstr(R"("value": "3")"),
                  HasSubstr("e.f"), HasSubstr("PM_ERR_TEXT")));
}

TEST(Pminfo, ANameWithoutPointEndsHelpWhereNoTextGoesOnSo) {  // OUT-304, OUT-309
  EXPECT_THAT(
      Parsed(Tool::kPminfo,
             "\na.b\nHelp:\nTwo lines\n\nx of it\n\nx One-line Help: Error: One-line or "
             "help text is not available\nHelp:\nof x\n\ny PMID: 29.0.1\nHelp:\nof y\n"),
      ElementsAre(HasSubstr(R"("metric": "a.b")"), HasSubstr(R"("text": "Two lines\n\nx of it")"),
                  HasSubstr(R"({"kind": "metric", "metric": "x", "line": 8})"),
                  AllOf(HasSubstr(R"("metric": "x")"), HasSubstr("PM_ERR_TEXT")),
                  AllOf(HasSubstr(R"("metric": "x")"), HasSubstr(R"("text": "of x")")),
                  HasSubstr(R"("metric": "y")"),
                  AllOf(HasSubstr(R"("metric": "y")"), HasSubstr(R"("text": "of y")"))));
}

TEST(Pminfo, HelpOfInstanceDomains) {  // OUT-314
  EXPECT_THAT(
      Parsed(
          Tool::kPminfo,
          "\nInDom: 29.1 0x7400001 [what it is]\nHelp:\nLong\n\nhelp\n"
          "\nInDom: 29.2 0x7400002 One-line Help: Error: One-line or help text is not available\n"
          "Full Help: Error: One-line or help text is not available\n\na.b [x]\nHelp:\nof b\n"),
      ElementsAre(HasSubstr(R"({"kind": "indom", "indom": "29.1", "line": 2})"),
                  HasSubstr(R"("indom": "29.1", "form": "oneline", "text": "what it is")"),
                  HasSubstr(R"("indom": "29.1", "form": "full", "text": "Long\n\nhelp")"),
                  HasSubstr(R"({"kind": "indom", "indom": "29.2", "line": 8})"),
                  AllOf(HasSubstr(R"("indom": "29.2", "form": "oneline")"),
                        HasSubstr(R"("error": "PM_ERR_TEXT")")),
                  AllOf(HasSubstr(R"("indom": "29.2", "form": "full")"),
                        HasSubstr(R"("error": "PM_ERR_TEXT")")),
                  HasSubstr(R"("metric": "a.b", "line")"),
                  HasSubstr(R"("metric": "a.b", "form": "oneline", "text": "x")"),
                  HasSubstr(R"("metric": "a.b", "form": "full", "text": "of b")")));
}

TEST(Pminfo, ValuesOfAllForms) {  // OUT-310
  EXPECT_THAT(
      Values(Tool::kPminfo,
             "\na.b\n    inst [0 or \"x\"] value -1\n    inst [5 or ???] value 2\n    inst [6] "
             "value 3\n"
             "\nc.d\nNo value(s) available!\n\ne.f\n    value 16909060 2.3878e-38 0x1020304\n"
             "\ng.h\n    value [0001ff]\n\ni.j\n    value \"abc\" [616263]\n"),
      ElementsAre(
          HasSubstr(
              R"([{"instance": 0, "name": "x", "value": "-1"}, {"instance": 5, "value": "2"}, {"instance": 6, "value": "3"}])"),
          AllOf(HasSubstr("c.d"), HasSubstr(R"("values": [])")),
          HasSubstr(R"("type": "aggregate", "value": "base64:AQIDBA==")"),
          HasSubstr(R"("value": "base64:AAH/")"), HasSubstr(R"("value": "base64:YWJj")")));
}

TEST(Pminfo, Events) {  // OUT-311
  EXPECT_THAT(
      Parsed(Tool::kPminfo,
             "\nm.e\n    inst [0 or \"x\"] value [2 event records (3 missed) timestamps "
             "22:13:20.500...22:13:21.000]\n"
             "    --- event record [0] timestamp 22:13:20.500 flags 0x1a (start,id,parent) ---\n"
             "    m.p (60.0.7)\n        value 4\n"
             "    --- event record [1] timestamp 22:13:21.000 flags 0x80000000 (missed) ---\n"
             "        ==> 3 missed event records\n"),
      ElementsAre(HasSubstr("m.e"),
                  HasSubstr(R"("instance": 0, "name": "x", "records": 2, "missed": 3)"),
                  HasSubstr(R"("parameters": [{"metric": "m.p", "pmid": "60.0.7", "value": "4"}])"),
                  HasSubstr(R"("missed": 3, "parameters": [])")));
}

TEST(Pminfo, EventsWithoutFlagsAndParameters) {  // OUT-311
  EXPECT_THAT(
      Parsed(Tool::kPminfo,
             "\nm.e\n    value [2 event records timestamps 22:13:20.500...22:13:21.000]\n"
             "    --- event record [0] timestamp 22:13:20.500 ---\n\tNo parameters\n"
             "    --- event record [1] timestamp 22:13:21.000 flags 0x4 (end) ---\n"
             "    m.p (60.0.7)\n        value \"\" []\n"),
      ElementsAre(HasSubstr("m.e"), HasSubstr(R"("records": 2)"),
                  HasSubstr(R"("index": 0, "at": "22:13:20.500", "flags": 0, "parameters": [])"),
                  HasSubstr(R"("type": "aggregate", "value": "base64:")")));
}

TEST(Pminfo, Problems) {  // OUT-312, OUT-313
  EXPECT_THAT(Values(Tool::kPminfo,
                     "a.b: No value(s) available\nError: no.such: Unknown metric name\n"
                     "c.d: pmLookupDesc: Unknown or illegal metric identifier\n"),
              ElementsAre(HasSubstr(R"("status": 0, "values": [])"),
                          HasSubstr(R"("metric": "no.such", "status": -12357)"),
                          HasSubstr(R"("status": -12358)")));
}

}  // namespace
}  // namespace pmproof::validator::tool_output

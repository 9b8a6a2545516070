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

constexpr char kStamp[] = "Tue Nov 14 22:13:20.500000000 2023";

TEST(Pmdumplog, Label) {  // OUT-401, OUT-402
  EXPECT_THAT(
      Parsed(Tool::kPmdumplog,
             "Log Label (Log Format Version 3)\nPerformance metrics from host h\n"
             "    commencing Tue Nov 14 22:13:20.500000000 2023 1700000000\n"
             "    ending     UNKNOWN\nArchive timezone: UTC\nArchive zoneinfo: :x\n"
             "Archive features: 0x1 [unknown: 0]\nPID for pmlogger: 7\n"),
      ElementsAre(AllOf(HasSubstr(R"("format": 3, "host": "h", "start": "1700000000.500000000")"),
                        HasSubstr(R"("finish": null, "timezone": "UTC", "zoneinfo": ":x")"),
                        HasSubstr(R"("features": "0x1 [unknown: 0]", "pid": 7)"))));
}

TEST(Pmdumplog, Descriptors) {  // OUT-403
  EXPECT_THAT(
      Parsed(Tool::kPmdumplog,
             "\nDescriptions for Metrics in the Log ...\nPMID: 1.0.1 (a.b or c.d)\n"
             "    Data Type: float  InDom: PM_INDOM_NULL 0xffffffff\n"
             "    Semantics: instant  Units: none\n"),
      ElementsAre(AllOf(HasSubstr(R"("metric": "a.b", "names": ["a.b", "c.d"], "pmid": "1.0.1")"),
                        HasSubstr(R"("type": "float", "indom": null)"))));
}

TEST(Pmdumplog, Labels) {  // OUT-404
  EXPECT_THAT(
      Parsed(Tool::kPmdumplog, std::string("\nMetric Labels in the Log ...\n") + kStamp +
                                   "\n    Context labels (9 bytes): {\"a\":\"b\"}\n"
                                   "        [0] name(2,1) : value(5,3) [context,compound]\n"
                                   "    InDom 29.1[2] labels (0 bytes): \n"),
      ElementsAre(
          AllOf(HasSubstr("1700000000.5"),
                HasSubstr(R"("level": "context", "json": "{\"a\":\"b\"}")")),
          HasSubstr(
              R"("index": 0, "name_offset": 2, "name_length": 1, "value_offset": 5, "value_length": 3, "flags": "context,compound")"),
          HasSubstr(R"("level": "instance", "of": "29.1", "instance": 2, "json": "")")));
}

TEST(Pmdumplog, HelpTexts) {  // OUT-405
  EXPECT_THAT(Parsed(Tool::kPmdumplog,
                     "\nMetric Help Text in the Log ...\nPMID: 1.0.1 [one [1]]\nPMID: 1.0.1\n"
                     "First.\n\nSecond.\nInDom: 1.2 [x]\n"),
              ElementsAre(HasSubstr(R"("pmid": "1.0.1", "form": "oneline", "text": "one [1]")"),
                          HasSubstr(R"("form": "full", "text": "First.\n\nSecond.")"),
                          HasSubstr(R"("indom": "1.2")")));
}

TEST(Pmdumplog, InstanceDomains) {  // OUT-406, OUT-407
  EXPECT_THAT(
      Parsed(Tool::kPmdumplog,
             std::string("\nInstance Domains on-disk ...\n") + kStamp +
                 " InDom: 1.2 delta 2 instances\n   add 3 or \"a or \"b\"\"\n   del 4\n"
                 "\nInstance Domains in the Log ...\nInDom: 1.2\n" +
                 kStamp + " 1 instances\n   3 or \"c\"\n"),
      ElementsAre(
          AllOf(
              HasSubstr(R"("on_disk": true, "delta": true)"),
              HasSubstr(
                  R"([{"instance": 3, "name": "a or \"b\""}, {"instance": 4, "removed": true}])")),
          HasSubstr(R"("indom": "1.2", "instances": [{"instance": 3, "name": "c"}])")));
}

TEST(Pmdumplog, Index) {  // OUT-408
  EXPECT_THAT(Parsed(Tool::kPmdumplog,
                     std::string("\nTemporal Index\n\t\tLog Vol    end(meta)     end(log)\n") +
                         kStamp + "\t      0          132        13200\n"),
              ElementsAre(HasSubstr(R"("volume": 0, "meta": 132, "data": 13200)")));
}

TEST(Pmdumplog, RecordsAndMarks) {  // OUT-409, OUT-421, OUT-422, OUT-424
  EXPECT_THAT(
      Parsed(Tool::kPmdumplog,
             "\n[44 bytes]\nTue Nov 14 22:13:20.500000 2023 (0.500000) 1700000000 4 metrics\n"
             "    1.0.1 (a.b or a.c): value 5\n    1.0.2 (c.d):\n        inst [0 or \"x \"y\"\"] "
             "value 1\n"
             "        inst [1 or ???] value \"t\"\n    1.0.3 (e.f): No values returned!\n"
             "    1.0.4 (): Missing metric value(s)\n"
             "\nTue Nov 14 22:13:21.000000 2023 (1.000000) 1700000001  <mark>\n"),
      ElementsAre(
          HasSubstr(
              R"({"kind": "record", "time": "1700000000.500000000", "digits": 6, "metrics": 4, "bytes": 44)"),
          HasSubstr(
              R"("names": ["a.b", "a.c"], "status": 0, "pmid": "1.0.1", "values": [{"instance": null, "value": "5"}])"),
          HasSubstr(
              R"([{"instance": 0, "name": "x \"y\"", "value": "1"}, {"instance": 1, "type": "string", "value": "t"}])"),
          AllOf(HasSubstr("e.f"), HasSubstr(R"("values": [])")),
          AllOf(HasSubstr(R"("metric": "1.0.4")"), HasSubstr(R"("status": -12351)")),
          HasSubstr(R"({"kind": "mark", "time": "1700000001.000000000")")));
}

TEST(Pmdumplog, InReverse) {  // OUT-410
  EXPECT_THAT(Values(Tool::kPmdumplog,
                     "\nLog finished at Wed Nov 15 00:00:05 2023 - dump in reverse order\n"
                     "\n00:00:01.000000 1 metric\n    1.0.1 (a.b): value 2\n"
                     "\n23:59:59.000000 1 metric\n    1.0.1 (a.b): value 1\n"),
              ElementsAre(HasSubstr("1700006401.0"), HasSubstr("1700006399.0")));
}

TEST(Pmdumplog, Bytes) {  // OUT-411
  EXPECT_THAT(Parsed(Tool::kPmdumplog,
                     "Raw dump of physical archive file \"/a.0\" ...\n"
                     "Dump ... record len: 8 @ offset: 132\n 50052602 00000d97\n"),
              ElementsAre(HasSubstr("\"note\""),
                          HasSubstr(R"("offset": 132, "length": 8, "hex": "5005260200000d97")")));
}

TEST(Pmdumplog, EventsWithoutFlagsAndParameters) {  // OUT-423
  EXPECT_THAT(
      Parsed(Tool::kPmdumplog,
             "\n22:13:20.000000 1 metric\n    1.0.1 (m.e): 2 event records\n"
             "        --- event record [0] timestamp 22:13:20.000000 ---\n"
             "\t          No parameters\n"
             "        --- event record [1] timestamp 22:13:20.500000 flags 0x1 (point) ---\n",
             At("@1700000000")),
      ElementsAre(HasSubstr(R"("kind": "record")"), HasSubstr(R"("kind": "events")"),
                  HasSubstr(R"("index": 0, "at": "22:13:20.000000", "flags": 0, "parameters": [])"),
                  HasSubstr(R"("index": 1, "at": "22:13:20.500000", "flags": 1)")));
}

TEST(Pmdumplog, Events) {  // OUT-423
  EXPECT_THAT(
      Parsed(
          Tool::kPmdumplog,
          std::string("\n") + kStamp +
              " 2 metrics\n    1.0.1 (m.e[0 or \"x\"]): 2 (and 7 missed) event records\n"
              "        --- event record [0] timestamp 22:13:20.000000 flags 0x1 (point) ---\n"
              "        1.0.7 (m.p): value \"a\"\n        1.0.8: pmLookupDesc: Unknown metric name\n"
              "    1.0.2 (m.f): No event records\n"),
      ElementsAre(
          HasSubstr("\"record\""), HasSubstr(R"("name": "x", "records": 2, "missed": 7)"),
          HasSubstr(R"({"metric": "m.p", "pmid": "1.0.7", "type": "string", "value": "a"})"),
          HasSubstr(R"("metric": "m.f", "pmid": "1.0.2", "instance": null, "records": 0)")));
}

TEST(Pmdumplog, SeveralArchives) {  // OUT-427
  EXPECT_THAT(
      Parsed(Tool::kPmdumplog, "Note: multi-archive context with 2 archives\n--- archive /a ---\n"),
      ElementsAre(HasSubstr("\"note\""), HasSubstr("\"note\"")));
}

}  // namespace
}  // namespace pmproof::validator::tool_output

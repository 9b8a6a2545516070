// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validator/tool_output/parsed_lines.h"

namespace pmproof::validator::tool_output {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Pmlogsize, FilesAndTheirSections) {  // OUT-1201, OUT-1202
  EXPECT_THAT(
      Parsed(Tool::kPmlogsize,
             "/a b:c/foo.0.xz: [compression reduces size below by about 97%]\n"
             "  data: 1116 bytes [63%, 24 records (+ 1 <mark> records)]\n"
             "  overhead: 652 bytes [37%]\n"
             "foo.index:\n"
             "  index: 20 bytes [13%, 1 entries]\n"
             "foo.meta:\n"
             "  metrics: 250 bytes [54%, 5 records]\n"
             "  indoms: 34 bytes [7%, 1 records, 1 instances]\n"
             "  labels: 10 bytes [2%, 1 records]\n"
             "  texts: 0 bytes [0%, 0 records]\n"),
      ElementsAre(
          R"({"kind": "file", "file": "foo.0.xz", "reduced": 97, "line": 1})",
          R"({"kind": "size", "file": "foo.0.xz", "of": "data", "bytes": 1116, "percent": 63, )"
          R"("records": 24, "marks": 1, "line": 2})",
          R"({"kind": "size", "file": "foo.0.xz", "of": "overhead", "bytes": 652, )"
          R"("percent": 37, "line": 3})",
          R"({"kind": "file", "file": "foo.index", "line": 4})",
          HasSubstr(R"("of": "index", "bytes": 20, "percent": 13, "entries": 1)"),
          HasSubstr(R"("foo.meta")"), HasSubstr(R"("of": "metrics")"),
          HasSubstr(R"("percent": 7, "records": 1, "instances": 1)"),
          HasSubstr(R"("of": "labels")"), HasSubstr(R"("of": "texts")")));
}

TEST(Pmlogsize, MetricsAndInstanceDomains) {  // OUT-1203
  EXPECT_THAT(
      Parsed(Tool::kPmlogsize,
             "foo.0:\n  data: 1116 bytes [63%, 24 records]\n"
             "    2.0.2: 460 bytes [26%, 23 records, 1 value (8 bytes for 1 dup)] (a.b, c.d)\n"
             "    2.0.3: 20 bytes [1%, 1 record, 2 values (16 bytes for 2 dups)] (2.0.3)\n"
             "    ...\n"
             "foo.meta:\n  metrics: 1 bytes [54%, 5 records]\n  indoms: 34 bytes [7%, 1 records]\n"
             "    2.1: 34 bytes [7%, 1 record, 1 instance]\n"),
      ElementsAre(HasSubstr("foo.0"), HasSubstr(R"("of": "data")"),
                  AllOf(HasSubstr(R"("metric": "a.b", "names": ["a.b", "c.d"])"),
                        HasSubstr(R"("pmid": "2.0.2", "bytes": 460, "percent": 26, "records": 23, )"
                                  R"("values": 1, "repeated": 1, "repeated_bytes": 8, "line": 3)")),
                  AllOf(HasSubstr(R"("pmid": "2.0.3")"), HasSubstr(R"("cut": true)"),
                        Not(HasSubstr("\"metric\""))),
                  HasSubstr("foo.meta"), HasSubstr(R"("of": "metrics")"),
                  HasSubstr(R"("of": "indoms")"),
                  HasSubstr(R"("of": "indoms", "indom": "2.1", "bytes": 34, "percent": 7, )"
                            R"("records": 1, "instances": 1)")));
}

TEST(Pmlogsize, EachRecordWithV) {  // OUT-1204
  EXPECT_THAT(
      Parsed(Tool::kPmlogsize,
             "foo.0:\nPMID: 2.3.3 (a.b) bytes=44\nPMID: 2.3.3 bytes=20\nfoo.meta:\n"
             "PMID: 2.3.3 a.b c.d\nINDOM_V2: 2.1 1 instance 4688 \"one\"\n"
             "INDOM: 2.2 2 instances 0 \"a\nb\" ... 1 \"c\"\n"
             "LABEL: TODO ... nothing reported as yet\n"),
      ElementsAre(
          HasSubstr("foo.0"),
          AllOf(HasSubstr(R"("metric": "a.b")"), HasSubstr(R"("of": "value set", "bytes": 44)")),
          AllOf(HasSubstr(R"("metric": "a.b")"), HasSubstr(R"("bytes": 20)")),
          HasSubstr("foo.meta"),
          HasSubstr(R"({"kind": "metric", "metric": "a.b", "names": ["a.b", "c.d"])"),
          HasSubstr(R"("indom": "2.1", "form": "INDOM_V2", "count": 1, )"
                    R"("text": "4688 \"one\"")"),
          HasSubstr(R"("count": 2, "text": "0 \"a\nb\" ... 1 \"c\"", "line": 7)"),
          HasSubstr(R"("kind": "note")")));
}

// OUT-1206: a tool that died leaves a line that is no line.
TEST(Pmlogsize, WhatFitsNoRuleIsTold) {
  for (const char* line :
       {"    ", "  data: 1116 bytes [63%, 24 records", "  sizes: 1 bytes [1%]",
        "  data: -1 bytes [63%, 24 records]", "    2.0: 1 bytes [1%, 1 record, 1 value] (a)",
        "    2.0.1: 1 bytes [1%, 1 records, 1 value] (a)", "words"}) {
    const std::string printed =
        std::string("foo.0:\n  data: 8 bytes [1%, 1 records]\n") + line + "\n";
    EXPECT_THAT(Parsed(Tool::kPmlogsize, printed),
                ElementsAre(HasSubstr("file"), HasSubstr("size"), HasSubstr("OUT-1201")))
        << line;
  }
  EXPECT_THAT(Parsed(Tool::kPmlogsize, "  data: 8 bytes [1%, 1 records]\n"),
              ElementsAre(HasSubstr("unparsed")));
}

}  // namespace
}  // namespace pmproof::validator::tool_output

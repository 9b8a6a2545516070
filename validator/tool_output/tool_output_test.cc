#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "validator/tool_output/parser.h"
#include "validator/tool_output/record_json.h"

// What each line of the specification's chapter reads as. Recordings of real tools are read by
// //validator/compare:cli_compare_test.

namespace pmproof::validator::tool_output {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

using Lines = std::vector<std::string>;

Lines Parsed(Tool tool, std::string_view text, const ParseOptions& options = {}) {
  Lines lines;
  const auto refused = ParseOutput(tool, text, options,
                                   [&](Record&& record) { lines.push_back(RecordJson(record)); });
  if (refused) lines.push_back("refused: " + refused->ToText());
  return lines;
}

ParseOptions At(std::string_view time) {
  ParseOptions options;
  options.start = ParseTime(time);
  return options;
}

// The value records alone.
Lines Values(Tool tool, std::string_view text, const ParseOptions& options = {}) {
  Lines lines = Parsed(tool, text, options);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("{\"kind\""); });
  return lines;
}

constexpr char kHeader[] =
    "\nmetric:    m.x\narchive:   /a\nhost:      h\n"
    "start:     Tue Nov 14 22:13:20 2023\nend:       Tue Nov 14 22:14:20 2023\n"
    "semantics: instantaneous value\nunits:     none\nsamples:   7\ninterval:  10.00 sec\n";

std::string Pmval(std::string_view body) { return kHeader + std::string(body); }

// Value and how exact it is, of a singular metric's line.
std::string PmvalValue(std::string_view field) {
  const Lines lines = Values(Tool::kPmval, Pmval("22:13:20.000" + std::string(field) + "\n"));
  if (lines.size() != 1) return "?";
  const std::size_t begin = lines[0].find("\"value\": ");
  return lines[0].substr(begin, lines[0].find("}]") - begin);
}

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
  const Lines lines = Values(Tool::kPmdumplog,
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
  const Lines full = Values(Tool::kPmval, Pmval("\n                    a         b \n"
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

TEST(Pminfo, Problems) {  // OUT-312, OUT-313
  EXPECT_THAT(Values(Tool::kPminfo,
                     "a.b: No value(s) available\nError: no.such: Unknown metric name\n"
                     "c.d: pmLookupDesc: Unknown or illegal metric identifier\n"),
              ElementsAre(HasSubstr(R"("status": 0, "values": [])"),
                          HasSubstr(R"("metric": "no.such", "status": -12357)"),
                          HasSubstr(R"("status": -12358)")));
}

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

ParseOptions Columns(std::vector<std::string> columns) {
  ParseOptions options = At("@1700000000");
  options.columns = std::move(columns);
  return options;
}

TEST(Pmlogsummary, InstancesAndSingularMetrics) {  // OUT-501
  EXPECT_THAT(
      Parsed(Tool::kPmlogsummary,
             "m.c  1.000 count / sec\n*m.a [\"x \"] 3\"] 2.5 none\nm.d [7] 4.000 \n"),
      ElementsAre(
          HasSubstr(
              R"("instance": null, "time_average": "1.000", "within": "0.0005", "units": "count / sec")"),
          HasSubstr(
              R"("metric": "m.a", "partial": true, "name": "x \"] 3", "time_average": "2.5")"),
          HasSubstr(R"("instance": 7)")));
  EXPECT_THAT(Parsed(Tool::kPmlogsummary,
                     "m.c,,1.000,count / sec\nm.a,[\"x\"],2.000,byte\nm.t\t\t3.000\tnone\n"),
              SizeIs(3));
}

TEST(Pmlogsummary, AllColumns) {  // OUT-502, OUT-503
  EXPECT_THAT(
      Parsed(Tool::kPmlogsummary,
             "metric minimum minimum_time maximum_time count bins units\n"
             "m.c  -1.000 22:13:20.250 'Wed Nov 15 22:13:20.250 2023' 12 [<=2.500] 4 [] 0 byte\n",
             At("@1700000000")),
      ElementsAre(AllOf(
          HasSubstr(R"("minimum": "-1.000", "within": "0.0005", "minimum_time": "1700000000.250")"),
          HasSubstr(R"("maximum_time": "1700086400.250", "count": "12")"),
          HasSubstr(R"("bins": [{"name": "2.500", "value": "4"}, {"name": "", "value": "0"}])"))));
  EXPECT_THAT(Parsed(Tool::kPmlogsummary, "m.c  1 2 byte\n", Columns({"count", "sum"})),
              ElementsAre(HasSubstr(R"("count": "1", "sum": "2")")));
  EXPECT_THAT(Parsed(Tool::kPmlogsummary, "m.c  1 2 byte\n"), ElementsAre(HasSubstr("unparsed")));
}

TEST(Pmlogsummary, TooFewData) {  // OUT-504
  EXPECT_THAT(
      Parsed(Tool::kPmlogsummary,
             "m.c - insufficient archive data.\nm.a [\"x\"] - insufficient archive data.\n"),
      ElementsAre(HasSubstr("\"insufficient\": true"), HasSubstr("\"insufficient\": true")));
}

TEST(Pmlogsummary, Label) {  // OUT-505
  EXPECT_THAT(Parsed(Tool::kPmlogsummary,
                     "Log Label (Log Format Version 2)\nPerformance metrics from host h\n"
                     "  commencing Tue Nov 14 22:13:20.500 2023\n"
                     "  ending     Tue Nov 14 22:13:21.000 2023\n"),
              ElementsAre(HasSubstr(R"("start": "1700000000.500", "finish": "1700000001.000")")));
}

TEST(Pmprobe, CountsAndErrors) {  // OUT-601
  EXPECT_THAT(Parsed(Tool::kPmprobe,
                     "a.b 3\nc.d 0\nno.such -12357 Unknown metric name\n"
                     "e.f -12370 End of PCP archive (pmFetch)\n"),
              ElementsAre(HasSubstr(R"({"kind": "count", "metric": "a.b", "values": 3)"),
                          HasSubstr(R"("metric": "c.d", "status": 0, "values": [])"),
                          HasSubstr(R"("status": -12357, "error": "PM_ERR_NAME")"),
                          HasSubstr(R"("message": "End of PCP archive", "call": "pmFetch")")));
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

TEST(Pmlogcheck, Findings) {  // OUT-812..819, OUT-822
  const Lines lines = Parsed(
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

// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/compare/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "validator/tool_output/compare/same_value.h"
#include "validator/tool_output/record_json.h"

namespace pmproof::validator::compare {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using tool_output::Item;
using tool_output::ParseOptions;
using tool_output::Record;
using tool_output::Tool;

std::vector<Record> Parsed(Tool tool, std::string_view text) {
  std::vector<Record> records;
  ParseOptions options;
  options.start = ParseTime("@1700000000");
  ParseOutput(tool, text, options, [&](Record&& record) { records.push_back(std::move(record)); });
  return records;
}

Outcome Compared(Tool tool, const std::vector<Record>& actual, std::vector<Record> expected,
                 const Options& options = {}) {
  Comparison comparison(tool, options, std::move(expected));
  for (const Record& record : actual) comparison.Take(record);
  return comparison.Finish();
}

std::vector<Record> Expected(const std::vector<std::string>& lines) {
  std::vector<Record> records;
  for (const std::string& line : lines) {
    auto record = tool_output::ReadRecordJson(line);
    EXPECT_TRUE(record) << record.error();
    if (record && *record) records.push_back(**record);
  }
  return records;
}

// "what metric instance time actual|expected" of each difference.
std::vector<std::string> DifferencesIn(const Outcome& outcome) {
  std::vector<std::string> texts;
  for (const Difference& d : outcome.differences) {
    texts.push_back(d.what + " " + d.metric + " " + d.instance + " " + d.time + " " + d.actual +
                    "|" + d.expected);
  }
  return texts;
}

constexpr char kRead[] =
    R"({"time": "1700000000.500000000", "metric": "a.b", "status": 0, "values": [{"instance": 0, "name": "x", "type": "u64", "value": "123"}, {"instance": 7, "name": "y z", "type": "u64", "value": "5"}]})";
constexpr char kDump[] =
    "\n22:13:20.500000 1 metric\n    1.0.1 (a.b):\n        inst [7 or \"y z\"] value 5\n        "
    "inst [0 or "
    "\"x\"] value 123\n";

TEST(Values, AreTheSameInAnyOrder) {
  const Outcome outcome =
      Compared(Tool::kPmdumplog, Parsed(Tool::kPmdumplog, kDump), Expected({kRead}));
  EXPECT_THAT(DifferencesIn(outcome), IsEmpty());
  EXPECT_EQ(outcome.values, 2U);
  EXPECT_EQ(outcome.metrics, 1U);
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Values, DifferAtTheirInstanceAndTime) {
  EXPECT_THAT(
      DifferencesIn(Compared(Tool::kPmdumplog,
                             Parsed(Tool::kPmdumplog, Replaced(kDump, "value 123", "value 124")),
                             Expected({kRead}))),
      ElementsAre("value a.b x 1700000000.500000000 124|123"));
  EXPECT_THAT(
      DifferencesIn(Compared(
          Tool::kPmdumplog,
          Parsed(Tool::kPmdumplog, Replaced(kDump, "        inst [7 or \"y z\"] value 5\n", "")),
          Expected({kRead}))),
      ElementsAre("missing value a.b y z 1700000000.500000000 |5"));
  EXPECT_THAT(DifferencesIn(Compared(Tool::kPmdumplog,
                                     Parsed(Tool::kPmdumplog, Replaced(kDump, "[7 or", "[8 or")),
                                     Expected({kRead}))),
              ElementsAre("extra value a.b y z 1700000000.500000000 5|",
                          "missing value a.b y z 1700000000.500000000 |5"));
  EXPECT_THAT(DifferencesIn(Compared(Tool::kPmdumplog,
                                     Parsed(Tool::kPmdumplog, Replaced(kDump, "\"x\"", "\"w\"")),
                                     Expected({kRead}))),
              ElementsAre("name a.b x 1700000000.500000000 w|x"));
  EXPECT_THAT(
      DifferencesIn(Compared(Tool::kPmdumplog,
                             Parsed(Tool::kPmdumplog, Replaced(kDump, "20.500000", "20.500001")),
                             Expected({kRead}))),
      ElementsAre("extra time a.b  1700000000.500001000 2 values|",
                  "missing time a.b  1700000000.500000000 |2 values"));
}

TEST(Values, TimesAreComparedAsPrecisely) {  // OUT-103
  const auto expected = Expected(
      {R"({"time": "1700000000.500999999", "metric": "a.b", "status": 0, "values": [{"instance": null, "type": "u32", "value": "1"}]})"});
  const std::string header =
      "\nmetric:    a.b\narchive:   /a\nhost:      h\nstart:     Tue Nov 14 22:13:20 2023\n";
  EXPECT_THAT(
      DifferencesIn(Compared(Tool::kPmval,
                             Parsed(Tool::kPmval, header + "22:13:20.500          1\n"), expected)),
      IsEmpty());
  EXPECT_THAT(
      DifferencesIn(Compared(Tool::kPmval,
                             Parsed(Tool::kPmval, header + "22:13:20.501          1\n"), expected)),
      SizeIs(2));
}

TEST(Values, ErrorsAndAbsenceAreTwoThings) {
  const auto actual = Parsed(Tool::kPmdumplog,
                             "\n22:13:20.500000 2 metrics\n    1.0.1 (a.b): Missing metric "
                             "value(s)\n    1.0.2 (c.d): No values returned!\n");
  const char* const failed =
      R"({"time": "1700000000.500000000", "metric": "a.b", "status": -12351, "error": "PM_ERR_VALUE", "values": []})";
  const char* const empty =
      R"({"time": "1700000000.500000000", "metric": "c.d", "status": 0, "values": []})";
  EXPECT_THAT(DifferencesIn(Compared(Tool::kPmdumplog, actual, Expected({failed, empty}))),
              IsEmpty());
  EXPECT_THAT(DifferencesIn(Compared(Tool::kPmdumplog, actual,
                                     Expected({Replaced(failed, "-12351", "-12357"), empty}))),
              ElementsAre("error a.b  1700000000.500000000 PM_ERR_VALUE|PM_ERR_NAME"));
  EXPECT_THAT(DifferencesIn(
                  Compared(Tool::kPmdumplog, actual,
                           Expected({failed, Replaced(empty, "0, \"values", "-12351, \"values")}))),
              ElementsAre("error c.d  1700000000.500000000 no values|PM_ERR_VALUE"));
}

TEST(Values, ThatBothSidesLackAgree) {
  const auto expected =
      Expected({R"({"time": "1700000000.000000000", "metric": "a.b", "status": 0, "values": []})"});
  const Outcome agreed =
      Compared(Tool::kPmval,
               Parsed(Tool::kPmval,
                      "\nmetric:    a.b\narchive:   /a\nhost:      h\nstart:     Tue "
                      "Nov 14 22:13:20 2023\n22:13:20.000  No values available\n"),
               expected);
  EXPECT_THAT(DifferencesIn(agreed), IsEmpty());
  EXPECT_EQ(agreed.absences, 1U);
  EXPECT_EQ(agreed.values, 0U);
}

TEST(Values, ThatNeitherSideHasAgreeWhereTheToolLeavesThemOut) {  // OUT-425, OUT-511
  const auto expected =
      Expected({R"({"time": "1700000000.000000000", "metric": "a.b", "status": 0, "values": []})"});
  for (const Tool tool : {Tool::kPmdumplog, Tool::kPmlogsummary}) {
    const Outcome agreed = Compared(tool, {}, expected);
    EXPECT_THAT(DifferencesIn(agreed), IsEmpty());
    EXPECT_EQ(agreed.absences, 1U);
  }
  // Another tool would have said so.
  EXPECT_EQ(Compared(Tool::kPmprobe, {}, expected).absences, 0U);
}

TEST(Values, WholeMetricsAreToldOnce) {
  EXPECT_THAT(
      DifferencesIn(Compared(Tool::kPmdumplog, Parsed(Tool::kPmdumplog, std::string(kDump) + kDump),
                             Expected({Replaced(kRead, "a.b", "c.d")}))),
      ElementsAre("extra metric a.b  1700000000.500000000 |", "missing metric c.d   |"));
  Options one;
  one.metrics = {"a.b"};
  EXPECT_THAT(DifferencesIn(Compared(Tool::kPmdumplog, Parsed(Tool::kPmdumplog, kDump),
                                     Expected({kRead, Replaced(kRead, "a.b", "c.d")}), one)),
              IsEmpty());
}

TEST(Values, ACounterIsComparedByItsRate) {  // OUT-216, OUT-217
  const auto expected = Expected(
      {R"({"time": "1700000000.000000000", "metric": "a.b", "status": 0, "values": [{"instance": null, "type": "u64", "value": "0"}]})",
       R"({"time": "1700000010.000000000", "metric": "a.b", "status": 0, "values": [{"instance": null, "type": "u64", "value": "5000000000"}]})",
       R"({"time": "1700000020.000000000", "metric": "a.b", "status": 0, "values": []})",
       R"({"time": "1700000030.000000000", "metric": "a.b", "status": 0, "values": [{"instance": null, "type": "u64", "value": "1"}]})",
       R"({"time": "1700000040.000000000", "metric": "a.b", "status": 0, "values": [{"instance": null, "type": "u64", "value": "0"}]})"});
  const std::string text =
      "\nmetric:    a.b\narchive:   /a\nhost:      h\nstart:     Tue Nov 14 22:13:20 2023\n"
      "semantics: cumulative counter (converting to rate)\nunits:     nanosec (converting to time "
      "utilization)\n"
      "22:13:30.000             0.5000\n22:13:40.000  No values available\n"
      "22:13:50.000  No values available\n22:14:00.000                  !\n";
  EXPECT_THAT(DifferencesIn(Compared(Tool::kPmval, Parsed(Tool::kPmval, text), expected)),
              IsEmpty());
  EXPECT_THAT(
      DifferencesIn(Compared(Tool::kPmval, Parsed(Tool::kPmval, Replaced(text, "0.5000", "0.5002")),
                             expected)),
      ElementsAre("value a.b  1700000010.000000000 0.5002|0.5"));
}

TEST(Values, OfAToolWithoutTimesAreTheFirstOnes) {  // OUT-321, OUT-604
  const auto expected = Expected(
      {R"({"time": "1700000000.000000000", "metric": "a.b", "status": 0, "values": []})",
       R"({"time": "1700000010.000000000", "metric": "a.b", "status": 0, "values": [{"instance": null, "type": "u32", "value": "1"}]})",
       R"({"time": "1700000020.000000000", "metric": "a.b", "status": 0, "values": [{"instance": null, "type": "u32", "value": "2"}]})",
       R"({"time": "1700000000.000000000", "metric": "c.d", "status": 0, "values": []})"});
  const auto compared = [&](const char* text) {
    return DifferencesIn(Compared(Tool::kPminfo, Parsed(Tool::kPminfo, text), expected));
  };
  EXPECT_THAT(compared("\na.b\n    value 1\nc.d: pmFetch: End of PCP archive\n"), IsEmpty());
  EXPECT_THAT(compared("\na.b\n    value 2\n"), ElementsAre("value a.b   2|1"));
  EXPECT_THAT(compared("a.b: pmFetch: End of PCP archive\n"),
              ElementsAre("error a.b   PM_ERR_EOL|values"));
}

TEST(Units, OfSomeVersionsLackAWord) {  // OUT-1009
  EXPECT_EQ(PlainUnits("count x 10^3"), PlainUnits("x 10^3"));
  EXPECT_NE(PlainUnits("count"), PlainUnits(""));
}

Item Number(const char* text, const char* type = "", const char* within = "") {
  Item item;
  item.value = text;
  item.type = type;
  item.within = within;
  return item;
}

TEST(Numbers, MayDifferByWhatWasRounded) {
  EXPECT_TRUE(SameValue(Number("0.30000001"), Number("0.3", "float"), Printing::kSignificant, 0));
  EXPECT_FALSE(SameValue(Number("0.3000001"), Number("0.3", "float"), Printing::kSignificant, 0));
  EXPECT_TRUE(
      SameValue(Number("0.3"), Number("0.30000000000000004", "double"), Printing::kSignificant, 0));
  EXPECT_FALSE(
      SameValue(Number("0.300000000000001"), Number("0.3", "double"), Printing::kSignificant, 0));
  EXPECT_TRUE(
      SameValue(Number("12.35", "", "0.005"), Number("12.346", "double"), Printing::kFixed, 0));
  EXPECT_FALSE(
      SameValue(Number("12.35", "", "0.005"), Number("12.356", "double"), Printing::kFixed, 0));
  EXPECT_TRUE(SameValue(Number("9.000e-02", "", "0.0005e-02"), Number("0.0900004", "double"),
                        Printing::kFixed, 0));
}

TEST(Numbers, OfIntegersEveryDigitCounts) {
  EXPECT_FALSE(SameValue(Number("18446744073709551615"), Number("18446744073709551614", "u64"),
                         Printing::kSignificant, 0));
  EXPECT_FALSE(
      SameValue(Number("1234567", "", "1"), Number("1234568", "u32"), Printing::kFixed, 0));
  EXPECT_TRUE(SameValue(Number("1000001"), Number("1000000", "u32"), Printing::kSignificant, 1e-5));
}

TEST(Numbers, ThatAreNone) {  // OUT-106
  EXPECT_TRUE(SameValue(Number("nan"), Number("nan", "double"), Printing::kFixed, 0));
  EXPECT_FALSE(SameValue(Number("inf"), Number("-inf", "double"), Printing::kFixed, 1));
  EXPECT_FALSE(SameValue(Number("nan"), Number("1", "double"), Printing::kFixed, 1));
}

TEST(Texts, OfCsvLackItsDelimiter) {  // OUT-731, OUT-732, OUT-734
  EXPECT_EQ(CsvText("a,b;\"c\"\n"), "a_b; c  ");
  EXPECT_EQ(CsvText("a,b;c", ";"), "a,b_c");
  EXPECT_EQ(CsvText("a||b|c", "||"), "a_b|c");
  EXPECT_EQ(CsvName("b[2], \"x\"", ";"), "b[2],  x ");
  Item csv = Number("te_t", "string");
  csv.altered = true;
  EXPECT_FALSE(SameValue(csv, Number("text", "string"), Printing::kFixed, 0));
  csv.delimiter = "x";
  EXPECT_TRUE(SameValue(csv, Number("text", "string"), Printing::kFixed, 0));
}

TEST(Texts, AreComparedAsTheyAre) {
  EXPECT_FALSE(SameValue(Number("1", "string"), Number("1.0", "string"), Printing::kFixed, 1));
  EXPECT_FALSE(SameValue(Number("1", "string"), Number("1", "u32"), Printing::kFixed, 0));
  Item csv = Number("a_ b c ", "string");
  csv.altered = true;
  EXPECT_TRUE(SameValue(csv, Number("a, b\nc\"", "string"), Printing::kFixed, 0));  // OUT-732
}

std::string Recording(const std::string& name) {
  std::ifstream file("validator/tool_output/testdata/7.2.2/" + name);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr std::array<std::pair<Tool, const char*>, 9> kRecordings = {
    {{Tool::kPmdumplog, "pmdumplog-all-v3.txt"},
     {Tool::kPmval, "pmval-float-v3.txt"},
     {Tool::kPmval, "pmval-rates-v3.txt"},
     {Tool::kPminfo, "pminfo-all-v2.txt"},
     {Tool::kPmprobe, "pmprobe-values-v3.txt"},
     {Tool::kPmrep, "pmrep-csv-raw-v3.txt"},
     {Tool::kPmrep, "pmrep-rows-v3.txt"},
     {Tool::kPmlogsummary, "pmlogsummary-v3.txt"},
     {Tool::kPmlogcheck, "pmlogcheck-v3.txt"}}};

// Of every value of every recording: changed, it is the one difference, and at its place.
TEST(Recordings, EachValueThatChangesIsOneDifference) {
  for (const auto& [tool, name] : kRecordings) {
    const std::vector<Record> records = Parsed(tool, Recording(name));
    ASSERT_THAT(DifferencesIn(Compared(tool, records, records)), IsEmpty()) << name;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (!records[i].kind.empty()) continue;
      for (std::size_t k = 0; k < records[i].items.size(); ++k) {
        std::vector<Record> changed = records;
        Item& item = changed[i].items[k];
        if (!item.value) continue;
        item.value = item.type == "string" ? *item.value + "!" : "4711.5";
        item.within.clear();
        const Outcome outcome = Compared(tool, changed, records);
        ASSERT_THAT(DifferencesIn(outcome), SizeIs(1)) << name << ", line " << records[i].line;
        const Difference& difference = outcome.differences[0];
        EXPECT_EQ(difference.what, "value");
        EXPECT_EQ(difference.metric, records[i].metric);
        EXPECT_EQ(difference.line, records[i].line);
        EXPECT_EQ(difference.expected.empty(), false);
        if (records[i].time) {
          EXPECT_EQ(difference.time, ToEpochText(*records[i].time));
        }
      }
    }
  }
}

// Of every other record: any member that changes, and the record that is missing.
TEST(Recordings, EachMemberThatChangesIsADifference) {
  for (const auto& [tool, name] : kRecordings) {
    const std::vector<Record> records = Parsed(tool, Recording(name));
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (records[i].kind == "note") continue;
      std::vector<Record> missing = records;
      missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(i));
      const bool empty =
          records[i].kind.empty() && records[i].items.empty() && records[i].status == 0;
      EXPECT_EQ(DifferencesIn(Compared(tool, missing, records)).empty(), empty)
          << name << ", line " << records[i].line;
      if (records[i].kind.empty()) continue;
      for (std::size_t k = 0; k < records[i].attributes.size(); ++k) {
        const std::string& attribute = records[i].attributes[k].name;
        if (attribute == "archive" || attribute == "of" || attribute == "difference" ||
            attribute == "within")
          continue;
        std::vector<Record> changed = records;
        changed[i].attributes[k].json = "\"4711.5\"";
        EXPECT_FALSE(DifferencesIn(Compared(tool, changed, records)).empty())
            << name << ", line " << records[i].line << ": " << attribute;
      }
    }
  }
}

TEST(Recordings, LinesThatFitNoRuleAreDifferences) {
  std::string text = Recording("pmval-float-v3.txt") + "what is this?\n";
  const auto actual = Parsed(Tool::kPmval, text);
  const Outcome outcome =
      Compared(Tool::kPmval, actual, Parsed(Tool::kPmval, Recording("pmval-float-v3.txt")));
  ASSERT_THAT(outcome.differences, SizeIs(1));
  EXPECT_EQ(outcome.differences[0].what, "unparsed");
  EXPECT_EQ(outcome.differences[0].clause, "OUT-213");
  EXPECT_EQ(outcome.unparsed, 1U);
}

}  // namespace
}  // namespace pmproof::validator::compare

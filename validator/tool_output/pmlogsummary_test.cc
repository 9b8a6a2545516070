// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "validator/tool_output/parsed_lines.h"

namespace pmproof::validator::tool_output {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

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
  EXPECT_THAT(Parsed(Tool::kPmlogsummary, "m.c  1 2 byte\n"), ElementsAre(HasSubstr("--columns")));
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

TEST(Pmlogsummary, ColumnsWithoutNamesAreRefused) {  // OUT-502, OUT-503
  for (const char* line : {"a.b  1.000 2.000 0.000 3.000 9 none\n",
                           "*a.b [\"x y\"] 1.000 2.000 0.000 3.000 9 count / sec\n",
                           "a.b,,1.000,22:13:20.000,none\n"}) {
    EXPECT_THAT(Parsed(Tool::kPmlogsummary, line),
                ElementsAre(AllOf(HasSubstr("refused: line 1: "), HasSubstr("--columns"),
                                  HasSubstr("-H"), HasSubstr("[OUT-502]"))));
  }
  ParseOptions all;
  all.columns = {"stochastic_average", "time_average", "minimum", "maximum", "count"};
  EXPECT_THAT(Parsed(Tool::kPmlogsummary, "a.b  1.000 2.000 0.000 3.000 9 none\n", all),
              ElementsAre(AllOf(HasSubstr(R"("count": "9")"), HasSubstr(R"("maximum": "3.000")"))));
}

}  // namespace
}  // namespace pmproof::validator::tool_output

#include "validator/cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "validator/check/report/testing/sample_report.h"

namespace pmproof::validator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class CommandLineTest : public ::testing::Test {
 protected:
  CheckArguments Check(const std::vector<std::string>& arguments) const {
    const auto parsed = Parse(arguments);
    if (!parsed) {
      ADD_FAILURE() << parsed.error().text;
      return {};
    }
    return std::get<CheckArguments>(parsed->command);
  }

  // The message of a command line that is refused with status 2.
  std::string Refusal(const std::vector<std::string>& arguments) const {
    const auto parsed = Parse(arguments);
    if (parsed) return "taken";
    EXPECT_EQ(parsed.error().status, ExitStatus::kUsage);
    return parsed.error().text;
  }

  tl::expected<CommandLine, NothingToRun> Parse(const std::vector<std::string>& arguments) const {
    return ParseCommandLine(arguments, catalogue_);
  }

  const Catalogue catalogue_ = testing::SmallCatalogue();
};

TEST_F(CommandLineTest, DefaultsOfCheck) {
  const CheckArguments check = Check({"check", "a", "b"});
  EXPECT_THAT(check.archives, ElementsAre("a", "b"));
  ASSERT_THAT(check.outputs, SizeIs(1));
  EXPECT_EQ(check.outputs[0].format, Format::kText);
  EXPECT_EQ(check.outputs[0].path, std::nullopt);
  EXPECT_EQ(check.fail_on, Severity::kError);
  EXPECT_EQ(check.profile, Profile::kArchival);
  EXPECT_EQ(check.max_findings, 20U);
  EXPECT_FALSE(check.force);
}

TEST_F(CommandLineTest, OptionsDoNotSwallowTheArchiveBehindThem) {
  const CheckArguments check =
      Check({"check", "--format", "json", "a", "--rule", "-ARC-1102", "b", "--only", "label", "c"});
  EXPECT_THAT(check.archives, ElementsAre("a", "b", "c"));
}

TEST_F(CommandLineTest, TheNthOutputBelongsToTheNthFormat) {
  const CheckArguments check =
      Check({"check", "a", "--format", "sarif", "--output", "a.sarif", "--format", "text"});
  ASSERT_THAT(check.outputs, SizeIs(2));
  EXPECT_EQ(check.outputs[0].path, "a.sarif");
  EXPECT_EQ(check.outputs[1].path, std::nullopt);
}

TEST_F(CommandLineTest, AnOutputWithoutFormatIsText) {
  const CheckArguments check = Check({"check", "a", "--output", "a.txt"});
  ASSERT_THAT(check.outputs, SizeIs(1));
  EXPECT_EQ(check.outputs[0].path, "a.txt");
}

TEST_F(CommandLineTest, OnlyOneFormatGoesToStandardOutput) {
  EXPECT_THAT(Refusal({"check", "a", "--format", "json", "--format", "text"}),
              HasSubstr("only one --format"));
  EXPECT_THAT(Refusal({"check", "a", "--output", "x", "--output", "y"}),
              HasSubstr("more --output"));
  EXPECT_THAT(Refusal({"check", "a", "--format", "json", "--output", "x", "--format", "text",
                       "--output", "x"}),
              HasSubstr("two --output name one file: x"));
}

TEST_F(CommandLineTest, RulesAreAddedAndRemovedBySign) {
  const CheckArguments check =
      Check({"check", "a", "--rule", "-ARC-1102", "--rule", "+arc-1303", "--rule=-ARC-1003"});
  EXPECT_THAT(check.rules.removed, ElementsAre("ARC-1102"_clause, "ARC-1003"_clause));
  EXPECT_THAT(check.rules.added, ElementsAre("ARC-1303"_clause));
}

TEST_F(CommandLineTest, AnUnknownRuleIsRefusedWithTheNearest) {
  EXPECT_THAT(Refusal({"check", "a", "--rule", "-ARC-1103"}), HasSubstr("nearest: ARC-1102"));
  EXPECT_THAT(Refusal({"check", "a", "--rule", "everything"}), HasSubstr("no rule everything"));
}

TEST_F(CommandLineTest, ASelectionThatLeavesNothingIsRefused) {
  EXPECT_THAT(Refusal({"check", "a", "--rule", "+ARC-1003", "--profile", "live"}),
              HasSubstr("leave no rule"));
}

TEST_F(CommandLineTest, OnlyTakesAListOfParts) {
  const CheckArguments check = Check({"check", "--only", "label,index", "a"});
  EXPECT_THAT(check.rules.only, ElementsAre(RulePart::kLabel, RulePart::kIndex));
  EXPECT_THAT(Refusal({"check", "--only", "label,foo", "a"}), HasSubstr("foo"));
}

TEST_F(CommandLineTest, WrongValuesAreRefused) {
  EXPECT_THAT(Refusal({"check", "a", "--format", "xml"}), HasSubstr("xml"));
  EXPECT_THAT(Refusal({"check", "a", "--fail-on", "fatal"}), HasSubstr("fatal"));
  EXPECT_THAT(Refusal({"check", "a", "--profile", "dead"}), HasSubstr("dead"));
  EXPECT_THAT(Refusal({"check", "a", "--jobs", "0"}), HasSubstr("0"));
  EXPECT_THAT(Refusal({"check", "a", "--max-findings", "-1"}), HasSubstr("-1"));
  EXPECT_THAT(Refusal({"check", "a", "--colour", "auto"}), HasSubstr("--colour"));
}

TEST_F(CommandLineTest, WithoutArchiveThereIsNothingToCheck) {
  EXPECT_THAT(Refusal({"check"}), HasSubstr("no ARCHIVE"));
  EXPECT_TRUE(Check({"check", "--schema"}).print_schema);
}

TEST_F(CommandLineTest, AnUnknownCommandIsNamed) {
  EXPECT_THAT(Refusal({"chekc", "a"}), HasSubstr("there is no command chekc"));
  EXPECT_THAT(Refusal({}), HasSubstr("no command given"));
}

TEST_F(CommandLineTest, CommonOptionsStandBeforeOrBehindTheCommand) {
  for (const auto& arguments : {std::vector<std::string>{"--quiet", "--jobs", "3", "check", "a"},
                                std::vector<std::string>{"check", "a", "--quiet", "--jobs", "3"}}) {
    const auto parsed = Parse(arguments);
    ASSERT_TRUE(parsed) << parsed.error().text;
    EXPECT_TRUE(parsed->common.quiet);
    EXPECT_EQ(parsed->common.jobs, 3U);
  }
  EXPECT_GE(Parse({"list"})->common.jobs, 1U);
}

TEST_F(CommandLineTest, HelpAndVersionAreNoErrors) {
  for (const auto& arguments :
       {std::vector<std::string>{"--help"}, std::vector<std::string>{"check", "--help"},
        std::vector<std::string>{"list", "--help"},
        std::vector<std::string>{"explain", "--help"}}) {
    const auto parsed = Parse(arguments);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().status, ExitStatus::kOk);
    EXPECT_THAT(parsed.error().text, HasSubstr("Usage: pmproof"));
  }
  EXPECT_THAT(Parse({"--version"}).error().text, HasSubstr("pmproof 0."));
}

TEST(NearestTest, PrefersFewEditsThenNearNumbers) {
  const std::vector<Clause> identifiers = {"ARC-1102"_clause, "ARC-1104"_clause, "MET-211"_clause,
                                           "ARC-1903"_clause};
  EXPECT_THAT(Nearest("ARC-1103", identifiers),
              ElementsAre("ARC-1102"_clause, "ARC-1104"_clause, "ARC-1903"_clause));
  EXPECT_THAT(Nearest("met211", identifiers), ElementsAre("MET-211"_clause));
  EXPECT_THAT(Nearest("", identifiers), SizeIs(0));
}

}  // namespace
}  // namespace pmproof::validator

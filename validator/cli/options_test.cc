// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "validator/check/report/testing/sample_report.h"
#include "validator/cli/identifier.h"
#include "validator/cli/output_options.h"
#include "validator/cli/read_options.h"
#include "validator/cli/rule_options.h"

namespace pmproof::validator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Words = std::vector<std::string>;

std::string Store(const Options& options, const Words& words) {
  std::vector<const Option*> declared;
  for (const Option& option : options.all()) declared.push_back(&option);
  return ReadOptions(words, declared, {}).wrong;
}

TEST(OptionsTest, AnOptionTakesOneValueAndNoOperand) {
  Options options;
  Words names;
  Words parts;
  Words operands;
  options.Texts("--name", "NAME", "", &names);
  options.Texts("--only", "PART,...", "", &parts).Delimiter(',');
  options.Operands("FILE", "", &operands);
  EXPECT_EQ(Store(options, {"a", "--name", "-x", "b", "--only", "p,q", "c", "--only=r"}), "");
  EXPECT_THAT(names, ElementsAre("-x"));
  EXPECT_THAT(parts, ElementsAre("p", "q", "r"));
  EXPECT_THAT(operands, ElementsAre("a", "b", "c"));
}

TEST(OptionsTest, ASettingIsTakenWhereNoOptionIsGivenOrExcludesIt) {
  static constexpr SettingName kName{"limit", "--limit", "PMPROOF_LIMIT",
                                     SettingName::Takes::kNumber};
  const SettingsSource source = [] {
    return Settings{
        .file = "/s/pmproof.toml", .shown = "pmproof.toml", .all = {{&kName, {"7"}, 3}}};
  };
  const auto limit_after = [&](const Words& words, bool takes_settings) {
    int limit = 1;
    bool all = false;
    Options options;
    Option& option = options.Number("--limit", "N", "", 1, 9, &limit);
    if (takes_settings) option.FromSettings();
    options.Flag("--all", "", &all).Excludes({"--limit"});
    std::vector<const Option*> declared;
    for (const Option& one : options.all()) declared.push_back(&one);
    const OptionsRead read = ReadOptions(words, declared, source);
    EXPECT_EQ(read.wrong, "");
    EXPECT_THAT(read.settings, SizeIs(limit == 7 ? 1 : 0));
    return limit;
  };
  EXPECT_EQ(limit_after({}, true), 7);
  EXPECT_EQ(limit_after({}, false), 1);
  EXPECT_EQ(limit_after({"--limit", "5"}, true), 5);
  EXPECT_EQ(limit_after({"--all"}, true), 1);
}

TEST(OptionsTest, BracketsAndCommasInAValueMeanNothing) {
  Options options;
  Words names;
  Words operands;
  options.Texts("--name", "NAME", "", &names);
  options.Operands("FILE", "", &operands);
  EXPECT_EQ(Store(options, {"--name", "[a,b]", "[c,d]"}), "");
  EXPECT_THAT(names, ElementsAre("[a,b]"));
  EXPECT_THAT(operands, ElementsAre("[c,d]"));
}

TEST(OptionsTest, OfASingleValueTheLastOneCounts) {
  Options options;
  std::string text;
  int number = 0;
  options.Text("-t,--text", "T", "", &text);
  options.Number("--number", "N", "", 1, 9, &number);
  EXPECT_EQ(Store(options, {"--text", "a", "--number", "1", "-t", "b", "--number=3"}), "");
  EXPECT_EQ(text, "b");
  EXPECT_EQ(number, 3);
}

TEST(OptionsTest, WhatIsRequiredExcludedOrNotAChoiceIsSaid) {
  Options options;
  std::string a;
  std::string b;
  bool c = false;
  options.Text("--aa", "A", "", &a).Required();
  options.Choice("--bb", "B", "", {"yes", "no"}, &b);
  options.Flag("--cc", "", &c).Excludes({"--bb"});
  EXPECT_EQ(Store(options, {}), "--aa is required");
  EXPECT_EQ(Store(options, {"--aa", "1", "--bb", "yse"}), "--bb: yse is not one of yes, no");
  EXPECT_EQ(Store(options, {"--aa", "1", "--bb", "ye"}),
            "--bb: ye is not one of yes, no; nearest: yes");
  EXPECT_EQ(Store(options, {"--aa", "1", "--bb", "no", "--cc"}), "--cc excludes --bb");
}

TEST(ParseSizeTest, TakesBytesAndPowersOf1024) {
  EXPECT_EQ(ParseSize("0"), 0U);
  EXPECT_EQ(ParseSize("4096"), 4096U);
  EXPECT_EQ(ParseSize("1k"), 1024U);
  EXPECT_EQ(ParseSize("256M"), std::uint64_t{256} << 20);
  EXPECT_EQ(ParseSize("256MB"), std::uint64_t{256} << 20);
  EXPECT_EQ(ParseSize("64 KiB"), std::uint64_t{64} << 10);
  EXPECT_EQ(ParseSize("1.5G"), std::uint64_t{3} << 29);
  EXPECT_EQ(ParseSize("15E"), std::uint64_t{15} << 60);
  EXPECT_EQ(ParseSize("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
}

TEST(ParseSizeTest, RefusesWhatIsNotASizeOf64Bits) {
  for (const char* text :
       {"", "-1", "+1", " 1", "M", "1X", "1MM", "1.5", "1..5M", "0x10", "1e6", "16E",
        "18446744073709551616", "15.9999999999999999999E9", "nan", "inf"}) {
    EXPECT_EQ(ParseSize(text), std::nullopt) << text;
  }
}

TEST(NumberTest, RefusesWhatIsOutOfRange) {
  std::uint64_t number = 0;
  EXPECT_EQ(TakeUnsigned("7", 1, 9, &number), "");
  EXPECT_EQ(number, 7U);
  EXPECT_EQ(TakeUnsigned("-1", 1, 9, &number), "-1 is not from 1 to 9");
  EXPECT_EQ(TakeUnsigned("10", 1, 9, &number), "10 is not from 1 to 9");
  EXPECT_EQ(TakeUnsigned("99999999999999999999999", 1, 9, &number),
            "99999999999999999999999 is not from 1 to 9");
  EXPECT_EQ(TakeUnsigned("7x", 1, 9, &number), "7x is not a whole number");
  EXPECT_EQ(TakeUnsigned("", 1, 9, &number), " is not a whole number");
  EXPECT_EQ(TakeUnsigned("18446744073709551616", 0, kMostNumber, &number),
            "18446744073709551616 is more than 64 bits hold");
  double seconds = 0;
  EXPECT_EQ(TakeNumber("0.5", 0.001, 86400, &seconds), "");
  EXPECT_EQ(TakeNumber("0", 0.001, 86400, &seconds), "0 is not from 0.001 to 86400");
  EXPECT_EQ(TakeNumber("-1", 0, 1, &seconds), "-1 is not from 0 to 1");
  EXPECT_EQ(TakeNumber("nan", 0, 1, &seconds), "nan is not a number");
}

class OutputOptionsTest : public ::testing::Test {
 protected:
  // "FORMAT:PATH" of each report, or what is wrong.
  static Words Reports(const Words& words) {
    Options options;
    OutputOptions outputs({"text", "json", "html", "junit"});
    outputs.Declare(options, "");
    std::string wrong = Store(options, words);
    if (wrong.empty()) wrong = outputs.Wrong();
    if (!wrong.empty()) return {wrong};
    Words reports;
    for (const OutputRequest& request : outputs.requests())
      reports.push_back(request.format + ":" + request.path.value_or("-"));
    return reports;
  }
};

TEST_F(OutputOptionsTest, TheDefaultIsTextOnStandardOutput) {
  EXPECT_THAT(Reports({}), ElementsAre("text:-"));
}

TEST_F(OutputOptionsTest, EachOutputIsAPair) {
  EXPECT_THAT(Reports({"--output", "json:a.json", "--output", "html:b"}),
              ElementsAre("json:a.json", "html:b"));
  EXPECT_THAT(Reports({"--format", "text", "--output", "json:x"}), ElementsAre("json:x", "text:-"));
  EXPECT_THAT(Reports({"--output", "text:-", "--output", "json:x"}),
              ElementsAre("text:-", "json:x"));
}

TEST_F(OutputOptionsTest, AFormatAndAnOutputAreAPairWhereTheyCanBeNothingElse) {
  EXPECT_THAT(Reports({"--format", "json", "--output", "x"}), ElementsAre("json:x"));
  EXPECT_THAT(Reports({"--output", "x", "--format", "json"}), ElementsAre("json:x"));
  EXPECT_THAT(Reports({"--format", "json", "--output", "x", "--format", "html", "--output", "y"}),
              ElementsAre("json:x", "html:y"));
  EXPECT_THAT(Reports({"--format", "json", "--output", "x", "--format", "text"}),
              ElementsAre("json:x", "text:-"));
  EXPECT_THAT(Reports({"--output", "json:/dev/stdout"}), ElementsAre("json:-"));
  EXPECT_THAT(Reports({"--format", "text", "--output", "-", "--format", "json", "--output", "x"}),
              ElementsAre("text:-", "json:x"));
}

TEST_F(OutputOptionsTest, WhatCouldMeanTwoThingsIsRefusedWithAHint) {
  EXPECT_THAT(Reports({"--format", "text", "--format", "json", "--output", "x.json"}),
              ElementsAre(HasSubstr("--output FORMAT:FILE")));
  EXPECT_THAT(Reports({"--format", "text", "--format", "json", "--output", "x", "--output", "y"}),
              ElementsAre(HasSubstr("--output FORMAT:FILE")));
  EXPECT_THAT(Reports({"--output", "x", "--format", "text", "--output", "y", "--format", "json"}),
              ElementsAre(HasSubstr("--output FORMAT:FILE")));
}

TEST_F(OutputOptionsTest, WithoutAFormatTheNameOfTheFileSaysIt) {
  EXPECT_THAT(Reports({"--output", "a.txt"}), ElementsAre("text:a.txt"));
  EXPECT_THAT(Reports({"--output", "a"}), ElementsAre("text:a"));
  EXPECT_THAT(Reports({"--output", "a.json"}), ElementsAre("json:a.json"));
  EXPECT_THAT(Reports({"--output", "a.xml", "--output", "a.html"}),
              ElementsAre("junit:a.xml", "html:a.html"));
  EXPECT_THAT(Reports({"--output", "a.sarif"}), ElementsAre("text:a.sarif"))
      << "not a format of this command";
  EXPECT_THAT(Reports({"--format", "text", "--output", "a.json"}), ElementsAre("text:a.json"));
}

TEST_F(OutputOptionsTest, AColonInAFileNameIsNotAFormat) {
  EXPECT_THAT(Reports({"--output", "/tmp/12:30"}), ElementsAre("text:/tmp/12:30"));
  EXPECT_THAT(Reports({"--output", "./json:x"}), ElementsAre("text:./json:x"));
}

TEST_F(OutputOptionsTest, NoTwoReportsGoToOnePlace) {
  EXPECT_THAT(Reports({"--output", "json:x", "--output", "html:x"}),
              ElementsAre("two --output name one file: x"));
  EXPECT_THAT(Reports({"--output", "json:-", "--format", "text"}),
              ElementsAre("only one --format can go to standard output"));
}

TEST(RuleOptionsTest, RulesAreAddedAndRemovedBySign) {
  RuleSelection rules;
  EXPECT_EQ(SelectRules({"-ARC-1102", "+arc-1303", "-ARC-1003"}, testing::SmallCatalogue(), &rules),
            "");
  EXPECT_THAT(rules.removed, ElementsAre("ARC-1102"_clause, "ARC-1003"_clause));
  EXPECT_THAT(rules.added, ElementsAre("ARC-1303"_clause));
}

TEST(NearestTest, PrefersFewEditsThenNearNumbers) {
  const std::vector<Clause> identifiers = {"ARC-1102"_clause, "ARC-1104"_clause, "MET-211"_clause,
                                           "ARC-1903"_clause};
  EXPECT_THAT(Nearest("ARC-1103", identifiers),
              ElementsAre("ARC-1102"_clause, "ARC-1104"_clause, "ARC-1903"_clause));
  EXPECT_THAT(Nearest("met211", identifiers), ElementsAre("MET-211"_clause));
  EXPECT_THAT(Nearest("", identifiers), SizeIs(0));
}

TEST(NearestTest, NamesThatResembleNothingAreNotOffered) {
  const Words names = {"disk.dev.read", "disk.dev.write", "mem.free"};
  EXPECT_EQ(NearestHint("disk.dev.raed", names), "; nearest: disk.dev.read, disk.dev.write");
  EXPECT_EQ(NearestHint("hinv.ncpu", names), "");
  EXPECT_THAT(NearestHint(std::string(100'000, 'x'), names), IsEmpty());
}

}  // namespace
}  // namespace pmproof::validator

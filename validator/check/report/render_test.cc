// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "validator/check/report/testing/sample_report.h"

namespace pmproof::validator {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

class RenderTest : public ::testing::Test {
 protected:
  std::string Rendered(Format format, std::vector<ArchiveReport> archives) const {
    Report report;
    report.archives = std::move(archives);
    std::ostringstream out;
    Render(format, report, catalogue_, options_, out);
    return out.str();
  }

  const Catalogue catalogue_ = testing::SmallCatalogue();
  RenderOptions options_;
};

TEST_F(RenderTest, TextOfAConformantArchive) {
  EXPECT_EQ(Rendered(Format::kText, {testing::GoodArchive()}),
            "dir/good: conformant\n"
            "  version 3, 3 files, 123.5 kB, 60 records, 10 metrics, from "
            "2023-11-14T22:13:20.000000005Z to\n"
            "  2023-11-14T22:14:20.000000000Z\n"
            "1 archive: 1 conformant\n");
}

TEST_F(RenderTest, TextOfWhatAPolicyDid) {
  ArchiveReport archive = testing::GoodArchive();
  archive.counts.warning = 1;
  Finding& finding = archive.findings.emplace_back();
  finding.rule = "ARC-1303"_clause;
  finding.severity = Severity::kWarning;
  finding.file = "good.meta";
  finding.part = -1;
  finding.offset = 132;
  finding.message = "metric 29.0.1 has no name";
  finding.reclassified = Reclassified{Severity::kError, 4, "an old writer"};
  archive.unmet = {{PolicyCheck::kMetrics, Severity::kError, 9, "there is no metric \"a\"", ""},
                   {PolicyCheck::kHost, Severity::kInfo, 9, "the host is \"b\"", ""}};
  Report report;
  report.archives = {archive};
  report.policy.emplace().file = "p.toml";
  report.policy->findings = {
      {PolicyCheck::kExpired, Severity::kWarning, 12, "expired on 2020-01-01", "for a while"}};
  std::ostringstream out;
  Render(Format::kText, report, catalogue_, options_, out);
  EXPECT_EQ(out.str(),
            "dir/good: conformant (1 warning); policy: 1 error, 1 info\n"
            "  version 3, 3 files, 123.5 kB, 60 records, 10 metrics, from "
            "2023-11-14T22:13:20.000000005Z to\n"
            "  2023-11-14T22:14:20.000000000Z\n"
            "  warning  ARC-1303  good.meta offset 132, label: metric 29.0.1 has no name\n"
            "                     error by the rule; p.toml, line 4: an old writer\n"
            "  error    POL-101   there is no metric \"a\"\n"
            "                     p.toml, line 9\n"
            "\n"
            "policy\n"
            "  warning  POL-001   expired on 2020-01-01\n"
            "                     p.toml, line 12: for a while\n"
            "\n"
            "  not shown: 1 info; POL-105 (--show info)\n"
            "1 archive: 1 conformant (1 warning); policy: 1 error, 1 warning, 1 info\n"
            "What ARC-1303 means and what to do: pmproof explain ARC-1303\n");
}

TEST_F(RenderTest, TextOfFindings) {
  options_.screen.width = 90;
  EXPECT_EQ(
      Rendered(Format::kText, {testing::BadArchive()}),
      "dir/bad: not readable, not conformant (1 fatal, 1 error, 40 warnings)\n"
      "  version 2, 3 files, 123.5 kB, 60 records, 10 metrics, from\n"
      "  2023-11-14T22:13:20.000000005Z to 2023-11-14T22:14:20.000000000Z\n"
      "  survives: 10 records can be read, up to 2023-11-14T22:13:40.000000000Z\n"
      "  lost:     bad.0 from offset 500 (12 bytes)\n"
      "  next:     another copy of the damaged file may be whole\n"
      "  fatal    ARC-1102  bad.0 offset 500, record 7: a record of 80 bytes begins 12 bytes\n"
      "                     before the end of the file\n"
      "                     from this follows: ARC-1303 (error)\n"
      "  warning  ARC-1003  there is no index\n"
      "  warning  ARC-1003  there is no index\n"
      "                     and 38 more from here on\n"
      "  not checked: ARC-1303 (the metadata is missing from offset 200 on)\n"
      "  not checked: bad.0 from offset 500 (the record before is cut)\n"
      "\n"
      "1 archive: 1 not conformant (1 fatal, 1 error, 40 warnings)\n"
      "What ARC-1102 means and what to do: pmproof explain ARC-1102\n");
}

TEST_F(RenderTest, TextCountsWhatIsLessGraveThanShown) {
  options_.show = Severity::kError;
  EXPECT_THAT(Rendered(Format::kText, {testing::BadArchive()}),
              AllOf(HasSubstr("  not shown: 40 warnings; ARC-1003 (--show warning)\n"),
                    Not(HasSubstr("there is no index"))));
}

TEST_F(RenderTest, TextOfManyArchivesIsOneLineForEachGoodOne) {
  const std::string text = Rendered(
      Format::kText, {testing::GoodArchive(), testing::GoodArchive(), testing::FailedArchive()});
  EXPECT_EQ(
      text,
      "dir/good: conformant\n"
      "dir/good: conformant\n"
      "dir/none: no verdict: dir/none.0: offset 4: no PCP archive: the magic number is 0x7f454c46 "
      "[ARC-017]\n"
      "  fatal    ARC-1102  none.0 offset 0, label: found before\n"
      "\n"
      "by rule\n"
      "  fatal    ARC-1102  1 finding in 1 archive: a record lies inside the file\n"
      "3 archives: 2 conformant, 1 without verdict (1 fatal)\n"
      "What ARC-1102 means and what to do: pmproof explain ARC-1102\n");
}

TEST_F(RenderTest, TextSaysOnceWhatIsLeftOutEverywhere) {
  ArchiveReport archive = testing::GoodArchive();
  archive.not_checked = {
      {"ARC-1003", "left out"}, {"ARC-1102", "left out"}, {"ARC-1303", "left out"}};
  EXPECT_EQ(Rendered(Format::kText, {archive, archive}),
            "dir/good: conformant\n"
            "dir/good: conformant\n"
            "  not checked in any archive: ARC-1003 to ARC-1303 (left out)\n"
            "2 archives: 2 conformant\n");
}

TEST_F(RenderTest, TextShowsTheFirstInfoOfARuleAndCountsTheOthers) {
  ArchiveReport archive = testing::GoodArchive();
  for (const std::uint64_t offset : {100, 200, 300}) {
    Finding& finding = archive.findings.emplace_back();
    finding.rule = "ARC-1003"_clause;
    finding.severity = offset == 200 ? Severity::kWarning : Severity::kInfo;
    finding.file = "good.0";
    finding.offset = offset;
    finding.record = offset / 100;
    finding.message = "m";
    finding.expected = "e";
    finding.count = offset == 300 ? 7 : 1;
  }
  options_.screen.width = 120;
  options_.show = Severity::kInfo;
  EXPECT_THAT(Rendered(Format::kText, {archive}),
              HasSubstr("  warning  ARC-1003  good.0 offset 200, record 2: m\n"
                        "                     expected e\n"
                        "  info     ARC-1003  good.0 offset 100, record 1: m\n"
                        "                     expected e\n"
                        "                     and 7 more from here on\n"
                        "\n"));
}

TEST_F(RenderTest, QuietTextLeavesOutWhatIsGood) {
  options_.quiet = true;
  EXPECT_EQ(Rendered(Format::kText, {testing::GoodArchive()}), "");
  EXPECT_THAT(Rendered(Format::kText, {testing::BadArchive()}),
              AllOf(HasSubstr("ARC-1303"), Not(HasSubstr("1 archive"))));
}

TEST_F(RenderTest, TextShowsInternalErrorsAndUnreadableArguments) {
  Report report;
  report.archives.push_back(testing::GoodArchive());
  report.archives[0].internal_errors = {"a defect"};
  Status missing;
  missing.file = "gone";
  missing.message = "no such file";
  report.errors.push_back(missing);
  std::ostringstream out;
  RenderText(report, catalogue_, options_, out);
  EXPECT_THAT(out.str(), AllOf(HasSubstr("internal error of pmproof: a defect"),
                               HasSubstr("not checked: gone: no such file"),
                               HasSubstr("; 1 input could not be read")));
}

TEST_F(RenderTest, TextOfHostileNamesHoldsNoControlCharacters) {
  std::string text = Rendered(Format::kText, {testing::HostileArchive()});
  std::erase(text, '\n');
  for (const char c : text) ASSERT_GE(static_cast<unsigned char>(c), 0x20) << text;
  EXPECT_THAT(text, AllOf(Not(HasSubstr("\x7f")), Not(HasSubstr("\xc2\x9b")),
                          Not(HasSubstr("\xff")), HasSubstr("\\x1b[31mred")));
}

TEST_F(RenderTest, TextIsColouredOnlyWhenAsked) {
  EXPECT_THAT(Rendered(Format::kText, {testing::BadArchive()}), Not(HasSubstr("\033")));
  options_.screen.colour = true;
  EXPECT_THAT(Rendered(Format::kText, {testing::BadArchive()}),
              HasSubstr("\033[1;31mfatal\033[0m    ARC-1102"));
}

TEST_F(RenderTest, JunitFailsAtAndAboveFailOn) {
  ArchiveReport warned = testing::GoodArchive();
  warned.findings.push_back(testing::BadArchive().findings.front());
  warned.counts.warning = 1;
  EXPECT_THAT(Rendered(Format::kJunit, {warned}),
              AllOf(HasSubstr("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">"),
                    HasSubstr("<system-out>warning ARC-1003: ")));
  options_.fail_on = Severity::kWarning;
  EXPECT_THAT(Rendered(Format::kJunit, {warned}),
              AllOf(HasSubstr("failures=\"1\""), HasSubstr("<failure message=\"1 warning\">")));
}

TEST_F(RenderTest, JunitKeepsNamesApart) {
  std::vector<ArchiveReport> archives(3, testing::GoodArchive());
  archives[0].archive = "a\xff";
  archives[1].archive = "a\\xff";
  archives[2].archive = "a\xfe";
  EXPECT_THAT(Rendered(Format::kJunit, archives),
              AllOf(HasSubstr("name=\"a\\xff\""), HasSubstr("name=\"a\\x5cxff\""),
                    HasSubstr("name=\"a\\xfe\"")));
}

TEST_F(RenderTest, FormatsAreNamedAsOnTheCommandLine) {
  for (const Format format : kFormats) EXPECT_EQ(ParseFormat(ToText(format)), format);
  EXPECT_EQ(ParseFormat("xml"), std::nullopt);
}

}  // namespace
}  // namespace pmproof::validator

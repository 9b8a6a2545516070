// SPDX-License-Identifier: Apache-2.0
#include "validator/check/finding_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "validator/check/report/testing/sample_report.h"

namespace pmproof::validator {
namespace {

using archive::Gravity;
using archive::Location;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Clause kWarning = "ARC-1003"_clause;
constexpr Clause kFatal = "ARC-1102"_clause;
constexpr Clause kError = "ARC-1303"_clause;

std::string FileName(archive::Part part) { return "part" + std::to_string(part); }

// Metrics of domain 9 have no names.
std::vector<std::string> NamesOf(Pmid metric) {
  if (metric.domain() == 9) return {};
  return {"m." + std::to_string(metric.item())};
}

class FindingCollectorTest : public ::testing::Test {
 protected:
  FindingCollector Collector(std::uint64_t max_findings = 2, Profile profile = Profile::kArchival,
                             const RuleSelection& selection = {}) {
    return FindingCollector(catalogue_, profile, selection, max_findings);
  }

  static void Add(FindingCollector& collector, Clause rule, Location where,
                  Gravity gravity = Gravity::kAsCatalogued, const std::string& message = "") {
    collector.Report(
        rule, where,
        [&] {
          return archive::Details{"", "", "", message};
        },
        gravity);
  }

  static ArchiveReport Finish(FindingCollector collector) {
    ArchiveReport report;
    collector.Finish(FileName, NamesOf, report);
    return report;
  }

  static std::vector<std::uint64_t> Offsets(const ArchiveReport& report) {
    std::vector<std::uint64_t> offsets;
    for (const Finding& finding : report.findings) offsets.push_back(finding.offset);
    return offsets;
  }

  // All of a finding that a reader sees.
  static std::vector<std::string> Lines(const ArchiveReport& report) {
    std::vector<std::string> lines;
    for (const Finding& finding : report.findings) {
      lines.push_back(finding.file + ":" + std::to_string(finding.offset) + " record " +
                      std::to_string(finding.record) + " " + finding.rule.ToString() + " " +
                      ToText(finding.severity) + " " + finding.message + " x" +
                      std::to_string(finding.count));
      for (const FoldedMetric& metric : finding.folded) {
        lines.back() += ", " + metric.metric.at(0) + " x" + std::to_string(metric.count) + " to " +
                        std::to_string(metric.offset);
      }
    }
    return lines;
  }

  const Catalogue catalogue_ = testing::SmallCatalogue();
};

TEST_F(FindingCollectorTest, NothingReportedIsConformant) {
  const ArchiveReport report = Finish(Collector());
  EXPECT_TRUE(report.readable);
  EXPECT_TRUE(report.conformant);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.not_checked, IsEmpty());
}

TEST_F(FindingCollectorTest, SeverityIsTheCatalogues) {
  FindingCollector collector = Collector();
  Add(collector, kError, {archive::kMetaPart, 10, 4, 1});
  const ArchiveReport report = Finish(std::move(collector));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].severity, Severity::kError);
  EXPECT_EQ(report.findings[0].file, "part-1");
  EXPECT_TRUE(report.readable);
  EXPECT_FALSE(report.conformant);
}

TEST_F(FindingCollectorTest, GravityOfTheDecoderGoesBeforeTheCatalogue) {
  FindingCollector collector = Collector();
  Add(collector, kError, {archive::kMetaPart, 10, 4, 1}, Gravity::kFatal);
  const ArchiveReport report = Finish(std::move(collector));
  EXPECT_EQ(report.findings[0].severity, Severity::kFatal);
  EXPECT_FALSE(report.readable);
}

TEST_F(FindingCollectorTest, ProfileLiveHasItsOwnSeverities) {
  FindingCollector collector = Collector(2, Profile::kLive);
  Add(collector, kFatal, {0, 10, 4, 1});
  Add(collector, kWarning, {0, 20, 4, 1});
  const ArchiveReport report = Finish(std::move(collector));
  EXPECT_THAT(Lines(report), ElementsAre("part0:10 record 1 ARC-1102 info  x1"));
  ASSERT_THAT(report.not_checked, SizeIs(1));
  EXPECT_EQ(report.not_checked[0].what, "ARC-1003");
  EXPECT_EQ(report.not_checked[0].because, "off in profile live");
}

TEST_F(FindingCollectorTest, RulesNotSelectedAreNotCountedAndListed) {
  RuleSelection selection;
  selection.removed = {kError};
  FindingCollector collector = Collector(2, Profile::kArchival, selection);
  Add(collector, kError, {0, 10, 4, 1});
  EXPECT_FALSE(collector.Has(kError));
  const ArchiveReport report = Finish(std::move(collector));
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_TRUE(report.conformant);
  ASSERT_THAT(report.not_checked, SizeIs(1));
  EXPECT_EQ(report.not_checked[0].what, "ARC-1303");
}

TEST_F(FindingCollectorTest, FindingsAreOrderedByPartThenOffsetThenRule) {
  FindingCollector collector = Collector(10);
  Add(collector, kWarning, {archive::kIndexPart, 1, 0, 0});
  Add(collector, kFatal, {1, 5, 0, 0});
  Add(collector, kWarning, {1, 5, 0, 0});
  Add(collector, kWarning, {0, 9, 0, 0});
  Add(collector, kWarning, {archive::kMetaPart, 100, 0, 0});
  Add(collector, kWarning, {archive::kWholeArchive, 0, 0, 0});
  EXPECT_THAT(
      Lines(Finish(std::move(collector))),
      ElementsAre("part-3:0 record 0 ARC-1003 warning  x1",
                  "part-1:100 record 0 ARC-1003 warning  x1",
                  "part0:9 record 0 ARC-1003 warning  x1", "part1:5 record 0 ARC-1003 warning  x1",
                  "part1:5 record 0 ARC-1102 fatal  x1", "part-2:1 record 0 ARC-1003 warning  x1"));
}

TEST_F(FindingCollectorTest, OneMoreThanTheMaximumStandsForTheRest) {
  FindingCollector collector = Collector(2);
  for (std::uint64_t offset = 1; offset <= 10; ++offset) Add(collector, kError, {0, offset, 0, 0});
  const ArchiveReport report = Finish(std::move(collector));
  EXPECT_THAT(Offsets(report), ElementsAre(1, 2, 3));
  EXPECT_EQ(report.findings[1].count, 1U);
  EXPECT_EQ(report.findings[2].count, 8U);
  EXPECT_EQ(report.counts.error, 10U);
}

TEST_F(FindingCollectorTest, WhatIsKeptIsFirstByPlaceNotByArrival) {
  FindingCollector collector = Collector(2);
  for (std::uint64_t offset = 10; offset >= 1; --offset) Add(collector, kError, {0, offset, 0, 0});
  EXPECT_THAT(Offsets(Finish(std::move(collector))), ElementsAre(1, 2, 3));
}

TEST_F(FindingCollectorTest, MaximumOfZeroKeepsOneForAll) {
  FindingCollector collector = Collector(0);
  for (std::uint64_t offset = 1; offset <= 10; ++offset) Add(collector, kError, {0, offset, 0, 0});
  const ArchiveReport report = Finish(std::move(collector));
  EXPECT_THAT(Lines(report), ElementsAre("part0:1 record 0 ARC-1303 error  x10"));
}

TEST_F(FindingCollectorTest, AFatalCaseIsNotFoldedAmongErrorsOfTheSameRule) {
  FindingCollector collector = Collector(0);
  for (std::uint64_t offset = 1; offset <= 5; ++offset) Add(collector, kError, {0, offset, 0, 0});
  Add(collector, kError, {0, 6, 0, 0}, Gravity::kFatal);
  EXPECT_THAT(
      Lines(Finish(std::move(collector))),
      ElementsAre("part0:1 record 0 ARC-1303 error  x5", "part0:6 record 0 ARC-1303 fatal  x1"));
}

TEST_F(FindingCollectorTest, DetailsAreAskedForOnlyWhereTheyAreKept) {
  FindingCollector collector = Collector(2);
  int asked = 0;
  for (std::uint64_t offset = 1; offset <= 1000; ++offset) {
    collector.Report(kError, {0, offset, 0, 0}, [&] {
      ++asked;
      return archive::Details();
    });
  }
  EXPECT_EQ(asked, 3);
}

TEST_F(FindingCollectorTest, AViolationOfAnUnknownRuleIsOurFaultNotTheArchives) {
  FindingCollector collector = Collector();
  Add(collector, "ARC-9999"_clause, {0, 1, 0, 0}, Gravity::kFatal, "strange");
  const ArchiveReport report = Finish(std::move(collector));
  EXPECT_TRUE(report.conformant);
  ASSERT_THAT(report.internal_errors, SizeIs(1));
  EXPECT_THAT(report.internal_errors[0], ::testing::HasSubstr("ARC-9999"));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].severity, Severity::kInfo);
  Report all;
  all.archives.push_back(report);
  EXPECT_EQ(ExitStatusOf(all, Severity::kError), ExitStatus::kInternal);
}

TEST_F(FindingCollectorTest, AFindingSaysWhichMetricItIsAbout) {
  FindingCollector collector = Collector(3);
  {
    const archive::Reporter::About about(collector, Pmid::Of(1, 0, 7));
    Add(collector, kError, {0, 1, 0, 0});
    const archive::Reporter::About inner(collector, Pmid::Of(9, 2, 3));
    Add(collector, kError, {0, 2, 0, 0});
  }
  Add(collector, kError, {0, 3, 0, 0});
  const ArchiveReport report = Finish(std::move(collector));
  ASSERT_THAT(report.findings, SizeIs(3));
  EXPECT_THAT(report.findings[0].metric, ElementsAre("m.7"));
  EXPECT_THAT(report.findings[1].metric, ElementsAre("9.2.3"));
  EXPECT_THAT(report.findings[2].metric, IsEmpty());
}

// Violations that are counted only are as many that are reported one by one, wherever the first
// ones are.
TEST_F(FindingCollectorTest, CountsWithoutKeeping) {
  std::mt19937 random(7);
  std::uint64_t counted_only = 0;
  for (int round = 0; round < 300; ++round) {
    RuleSelection selection;
    if (round % 5 == 0) selection.removed = {kError};
    const FindingCollector empty(catalogue_, Profile::kArchival, selection, random() % 3,
                                 {kError, kFatal});
    FindingCollector each = empty.Fresh();
    FindingCollector together = empty.Fresh();
    for (int k = 0; k < 20; ++k) {
      const archive::Part part = static_cast<archive::Part>(random() % 2);
      const std::uint64_t first = random() % 50;
      const std::uint64_t count = 1 + random() % 4;
      const Clause rule = random() % 2 == 0 ? kError : kWarning;
      const Pmid metric = Pmid::Of(29, 0, random() % 2);
      const archive::Reporter::About about_each(each, metric);
      const archive::Reporter::About about_together(together, metric);
      for (std::uint64_t i = 0; i < count; ++i) Add(each, rule, {part, first + i, 4, 1});
      if (together.CountOnly(rule, count, {part, first, 4, 1}, {part, first + count - 1, 4, 1})) {
        ++counted_only;
      } else {
        for (std::uint64_t i = 0; i < count; ++i) Add(together, rule, {part, first + i, 4, 1});
      }
    }
    EXPECT_EQ(Lines(Finish(std::move(each))), Lines(Finish(std::move(together)))) << round;
  }
  EXPECT_GT(counted_only, 2000U);
}

// What is folded of a rule, as "m.1 x2 last 9".
std::vector<std::string> Folded(const Finding& finding) {
  std::vector<std::string> lines;
  for (const FoldedMetric& metric : finding.folded) {
    lines.push_back(metric.metric.at(0) + " x" + std::to_string(metric.count) + " last " +
                    std::to_string(metric.offset));
  }
  return lines;
}

TEST_F(FindingCollectorTest, WhatIsFoldedIsToldByMetricWhereThatWasAskedFor) {
  for (const bool asked : {false, true}) {
    FindingCollector collector(catalogue_, Profile::kArchival, {}, 1,
                               asked ? std::vector<Clause>{kError} : std::vector<Clause>{});
    const unsigned metrics[] = {1, 2, 2, 0, 1, 2};  // 0: of none
    for (std::uint64_t i = 0; i < 6; ++i) {
      std::optional<Pmid> metric;
      if (metrics[i] != 0) metric = Pmid::Of(1, 0, metrics[i]);
      const archive::Reporter::About about(collector, metric);
      Add(collector, kError, {0, 10 + i, 0, 0});
      Add(collector, kWarning, {0, 10 + i, 0, 0});
    }
    const ArchiveReport report = Finish(std::move(collector));
    ASSERT_THAT(report.findings, SizeIs(4));
    for (const Finding& finding : report.findings) {
      const bool told = asked && finding.rule == kError && finding.count > 1;
      if (told) {
        EXPECT_EQ(finding.count, 5U);
        EXPECT_THAT(Folded(finding), ElementsAre("m.1 x1 last 14", "m.2 x3 last 15"));
      } else {
        EXPECT_THAT(finding.folded, IsEmpty());
      }
    }
  }
}

TEST_F(FindingCollectorTest, OfTooManyMetricsThoseWithTheLowestIdentifiersAreTold) {
  constexpr std::uint32_t kMost = FindingCollector::kMostMetrics;
  FindingCollector collector(catalogue_, Profile::kArchival, {}, 0, {kError});
  for (std::uint32_t metric = kMost + 100; metric > 0; --metric) {
    const archive::Reporter::About about(collector, Pmid{metric});
    Add(collector, kError, {0, metric, 0, 0});
  }
  const ArchiveReport report = Finish(std::move(collector));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].count, kMost + 100);
  ASSERT_THAT(report.findings[0].folded, SizeIs(kMost));
  EXPECT_EQ(report.findings[0].folded.front().offset, 1U);
  EXPECT_EQ(report.findings[0].folded.back().offset, kMost);
}

TEST_F(FindingCollectorTest, FinishEmptiesTheCollector) {
  FindingCollector collector = Collector();
  Add(collector, kError, {0, 1, 0, 0});
  ArchiveReport first;
  collector.Finish(FileName, NamesOf, first);
  ArchiveReport second;
  collector.Finish(FileName, NamesOf, second);
  EXPECT_THAT(second.findings, IsEmpty());
  EXPECT_EQ(second.counts.error, 0U);
}

TEST_F(FindingCollectorTest, AChunkWithoutAViolationChangesNothingAndMayComeFirst) {
  FindingCollector all = Collector();
  EXPECT_FALSE(all.Has(kFatal));
  all.Merge(all.Fresh());
  EXPECT_FALSE(all.Has(kFatal));
  EXPECT_EQ(all.counts().fatal, 0);
  FindingCollector chunk = all.Fresh();
  Add(chunk, kFatal, {.part = 0, .offset = 7});
  all.Merge(std::move(chunk));
  all.Merge(all.Fresh());
  EXPECT_TRUE(all.Has(kFatal));
  EXPECT_FALSE(all.Has(kWarning));
  EXPECT_EQ(all.counts().fatal, 1);
  EXPECT_THAT(Offsets(Finish(std::move(all))), ElementsAre(7));
}

TEST_F(FindingCollectorTest, MergeAddsTheRecordsBeforeTheChunkInVolumesAndMetadata) {
  FindingCollector collector = Collector();
  FindingCollector chunk = collector.Fresh();
  Add(chunk, kError, {0, 500, 0, 3});
  Add(chunk, kFatal, {archive::kMetaPart, 200, 0, 4});
  Add(chunk, kFatal, {archive::kIndexPart, 200, 0, 5});
  collector.Merge(std::move(chunk), 100);
  const ArchiveReport report = Finish(std::move(collector));
  ASSERT_THAT(report.findings, SizeIs(3));
  EXPECT_EQ(report.findings[0].record, 104U);
  EXPECT_EQ(report.findings[1].record, 103U);
  EXPECT_EQ(report.findings[2].record, 5U);
}

// The property that parallel checking rests on, over random violations, cuts and orders of merging.
TEST_F(FindingCollectorTest, ChunksMergedInAnySplitGiveWhatOnePassGives) {
  std::mt19937 random(4711);
  const Clause rules[] = {kWarning, kFatal, kError, "ARC-9998"_clause, "ARC-9999"_clause};
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t max_findings = random() % 4;
    const std::size_t chunks = 1 + random() % 4;
    FindingCollector serial(catalogue_, Profile::kArchival, {}, max_findings, {kError});
    FindingCollector merged(catalogue_, Profile::kArchival, {}, max_findings, {kError});
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      FindingCollector part = merged.Fresh();
      for (auto i = random() % 12; i > 0; --i) {
        // Chunks lie one after the other; within a chunk places come in any order and may be
        // equal.
        const Clause rule = rules[random() % 5];
        const Location where{0, chunk * 100 + random() % 8, 0, random() % 8};
        const auto gravity = static_cast<Gravity>(random() % 5);
        const std::string message = "m" + std::to_string(random());
        std::optional<Pmid> metric;
        if (random() % 3 > 0) metric = Pmid::Of(1, 0, random() % 4);
        const archive::Reporter::About about_one(serial, metric);
        const archive::Reporter::About about_other(part, metric);
        Add(serial, rule, {where.part, where.offset, 0, where.record + chunk * 10}, gravity,
            message);
        Add(part, rule, where, gravity, message);
      }
      merged.Merge(std::move(part), chunk * 10);
    }
    const ArchiveReport expected = Finish(std::move(serial));
    const ArchiveReport actual = Finish(std::move(merged));
    ASSERT_EQ(Lines(actual), Lines(expected)) << "round " << round;
    ASSERT_EQ(actual.internal_errors, expected.internal_errors) << "round " << round;
    ASSERT_EQ(std::tie(actual.counts.fatal, actual.counts.error, actual.counts.warning,
                       actual.counts.info),
              std::tie(expected.counts.fatal, expected.counts.error, expected.counts.warning,
                       expected.counts.info));
  }
}

}  // namespace
}  // namespace pmproof::validator

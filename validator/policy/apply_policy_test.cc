// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/apply_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "generators/archive_image.h"
#include "validator/check/report/testing/sample_report.h"
#include "validator/policy/explain_policy.h"

namespace pmproof::validator::policy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> Texts(const std::vector<PolicyFinding>& findings) {
  std::vector<std::string> texts;
  for (const PolicyFinding& finding : findings) {
    texts.push_back(std::string(IdOf(finding.check)) + " " + ToText(finding.severity) + " " +
                    std::to_string(finding.line) + " " + finding.message);
  }
  return texts;
}

class ApplyPolicyTest : public ::testing::Test {
 protected:
  ArchiveReport& AddArchive(const std::string& name, const std::string& host) {
    ArchiveReport& archive = report_.archives.emplace_back();
    archive.archive = name;
    archive.readable = true;
    archive.conformant = true;
    archive.label.emplace().host = host;
    return archive;
  }

  static Finding& AddFinding(ArchiveReport& archive, Clause rule, Severity severity,
                             std::uint64_t count = 1) {
    Finding& finding = archive.findings.emplace_back();
    finding.rule = rule;
    finding.severity = severity;
    finding.count = count;
    CountOf(archive.counts, severity) += count;
    archive.readable = archive.counts.fatal == 0;
    archive.conformant = archive.readable && archive.counts.error == 0;
    return finding;
  }

  Reclassify& AddEntry(Clause rule, Severity severity) {
    Reclassify& entry = policy_.reclassify.emplace_back();
    entry.line = policy_.reclassify.size() * 10;
    entry.rule = rule;
    entry.severity = severity;
    entry.reason = "because";
    return entry;
  }

  void Apply() {
    unmet_ = ApplyPolicy(policy_,
                         {.storage = storage_,
                          .listings = nullptr,
                          .memory = archive::MemoryBudget(),
                          .jobs = 2,
                          .now = now_},
                         &report_);
  }

  std::vector<std::string> AboutEntries() const { return Texts(report_.policy->findings); }

  archive::MemoryStorage storage_;
  const Timestamp now_ = *ParseTime("2026-06-30T12:00:00Z");
  Policy policy_{.file = "p", .profile = std::nullopt, .reclassify = {}, .require = {}};
  Report report_;
  std::vector<UnmetEntry> unmet_;
};

TEST_F(ApplyPolicyTest, SeveritiesTakePartInCountsAndVerdict) {
  ArchiveReport& archive = AddArchive("d/a", "h");
  AddFinding(archive, "ARC-1303"_clause, Severity::kError);
  AddFinding(archive, "ARC-1303"_clause, Severity::kError, 39);
  AddFinding(archive, "ARC-1003"_clause, Severity::kWarning);
  AddEntry("ARC-1303"_clause, Severity::kInfo);
  Apply();
  const ArchiveReport& judged = report_.archives[0];
  EXPECT_TRUE(judged.conformant);
  EXPECT_EQ(judged.counts.error, 0U);
  EXPECT_EQ(judged.counts.info, 40U);
  EXPECT_EQ(judged.counts.warning, 1U);
  ASSERT_TRUE(judged.findings[1].reclassified);
  EXPECT_EQ(judged.findings[1].reclassified->from, Severity::kError);
  EXPECT_EQ(judged.findings[1].reclassified->line, 10U);
  EXPECT_EQ(judged.findings[1].reclassified->reason, "because");
  EXPECT_FALSE(judged.findings[2].reclassified);
  EXPECT_EQ(report_.policy->entries[0].findings, 40U);
  EXPECT_EQ(report_.policy->entries[0].archives, 1U);
  EXPECT_EQ(ExitStatusOf(report_, Severity::kWarning), ExitStatus::kFindings);
  EXPECT_EQ(ExitStatusOf(report_, Severity::kError), ExitStatus::kOk);
  EXPECT_THAT(AboutEntries(), IsEmpty());
}

TEST_F(ApplyPolicyTest, AFindingThatBecomesGraverTakesTheVerdict) {
  AddFinding(AddArchive("d/a", "h"), "ARC-1003"_clause, Severity::kWarning);
  AddEntry("ARC-1003"_clause, Severity::kError);
  Apply();
  EXPECT_FALSE(report_.archives[0].conformant);
  EXPECT_TRUE(report_.archives[0].readable);
  EXPECT_EQ(ExitStatusOf(report_, Severity::kError), ExitStatus::kFindings);
}

TEST_F(ApplyPolicyTest, APlaceIsAnArchiveAndAHost) {
  for (const auto& [name, host] : {std::pair("web/a", "one"), {"web/a", "two"}, {"db/a", "one"}}) {
    AddFinding(AddArchive(name, host), "ARC-1303"_clause, Severity::kError);
  }
  Reclassify& entry = AddEntry("ARC-1303"_clause, Severity::kWarning);
  entry.where = {.archive = "web/*", .host = "o?e"};
  // A set has no host.
  ArchiveReport& set = AddArchive("web/all", "one");
  set.label.reset();
  set.members = {"web/a", "web/b"};
  AddFinding(set, "ARC-1303"_clause, Severity::kError);
  Apply();
  std::vector<bool> conformant;
  for (const ArchiveReport& archive : report_.archives) conformant.push_back(archive.conformant);
  EXPECT_THAT(conformant, ElementsAre(true, false, false, false));
}

TEST_F(ApplyPolicyTest, APlaceIsAMetric) {
  ArchiveReport& archive = AddArchive("d/a", "h");
  AddFinding(archive, "ARC-1303"_clause, Severity::kError).metric = {"disk.dev.read"};
  AddFinding(archive, "ARC-1303"_clause, Severity::kError).metric = {"mem.free", "disk.alias"};
  AddFinding(archive, "ARC-1303"_clause, Severity::kError).metric = {"29.0.1"};
  AddFinding(archive, "ARC-1303"_clause, Severity::kError);
  AddEntry("ARC-1303"_clause, Severity::kInfo).where.metric = "disk.*";
  AddEntry("ARC-1303"_clause, Severity::kWarning).where.metric = "29.*";
  Apply();
  const ArchiveReport& judged = report_.archives[0];
  std::vector<Severity> severities;
  for (const Finding& finding : judged.findings) severities.push_back(finding.severity);
  EXPECT_THAT(severities,
              ElementsAre(Severity::kInfo, Severity::kInfo, Severity::kWarning, Severity::kError));
  EXPECT_EQ(judged.counts.error, 1U);
  EXPECT_EQ(judged.counts.info, 2U);
  EXPECT_THAT(AboutEntries(), IsEmpty());
}

TEST_F(ApplyPolicyTest, WhatStandsForSeveralIsDividedByTheirMetrics) {
  ArchiveReport& archive = AddArchive("d/a", "h");
  AddFinding(archive, "ARC-1303"_clause, Severity::kError).metric = {"b.1"};
  Finding& rest = AddFinding(archive, "ARC-1303"_clause, Severity::kError, 100);
  rest.metric = {"a.1"};
  rest.message = "at this place";
  rest.offset = 10;
  rest.folded = {{.metric = {"a.1"}, .count = 30, .file = "a.0", .offset = 90},
                 {.metric = {"a.2"}, .count = 20, .file = "a.0", .offset = 80},
                 {.metric = {"b.1"}, .count = 10, .file = "a.0", .offset = 70},
                 {.metric = {"b.2"}, .count = 5, .file = "a.1", .part = 1, .offset = 60}};
  Finding& after = AddFinding(archive, "ARC-1003"_clause, Severity::kWarning);
  after.follows = 1;
  AddEntry("ARC-1303"_clause, Severity::kInfo).where.metric = "b.*";
  Apply();
  const ArchiveReport& judged = report_.archives[0];
  EXPECT_EQ(judged.counts.error, 85U);
  EXPECT_EQ(judged.counts.info, 16U);
  ASSERT_THAT(judged.findings, SizeIs(4));
  EXPECT_EQ(judged.findings[0].severity, Severity::kInfo);
  EXPECT_EQ(judged.findings[1].count, 85U);
  EXPECT_EQ(judged.findings[1].message, "at this place");
  EXPECT_EQ(judged.findings[1].offset, 10U);
  EXPECT_EQ(judged.findings[2].count, 15U);
  EXPECT_EQ(judged.findings[2].severity, Severity::kInfo);
  EXPECT_EQ(judged.findings[2].message, "findings about b.1 and 1 more metric");
  EXPECT_EQ(judged.findings[2].offset, 70U);
  EXPECT_EQ(judged.findings[3].follows, 1U);
  EXPECT_EQ(report_.policy->entries[0].findings, 16U);
}

TEST_F(ApplyPolicyTest, WhatIsOnlyCountedFitsNoMetric) {
  ArchiveReport& archive = AddArchive("d/a", "h");
  AddFinding(archive, "ARC-1303"_clause, Severity::kError, 7).metric = {"a.1"};
  AddEntry("ARC-1303"_clause, Severity::kInfo).where.metric = "a.*";
  Apply();
  EXPECT_EQ(report_.archives[0].counts.error, 7U);
  EXPECT_THAT(AboutEntries(),
              ElementsAre(HasSubstr("fits no finding: those of the rule are not about such a "
                                    "metric: ARC-1303 is info where metric is a.*")));
}

TEST_F(ApplyPolicyTest, WhatIsFatalStaysSo) {
  ArchiveReport& archive = AddArchive("d/a", "h");
  AddFinding(archive, "ARC-1601"_clause, Severity::kFatal, 3);
  AddEntry("ARC-1601"_clause, Severity::kInfo);
  Apply();
  EXPECT_FALSE(report_.archives[0].readable);
  EXPECT_FALSE(report_.archives[0].conformant);
  EXPECT_EQ(report_.archives[0].counts.fatal, 3U);
  EXPECT_EQ(report_.policy->entries[0].fatal, 3U);
  EXPECT_THAT(AboutEntries(),
              ElementsAre("POL-002 info 10 fits only findings that are fatal, and these stay so: "
                          "ARC-1601 is info"));
}

TEST_F(ApplyPolicyTest, TheFirstEntryThatFitsCounts) {
  AddFinding(AddArchive("d/a", "h"), "ARC-1303"_clause, Severity::kError);
  AddEntry("ARC-1303"_clause, Severity::kWarning);
  AddEntry("ARC-1303"_clause, Severity::kInfo);
  Apply();
  EXPECT_EQ(report_.archives[0].counts.warning, 1U);
  EXPECT_THAT(AboutEntries(), ElementsAre("POL-002 info 20 fits only findings that an entry before "
                                          "it has taken: ARC-1303 is info"));
}

TEST_F(ApplyPolicyTest, WhatHasExpiredIsNotAppliedAndDoesNotStandInTheWay) {
  AddFinding(AddArchive("d/a", "h"), "ARC-1303"_clause, Severity::kError);
  Reclassify& expired = AddEntry("ARC-1303"_clause, Severity::kInfo);
  expired.until_text = "2026-06-29";
  expired.until = ParseTime("2026-06-30");
  Reclassify& last_day = AddEntry("ARC-1303"_clause, Severity::kWarning);
  last_day.until_text = "2026-06-30";
  last_day.until = ParseTime("2026-07-01");
  Apply();
  EXPECT_EQ(report_.archives[0].counts.warning, 1U);
  EXPECT_TRUE(report_.policy->entries[0].expired);
  EXPECT_EQ(report_.policy->entries[0].findings, 1U);
  EXPECT_FALSE(report_.policy->entries[1].expired);
  EXPECT_THAT(
      AboutEntries(),
      ElementsAre("POL-001 warning 10 expired on 2026-06-29 and is not applied: ARC-1303 is "
                  "info"));
  EXPECT_EQ(ExitStatusOf(report_, Severity::kWarning), ExitStatus::kFindings);
}

TEST_F(ApplyPolicyTest, WhatFitsNothingIsAFinding) {
  AddArchive("d/a", "h");
  AddEntry("ARC-1303"_clause, Severity::kWarning);
  Apply();
  EXPECT_THAT(AboutEntries(), ElementsAre("POL-002 info 10 fits no finding: ARC-1303 is warning"));
  EXPECT_EQ(ExitStatusOf(report_, Severity::kWarning), ExitStatus::kOk);
  EXPECT_EQ(ExitStatusOf(report_, Severity::kInfo), ExitStatus::kFindings);
}

TEST_F(ApplyPolicyTest, WhatWasNotCheckedCanFitNothing) {
  AddArchive("d/a", "h").not_checked = {{"ARC-1303", "--rule leaves it out"}};
  AddEntry("ARC-1303"_clause, Severity::kWarning);
  Apply();
  EXPECT_THAT(AboutEntries(), IsEmpty());
}

TEST_F(ApplyPolicyTest, NothingFollowsFromWhatIsLessGrave) {
  ArchiveReport& archive = AddArchive("d/a", "h");
  AddFinding(archive, "ARC-1303"_clause, Severity::kError);
  AddFinding(archive, "ARC-1801"_clause, Severity::kError).follows = 0;
  AddFinding(archive, "ARC-1003"_clause, Severity::kInfo).follows = 0;
  AddEntry("ARC-1303"_clause, Severity::kWarning);
  Apply();
  EXPECT_FALSE(report_.archives[0].findings[1].follows);
  EXPECT_EQ(report_.archives[0].findings[2].follows, 0U);
  EXPECT_FALSE(report_.archives[0].conformant);
}

// What the base archive of ARC-1000 has: six records a second apart, of testhost in UTC.
class RequireTest : public ApplyPolicyTest {
 protected:
  std::vector<std::string> Unmet(const Require& require) {
    generators::Encode(plan_).Store("d/a", &storage_);
    report_ = {};
    AddArchive("d/a", "testhost");
    policy_.require = {require};
    policy_.require[0].line = 7;
    Apply();
    EXPECT_FALSE(report_.archives[0].failure);
    EXPECT_TRUE(report_.archives[0].conformant);
    EXPECT_EQ(report_.policy->entries[0].archives, 1U);
    EXPECT_EQ(report_.policy->entries[0].findings, report_.archives[0].unmet.empty() ? 0U : 1U);
    return Texts(report_.archives[0].unmet);
  }

  static constexpr std::int64_t kSecond = 1'000'000'000;
  generators::ArchivePlan plan_ = generators::BaseArchive(3);
};

TEST_F(RequireTest, WhatTheArchiveHasIsMet) {
  Require require;
  require.metrics = {"m.cnt", "m.*"};
  require.min_span = 5 * kSecond;
  require.max_interval = kSecond;
  require.max_gap = kSecond;
  require.hosts = {"other", "test*"};
  require.label_keys = {"hostname"};
  require.time_zones = {"UTC"};
  require.compression = {"none"};
  require.versions = {2, 3};
  EXPECT_THAT(Unmet(require), IsEmpty());
}

TEST_F(RequireTest, WhatItHasNotIsAFindingForEachFact) {
  Require require;
  require.metrics = {"m.cnt", "disk.*", "m.cn"};
  require.min_span = 5 * kSecond + 1;
  require.max_interval = kSecond / 2;
  require.max_gap = kSecond - 1;
  require.hosts = {"web*"};
  require.label_keys = {"datacenter", "rack"};
  require.time_zones = {"Europe/*", "GMT"};
  require.compression = {"zstd", "xz"};
  require.versions = {2};
  EXPECT_THAT(
      Unmet(require),
      ElementsAre("POL-101 error 7 there is no metric \"disk.*\" and no \"m.cn\"",
                  "POL-106 error 7 the archive has no label \"datacenter\" and no \"rack\"",
                  "POL-102 error 7 the span is 5.000 s, less than 5.000 s",
                  "POL-103 error 7 the typical interval of records is 1.000 s, more than "
                  "500.000 ms",
                  "POL-104 error 7 there is no data record for 1.000 s after "
                  "2023-11-14T22:13:20.000000000Z, more than 999.999 ms",
                  "POL-105 error 7 the host is \"testhost\", not \"web*\"",
                  "POL-107 error 7 the time zone is \"UTC\" (\"UTC\"), not \"Europe/*\" or "
                  "\"GMT\"",
                  "POL-109 error 7 the version is 3, not 2",
                  "POL-108 error 7 the compression of a.0 is none, not \"zstd\" or \"xz\""));
  EXPECT_EQ(ExitStatusOf(report_, Severity::kError), ExitStatus::kFindings);
}

// A mark says that nothing is known there, and nothing is.
TEST_F(RequireTest, AMarkIsNoRecordThatEndsAGap) {
  auto& records = plan_.volumes[0];
  for (std::size_t i = 3; i < records.size(); ++i) records[i].time.seconds += 100;
  records.insert(records.begin() + 3, archive::ResultModel{{generators::kBaseTime + 50, 0}, {}});
  plan_.index.clear();
  Require require;
  require.max_gap = 60 * kSecond;
  EXPECT_THAT(Unmet(require), ElementsAre(HasSubstr("POL-104 error 7 there is no data record for 1 "
                                                    "min 41 s after 2023-11-14T22:13:22.")));
}

TEST_F(RequireTest, TheSeverityIsThatOfTheEntry) {
  Require require;
  require.versions = {2};
  require.severity = Severity::kInfo;
  EXPECT_THAT(Unmet(require), ElementsAre(HasSubstr("POL-109 info 7")));
  EXPECT_EQ(ExitStatusOf(report_, Severity::kWarning), ExitStatus::kOk);
}

TEST_F(RequireTest, WhatIsRequiredElsewhereIsNotRequiredHere) {
  generators::Encode(plan_).Store("d/a", &storage_);
  AddArchive("d/a", "testhost");
  Require require;
  require.versions = {2};
  require.where.host = "other";
  policy_.require = {require};
  Apply();
  EXPECT_THAT(report_.archives[0].unmet, IsEmpty());
  EXPECT_THAT(AboutEntries(),
              ElementsAre("POL-002 info 0 fits no archive that has a verdict: version "
                          "one of 2 where host is other"));
}

TEST_F(RequireTest, OfADamagedArchiveWhatCanBeReadCounts) {
  generators::ArchiveImage image = generators::Encode(plan_);
  image.Truncate("0", image.Records("0")[3] + 5);
  image.Store("d/a", &storage_);
  AddArchive("d/a", "testhost");
  Require require;
  require.min_span = 5 * kSecond;
  policy_.require = {require};
  Apply();
  EXPECT_THAT(Texts(report_.archives[0].unmet),
              ElementsAre("POL-102 error 0 the span is 1.000 s, less than 5.000 s"));
}

TEST_F(RequireTest, WhatCannotBeReadAgainHasNoVerdict) {
  AddArchive("d/gone", "testhost");
  Require require;
  require.versions = {3};
  policy_.require = {require};
  Apply();
  EXPECT_TRUE(report_.archives[0].failure);
  EXPECT_FALSE(report_.archives[0].conformant);
  EXPECT_EQ(ExitStatusOf(report_, Severity::kError), ExitStatus::kUnreadable);
}

TEST_F(RequireTest, WhatHasNoVerdictIsHeldAgainstNothing) {
  report_.archives.push_back(validator::testing::FailedArchive());
  Require require;
  require.versions = {3};
  policy_.require = {require};
  Apply();
  ASSERT_THAT(report_.archives[0].not_checked, SizeIs(1));
  EXPECT_EQ(report_.archives[0].not_checked[0].what, "what the policy requires");
  EXPECT_THAT(AboutEntries(), SizeIs(1));
}

TEST_F(RequireTest, AnExplanationTellsOfEachEntry) {
  generators::Encode(plan_).Store("d/a", &storage_);
  AddFinding(AddArchive("d/a", "testhost"), "ARC-1303"_clause, Severity::kError);
  AddEntry("ARC-1303"_clause, Severity::kInfo).until_text = "2026-12-31";
  Require require;
  require.line = 20;
  require.versions = {2};
  policy_.require = {require};
  AddEntry("ARC-1003"_clause, Severity::kError).line = 30;
  const Verdicts before(report_);
  Apply();
  std::ostringstream out;
  ExplainPolicy(before, report_, unmet_, Screen(), out);
  EXPECT_EQ(out.str(),
            "p: 2 reclassifications, 1 requirement; profile archival\n"
            "\n"
            "line 10   ARC-1303 is info\n"
            "          until 2026-12-31: because\n"
            "          fits 1 finding in 1 archive\n"
            "\n"
            "line 20   version one of 2\n"
            "          is not so of 1 of 1 archive\n"
            "          error    POL-109  d/a: the version is 3, not 2\n"
            "\n"
            "line 30   ARC-1003 is error\n"
            "          because\n"
            "          info     POL-002  fits no finding\n"
            "\n"
            "without the policy: 1 archive: 1 not conformant (1 error)\n"
            "with it:            1 archive: 1 conformant (1 info); policy: 1 error, 1 info\n"
            "  becomes conformant:     d/a\n");
}

// As in JSON of one line.
TEST_F(RequireTest, EntriesOfOneLineAreToldApart) {
  generators::Encode(plan_).Store("d/a", &storage_);
  AddArchive("d/a", "testhost");
  Require versions;
  versions.line = 1;
  versions.versions = {2};
  Require hosts;
  hosts.line = 1;
  hosts.hosts = {"testhost"};
  Require zones;
  zones.line = 1;
  zones.time_zones = {"GMT"};
  policy_.require = {versions, hosts, zones};
  AddEntry("ARC-1303"_clause, Severity::kError).line = 1;
  AddEntry("ARC-1003"_clause, Severity::kError).line = 1;
  const Verdicts before(report_);
  Apply();
  std::ostringstream out;
  ExplainPolicy(before, report_, unmet_, Screen(), out);
  EXPECT_THAT(out.str(), HasSubstr("line 1    ARC-1303 is error\n"
                                   "          because\n"
                                   "          info     POL-002  fits no finding\n"
                                   "\n"
                                   "line 1    ARC-1003 is error\n"
                                   "          because\n"
                                   "          info     POL-002  fits no finding\n"
                                   "\n"
                                   "line 1    version one of 2\n"
                                   "          is not so of 1 of 1 archive\n"
                                   "          error    POL-109  d/a: the version is 3, not 2\n"
                                   "\n"
                                   "line 1    host one of testhost\n"
                                   "          is so of 1 archive\n"
                                   "\n"
                                   "line 1    time zone one of GMT\n"
                                   "          is not so of 1 of 1 archive\n"));
}

}  // namespace
}  // namespace pmproof::validator::policy

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "validator/policy/policy.h"

namespace pmproof::validator::policy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::int64_t kSecond = 1'000'000'000;
const std::string kHead = "schema = \"pmproof-policy/1\"\n";

class ParsePolicyTest : public ::testing::Test {
 protected:
  Result<Policy> Parse(const std::string& text) const { return ParsePolicy(text, "p", catalogue_); }

  // What is wrong, after the file; the head is line 1.
  std::string Wrong(const std::string& text) const {
    const Result<Policy> policy = Parse(kHead + text);
    return policy ? "" : policy.error().ToText().substr(3);
  }

  // An entry of reclassify, from line 2 on: rule, severity, reason in lines 3 to 5, then `text`.
  std::string WrongEntry(const std::string& rule, const std::string& severity,
                         const std::string& text) const {
    return Wrong("[[reclassify]]\nrule = \"" + rule + "\"\nseverity = \"" + severity +
                 "\"\nreason = \"r\"\n" + text);
  }

  const Catalogue catalogue_ = Catalogue::Shipped();
};

TEST_F(ParsePolicyTest, ReadsAllThatAPolicyCanSay) {
  const Result<Policy> policy = Parse(kHead + R"(profile = "ingest"

[[reclassify]]
rule = "ARC-1227"
severity = "info"
reason = "the lab names hosts by rack"
until = 2026-12-31
where = { archive = "lab/*", host = "rack*" }

[[require]]
severity = "warning"
reason = "capacity plans need it"
where.host = "web*"
metrics = ["disk.dev.*", "mem.util.free"]
min_span = "23.5h"
max_interval = "60s"
max_gap = "5min"
hosts = ["*.example.com"]
label_keys = ["datacenter"]
time_zones = ["UTC"]
compression = ["zstd", "none"]
versions = [3]
)");
  ASSERT_TRUE(policy) << policy.error().ToText();
  EXPECT_EQ(policy->profile, Profile::kIngest);
  ASSERT_THAT(policy->reclassify, SizeIs(1));
  const Reclassify& entry = policy->reclassify[0];
  EXPECT_EQ(entry.line, 4U);
  EXPECT_EQ(entry.rule, "ARC-1227"_clause);
  EXPECT_EQ(entry.severity, Severity::kInfo);
  EXPECT_EQ(entry.until_text, "2026-12-31");
  EXPECT_EQ(entry.until, ParseTime("2027-01-01"));  // all of that day is in
  EXPECT_EQ(Describe(entry), "ARC-1227 is info where archive is lab/* and host is rack*");
  ASSERT_THAT(policy->require, SizeIs(1));
  const Require& require = policy->require[0];
  EXPECT_EQ(require.line, 11U);
  EXPECT_EQ(require.severity, Severity::kWarning);
  EXPECT_THAT(require.metrics, ElementsAre("disk.dev.*", "mem.util.free"));
  EXPECT_EQ(require.min_span, 84'600 * kSecond);
  EXPECT_EQ(require.max_interval, 60 * kSecond);
  EXPECT_EQ(require.max_gap, 300 * kSecond);
  EXPECT_THAT(require.versions, ElementsAre(3));
  EXPECT_EQ(
      Describe(require),
      "metrics disk.dev.*, mem.util.free; span at least 23 h 30 min; interval at most 1 min "
      "00 s; gaps at most 5 min 00 s; host one of *.example.com; labels datacenter; time zone "
      "one of UTC; compression one of zstd, none; version one of 3 where host is web*");
}

TEST_F(ParsePolicyTest, JsonSaysTheSame) {
  const Result<Policy> policy = Parse(R"({"schema": "pmproof-policy/1",
"reclassify": [
  {"rule": "ARC-1227", "severity": "info", "reason": "r",
   "until": "2026-12-31"}],
"require": [{"versions": [2, 3]}]})");
  ASSERT_TRUE(policy) << policy.error().ToText();
  EXPECT_EQ(policy->reclassify[0].line, 3U);
  EXPECT_EQ(policy->reclassify[0].until, ParseTime("2027-01-01"));
  EXPECT_EQ(policy->require[0].line, 5U);
  EXPECT_FALSE(policy->profile);
}

TEST_F(ParsePolicyTest, NothingMoreThanTheSchemaIsNeeded) { EXPECT_EQ(Wrong(""), ""); }

TEST_F(ParsePolicyTest, TheSchemaIsNeeded) {
  EXPECT_EQ(Parse("").error().ToText(),
            "p: line 1: a policy has schema = \"pmproof-policy/1\", which this program knows");
  EXPECT_THAT(Parse("\nschema = \"pmproof-policy/2\"").error().ToText(), HasSubstr("p: line 2: "));
  EXPECT_THAT(Parse("\nschema = 1").error().ToText(), HasSubstr("p: line 2: "));
}

TEST_F(ParsePolicyTest, WhatIsUnknownHasItsLine) {
  EXPECT_EQ(Wrong("\nprofil = \"live\""),
            "line 3: the policy has no member \"profil\"; it has schema, profile, reclassify, "
            "require");
  EXPECT_EQ(Wrong("profile = \"dead\""), "line 2: profile is none of archival, live, ingest");
  EXPECT_EQ(Wrong("reclassify = 1"),
            "line 2: reclassify is an integer, not a list of tables: [[reclassify]]");
  EXPECT_EQ(Wrong("reclassify = [1]"), "line 2: an entry of reclassify is an integer, not a table");
  EXPECT_EQ(WrongEntry("ARC-1227", "error", "untill = 2026-01-01"),
            "line 6: an entry of reclassify has no member \"untill\"; it has rule, severity, "
            "reason, until, where");
  EXPECT_EQ(WrongEntry("ARC-1227", "error", "where.hosts = \"a\""),
            "line 6: where has no member \"hosts\"; it has archive, host, metric");
  EXPECT_EQ(WrongEntry("ARC-1227", "error", "where = {}"),
            "line 6: where is empty; it has one or more of archive, host, metric");
}

TEST_F(ParsePolicyTest, AnEntryHasRuleSeverityAndReason) {
  EXPECT_EQ(Wrong("\n[[reclassify]]\nrule = \"ARC-1227\"\nseverity = \"error\""),
            "line 3: an entry of reclassify needs reason");
  EXPECT_EQ(WrongEntry("ARC-9999", "error", ""),
            "line 3: there is no rule \"ARC-9999\"; pmproof list lists them");
  EXPECT_EQ(WrongEntry("nonsense", "error", ""),
            "line 3: there is no rule \"nonsense\"; pmproof list lists them");
  EXPECT_EQ(WrongEntry("ARC-1227", "fatal", ""),
            "line 4: severity is none of error, warning, info");
}

TEST_F(ParsePolicyTest, NoPolicyMakesAnArchiveReadable) {
  EXPECT_THAT(WrongEntry("ARC-1102", "info", "until = 2026-01-01"),
              HasSubstr("line 3: ARC-1102 is fatal"));
  // Fatal but in the last record.
  EXPECT_EQ(WrongEntry("ARC-1601", "info", "until = 2026-01-01"), "");
}

TEST_F(ParsePolicyTest, WhatBecomesLessGraveDoesSoForATime) {
  EXPECT_EQ(WrongEntry("ARC-1227", "info", ""),
            "line 2: findings of ARC-1227 become less grave: until = YYYY-MM-DD says how long that "
            "is to be so");
  // A warning, but in profile ingest.
  EXPECT_THAT(WrongEntry("ARC-1227", "warning", ""), HasSubstr("become less grave"));
  EXPECT_EQ(WrongEntry("ARC-1227", "error", ""), "");
}

TEST_F(ParsePolicyTest, UntilIsADay) {
  for (const char* day : {"\"2026-02-30\"", "\"soon\"", "\"2026-01-01T00:00:00Z\"",
                          "\"@170000000\"", "2026-01-01T00:00:00Z", "1"}) {
    EXPECT_THAT(WrongEntry("ARC-1227", "info", std::string("until = ") + day),
                HasSubstr("line 6: until is "))
        << day;
  }
}

TEST_F(ParsePolicyTest, WhatIsRequiredIsSomething) {
  EXPECT_THAT(Wrong("[[require]]\nreason = \"r\""),
              HasSubstr("line 2: an entry of require requires nothing"));
  EXPECT_EQ(Wrong("[[require]]\nmetrics = []"), "line 3: metrics is an empty list");
  EXPECT_EQ(Wrong("[[require]]\nmetrics = \"a\""), "line 3: metrics is a text, not a list");
  EXPECT_EQ(Wrong("[[require]]\nmetrics = [\"\"]"), "line 3: an item of metrics is empty");
  EXPECT_EQ(Wrong("[[require]]\nmetrics = [1]"),
            "line 3: an item of metrics is an integer, not a text");
  EXPECT_EQ(Wrong("[[require]]\nversions = [1]"), "line 3: versions are 2 and 3");
  EXPECT_EQ(Wrong("[[require]]\ncompression = [\"zip\"]"),
            "line 3: \"zip\" is no compression; there are none, xz, lzma, bz2, gz, compress, zstd");
  for (const char* time : {"\"fast\"", "\"0s\"", "\"-1s\"", "\"\"", "60"}) {
    EXPECT_THAT(Wrong(std::string("[[require]]\nmax_gap = ") + time),
                HasSubstr("line 3: max_gap is "))
        << time;
  }
}

TEST_F(ParsePolicyTest, ListsAreBounded) {
  std::string many = "[[require]]\nversions = [3";
  for (std::size_t i = 0; i < kMostItems; ++i) many += ",3";
  EXPECT_EQ(Wrong(many + "]"), "line 3: versions has more than 1000 items");
  std::string entries;
  for (std::size_t i = 0; i <= kMostEntries; ++i) entries += "[[require]]\nversions=[3]\n";
  EXPECT_EQ(Wrong(entries), "line 2: require has more than 1000 entries");
}

}  // namespace
}  // namespace pmproof::validator::policy

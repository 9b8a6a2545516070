// SPDX-License-Identifier: Apache-2.0
#include "validator/check/set_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/testing/compress.h"
#include "validator/check/check.h"

namespace pmproof::validator {
namespace {

using archive::DescModel;
using generators::ArchiveImage;
using generators::ArchivePlan;
using generators::BaseArchive;
using generators::kBaseTime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The base archive (ARC-1000) `seconds` later.
ArchivePlan Base(int version, std::int64_t seconds) {
  ArchivePlan plan = BaseArchive(version);
  plan.label.start.seconds += seconds;
  for (auto& record : plan.meta) {
    if (auto* indom = std::get_if<archive::IndomModel>(&record)) indom->time.seconds += seconds;
    if (auto* label = std::get_if<archive::LabelRecordModel>(&record)) {
      label->time.seconds += seconds;
    }
  }
  for (auto& [number, results] : plan.volumes) {
    for (auto& result : results) result.time.seconds += seconds;
  }
  for (auto& entry : plan.index) entry.time.seconds += seconds;
  return plan;
}

DescModel& Counter(ArchivePlan& plan) { return std::get<DescModel>(plan.meta[0]); }

// Each test makes an archive d/a of T..T+5 and a second one d/b, and checks both as a set.
class SetCheckTest : public ::testing::TestWithParam<int> {
 protected:
  SetCheckTest() : catalogue_(Catalogue::Shipped()) {
    options_.now = {kBaseTime + 1000, 0};
    options_.max_findings = 20;
    Put("d/a", first_);
  }

  void Put(const std::string& path, const ArchivePlan& plan) {
    Encode(plan).Store(path, &storage_);
  }

  // The report of the set, the last one.
  const ArchiveReport& Check(const std::vector<std::string>& arguments = {"d/a,d/b"}) {
    report_ = CheckAll(storage_, arguments, catalogue_, options_, nullptr);
    return report_.archives.back();
  }

  std::vector<std::string> Rules(const std::vector<std::string>& arguments = {"d/a,d/b"}) {
    std::vector<std::string> rules;
    const ArchiveReport& set = Check(arguments);
    EXPECT_THAT(set.members, ::testing::Not(IsEmpty())) << "no set was checked";
    for (const Finding& finding : set.findings) {
      rules.push_back(finding.rule.ToString() + " " + ToText(finding.severity));
    }
    return rules;
  }

  const Finding& Only() const { return report_.archives.back().findings.at(0); }

  std::size_t Sets() const {
    std::size_t sets = 0;
    for (const ArchiveReport& archive : report_.archives) sets += archive.members.empty() ? 0 : 1;
    return sets;
  }

  const Catalogue catalogue_;
  CheckOptions options_;
  archive::MemoryStorage storage_;
  ArchivePlan first_ = Base(GetParam(), 0);
  ArchivePlan second_ = Base(GetParam(), 5);  // begins where the first one ends
  Report report_;
};

TEST_P(SetCheckTest, ArchivesThatFollowEachOtherHaveNoFinding) {
  Put("d/b", second_);
  EXPECT_THAT(Rules(), IsEmpty());
  EXPECT_TRUE(report_.archives.back().conformant);
}

TEST_P(SetCheckTest, TheReportNamesTheListAndItsMembers) {
  Put("d/b", second_);
  const ArchiveReport& set = Check({"d/b,d/a"});
  EXPECT_EQ(set.archive, "d/b,d/a");
  EXPECT_THAT(set.members, ElementsAre("d/b", "d/a"));
  EXPECT_THAT(report_.archives, SizeIs(3));
}

TEST_P(SetCheckTest, TheSummaryIsOfAllMembers) {
  Put("d/b", second_);
  const ArchiveReport& set = Check();
  EXPECT_EQ(set.summary.files, 6U);
  EXPECT_EQ(set.summary.records, 12U);
  EXPECT_EQ(set.summary.metrics, 10U);
  EXPECT_EQ(set.summary.start, (Timestamp{kBaseTime, 0}));
  EXPECT_EQ(set.summary.finish, (Timestamp{kBaseTime + 10, 0}));
  EXPECT_EQ(set.archive_version, GetParam());
}

TEST_P(SetCheckTest, AnotherHostIsARC2101) {
  second_.label.host = "other";
  Put("d/b", second_);
  EXPECT_THAT(Rules(), ElementsAre("ARC-2101 fatal"));
  EXPECT_EQ(Only().file, "d/b.0");
  EXPECT_EQ(Only().actual, "other");
  EXPECT_EQ(Only().expected, "testhost");
  EXPECT_EQ(Only().part, 0);
}

TEST_P(SetCheckTest, OverlapIsARC2102) {
  Put("d/b", Base(GetParam(), 3));
  EXPECT_THAT(Rules(), ElementsAre("ARC-2102 error"));
  EXPECT_EQ(Only().offset, 12U);
  EXPECT_THAT(Only().message, HasSubstr("2.000 s before d/a ends"));
}

TEST_P(SetCheckTest, EqualStartsAreARC2103) {
  Put("d/b", Base(GetParam(), 0));
  EXPECT_THAT(Rules(), ElementsAre("ARC-2103 fatal"));
  EXPECT_EQ(Only().file, "d/b.0");
}

TEST_P(SetCheckTest, AnotherTypeIsARC2104) {
  Counter(second_).descriptor.type = MetricType::kU64;
  Put("d/b", second_);
  EXPECT_THAT(Rules(), ElementsAre("ARC-2104 fatal"));
  EXPECT_EQ(Only().file, "d/b.meta");
  EXPECT_EQ(Only().part, archive::kMetaPart);
  EXPECT_EQ(Only().offset, archive::LayoutOf(GetParam()).label);
  EXPECT_EQ(Only().actual, "u64");
}

TEST_P(SetCheckTest, AnotherNameIsARC2105) {
  Counter(second_).names = {"m.renamed"};
  Put("d/b", second_);
  EXPECT_THAT(Rules(), ElementsAre("ARC-2105 warning"));
}

TEST_P(SetCheckTest, AnotherMetricOfANameIsARC2106) {
  Counter(second_).descriptor.pmid = Pmid::Of(29, 0, 66);
  Put("d/b", second_);
  EXPECT_THAT(Rules(), ElementsAre("ARC-2106 error"));
}

// Test idea 46 of the specification.
TEST_P(SetCheckTest, JunkInADirectoryIsARC2107) {
  Put("d/b", second_);
  storage_.files["d/c.meta"] = {1, 2, 3, 4};
  storage_.files["d/c.0"] = {1, 2, 3, 4};
  options_.sets = true;
  EXPECT_THAT(Rules({"d"}), ElementsAre("ARC-2107 error"));
  EXPECT_EQ(Only().file, "d/c");
  EXPECT_EQ(Only().part, archive::kWholeArchive);
  EXPECT_THAT(Only().message, HasSubstr("later versions pass over it"));
}

TEST_P(SetCheckTest, AMemberThatBreaksOffIsARC2107AndComparedAllTheSame) {
  ArchiveImage image = Encode(second_);
  image.Truncate("0", image.files["0"].size() - 10);
  image.Store("d/b", &storage_);
  EXPECT_THAT(Rules(), ElementsAre("ARC-2107 error"));
  EXPECT_THAT(Only().message, HasSubstr("cannot be read to its end"));
}

TEST_P(SetCheckTest, AMemberThatCannotBeOpenedIsNotComparedAndSaidToBe) {
  second_.label.host = "other";
  ArchiveImage image = Encode(second_);
  image.Truncate("meta", image.files["meta"].size() - 10);
  image.Store("d/b", &storage_);
  EXPECT_THAT(Rules(), ElementsAre("ARC-2107 error"));
  ASSERT_THAT(report_.archives.back().not_checked, SizeIs(1));
  EXPECT_EQ(report_.archives.back().not_checked[0].what, "d/b against the rest of the set");
}

TEST_P(SetCheckTest, ASelectionOfRulesDoesNotHideADamagedMember) {
  ArchiveImage image = Encode(second_);
  image.Truncate("0", image.files["0"].size() - 10);
  image.Store("d/b", &storage_);
  options_.rules.only = {RulePart::kSet};
  EXPECT_THAT(Rules(), ElementsAre("ARC-2107 error"));
}

TEST_P(SetCheckTest, AnotherTimezoneIsARC2108) {
  second_.label.timezone = "EST5";
  Put("d/b", second_);
  EXPECT_THAT(Rules(), ElementsAre("ARC-2108 info"));
  EXPECT_EQ(Only().field, "timezone");
}

TEST_P(SetCheckTest, AnotherVersionIsARC2108) {
  Put("d/b", Base(5 - GetParam(), 5));
  EXPECT_THAT(Rules(), ElementsAre("ARC-2108 info"));
  EXPECT_EQ(Only().field, "version");
  EXPECT_EQ(report_.archives.back().archive_version, 0);
}

// Test idea 45.
TEST_P(SetCheckTest, TimeBetweenMembersIsARC2109) {
  Put("d/b", Base(GetParam(), 20));
  EXPECT_THAT(Rules(), ElementsAre("ARC-2109 info"));
  EXPECT_THAT(Only().message, HasSubstr("15.000 s after the end of d/a"));
}

TEST_P(SetCheckTest, TheOrderOfTheListDoesNotMatter) {
  Put("d/b", Base(GetParam(), 20));
  EXPECT_THAT(Rules({"d/b,d/a"}), ElementsAre("ARC-2109 info"));
  EXPECT_EQ(Only().file, "d/b.0");
}

TEST_P(SetCheckTest, CompressedMembersAreComparedToo) {
  Counter(second_).names = {"m.renamed"};
  Put("d/b", second_);
  auto plain = storage_.files.extract("d/b.meta");
  storage_.files["d/b.meta.xz"] =
      archive::testing::Compress(plain.mapped(), archive::Compression::kXz);
  EXPECT_THAT(Rules(), ElementsAre("ARC-2105 warning"));
  EXPECT_EQ(Only().file, "d/b.meta.xz");
}

TEST_P(SetCheckTest, ArgumentsByThemselvesAreNoSet) {
  Put("d/b", Base(GetParam(), 0));
  Check({"d/a", "d/b"});
  EXPECT_EQ(Sets(), 0U);
}

TEST_P(SetCheckTest, ADirectoryIsASetOnRequestOnly) {
  Put("d/b", Base(GetParam(), 0));
  Check({"d"});
  EXPECT_EQ(Sets(), 0U);
  options_.sets = true;
  EXPECT_THAT(Rules({"d"}), ElementsAre("ARC-2103 fatal"));
}

TEST_P(SetCheckTest, DirectoriesBelowAreSetsOfTheirOwn) {
  Put("d/e/x", Base(GetParam(), 0));
  Put("d/e/y", Base(GetParam(), 5));
  options_.sets = true;
  EXPECT_THAT(Rules({"d"}), IsEmpty());
  EXPECT_EQ(Sets(), 1U);
  EXPECT_EQ(report_.archives.back().archive, "d/e");
}

TEST_P(SetCheckTest, OneArchiveIsNoSet) {
  Check({"d/a,d/a"});
  EXPECT_EQ(Sets(), 0U);
}

TEST_P(SetCheckTest, WithoutRulesOnSetsNoneIsChecked) {
  Put("d/b", Base(GetParam(), 0));
  options_.rules.only = {RulePart::kLabel};
  Check();
  EXPECT_EQ(Sets(), 0U);
}

TEST_P(SetCheckTest, ManyChangesAreFolded) {
  for (std::size_t i = 0; i < second_.meta.size(); ++i) {
    if (auto* desc = std::get_if<DescModel>(&second_.meta[i]))
      desc->names = {"x.n" + std::to_string(i)};
  }
  Put("d/b", second_);
  options_.max_findings = 3;
  EXPECT_THAT(Rules(), SizeIs(4));
  EXPECT_EQ(report_.archives.back().counts.warning, 10U);
}

TEST_P(SetCheckTest, NamesOfArchivesThatLookLikeVolumesAreFoundAgain) {
  Put("d/20231114.10.0", second_);
  Put("d/20231114.10", Base(GetParam(), 20));
  options_.sets = true;
  Rules({"d"});
  for (const Finding& finding : report_.archives.back().findings) {
    EXPECT_NE(finding.rule, "ARC-2107"_clause) << finding.actual;
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, SetCheckTest, ::testing::Values(2, 3),
                         [](const auto& instance) { return "V" + std::to_string(instance.param); });

}  // namespace
}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/metadata_time_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "validator/check/rules/testing/order_walk.h"

namespace pmproof::validator {
namespace {

using archive::IndomModel;
using archive::LabelRecordModel;
using archive::RecordPosition;
using archive::RecordType;
using archive::testing::RecordingReporter;
using generators::ArchivePlan;
using generators::BaseArchive;
using testing::At;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::OrderWalk;

class MetadataTimeRulesTest : public ::testing::TestWithParam<int> {
 protected:
  ArchivePlan base() const { return BaseArchive(GetParam()); }

  // Records of the base archive's .meta by their place (ARC-1000).
  static IndomModel& FirstIndom(ArchivePlan& plan) { return std::get<IndomModel>(plan.meta.at(6)); }
  static IndomModel& LastIndom(ArchivePlan& plan) { return std::get<IndomModel>(plan.meta.back()); }
  static LabelRecordModel& ContextLabel(ArchivePlan& plan) {
    return std::get<LabelRecordModel>(plan.meta.at(11));
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, MetadataTimeRulesTest, ::testing::Values(2, 3));

TEST_P(MetadataTimeRulesTest, TheBaseArchiveIsClean) {
  EXPECT_THAT(OrderWalk(base()).Rules(), IsEmpty());
}

TEST_P(MetadataTimeRulesTest, MetadataBeforeTheLabelsStartIsReportedOnce) {
  ArchivePlan plan = base();
  ContextLabel(plan).time = At(-5);
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-2001"));
  const generators::ArchiveImage image = generators::Encode(plan);
  EXPECT_EQ(walk.Only().where.part, archive::kMetaPart);
  EXPECT_EQ(walk.Only().where.offset, image.Records("meta").at(12) + 8);
  EXPECT_EQ(walk.Only().where.record, 12u);
}

TEST_P(MetadataTimeRulesTest, AnInstanceDomainBeforeTheLabelsStartIsReportedOnce) {
  ArchivePlan plan = base();
  FirstIndom(plan).time = At(-5);
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-2001"));
}

TEST_P(MetadataTimeRulesTest, MetadataBehindTheLastRecordIsReportedOnce) {
  ArchivePlan plan = base();
  LastIndom(plan).time = At(50);
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-2002"));
}

TEST_P(MetadataTimeRulesTest, ALabelRecordThatGoesBackIsReported) {
  ArchivePlan plan = base();
  LabelRecordModel late = ContextLabel(plan);
  late.time = At(1);
  plan.meta.emplace_back(late);
  plan.index.back().meta_record = plan.meta.size();
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-2003"));
  EXPECT_EQ(walk.Only().where.record, 18u);
}

TEST_P(MetadataTimeRulesTest, AnInstanceDomainBehindALaterLabelRecordIsReported) {
  ArchivePlan plan = base();
  LabelRecordModel early = ContextLabel(plan);
  early.time = At(4);
  plan.meta.insert(plan.meta.end() - 1, early);
  plan.index[2].meta_record = plan.meta.size();
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-2003"));
}

TEST_P(MetadataTimeRulesTest, InstanceDomainsThatGoBackAgainstEachOtherAreLeftToArc1426) {
  ArchivePlan plan = base();
  IndomModel back = FirstIndom(plan);
  back.time = At(1);
  plan.meta.emplace_back(back);
  plan.index.back().meta_record = plan.meta.size();
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

TEST_P(MetadataTimeRulesTest, AnInstanceDomainBetweenRecordsIsCounted) {
  ArchivePlan plan = base();
  LastIndom(plan).time = At(3, 500'000'000);
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-2005"));
}

TEST_P(MetadataTimeRulesTest, ALabelRecordMayLieBetweenRecords) {
  ArchivePlan plan = base();
  LabelRecordModel between = ContextLabel(plan);
  between.time = At(3, 500'000'000);
  plan.meta.emplace_back(between);
  plan.index.back().meta_record = plan.meta.size();
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

TEST_P(MetadataTimeRulesTest, AMarkIsNoRecordForAnInstanceDomain) {
  ArchivePlan plan = base();
  LastIndom(plan).time = At(2, 1'000'000);
  plan.volumes[0].insert(plan.volumes[0].begin() + 3, {At(2, 1'000'000), {}});
  plan.index[1].data_record = 4;
  plan.index[2].data_record = 6;
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-2005"));
}

// The rules alone, over instance domains at the given times.
class IndomTimesTest : public ::testing::Test {
 protected:
  static std::vector<RecordPosition> Indoms(const std::vector<std::int64_t>& seconds) {
    std::vector<RecordPosition> meta;
    meta.reserve(seconds.size());
    for (const std::int64_t second : seconds) {
      meta.push_back(
          {132 + 40 * meta.size(), 40, RecordType::kIndomV2, meta.size() + 1, At(second)});
    }
    return meta;
  }

  static void Walk(const std::vector<std::int64_t>& seconds, MetadataTimeRules* rules) {
    for (const std::int64_t second : seconds) rules->OnRecord({0, 132, 40, 1, At(second), 0, 1});
  }
};

TEST_F(IndomTimesTest, RecordsThatRepeatATimeRangeStillCount) {
  const auto meta = Indoms({0, 2, 3, 9});
  RecordingReporter reporter;
  MetadataTimeRules rules(At(0), 2, meta, reporter);
  Walk({0, 1, 9, 2, 3, 4}, &rules);  // the clock went back
  Walk({10}, &rules);
  rules.OnEnd(true);
  EXPECT_THAT(reporter.Rules(), IsEmpty());
}

TEST_F(IndomTimesTest, WithoutAllDataNothingIsSaidAboutMissingRecords) {
  const auto meta = Indoms({0, 2, 50});
  RecordingReporter reporter;
  MetadataTimeRules rules(At(0), 2, meta, reporter);
  Walk({0, 1, 3}, &rules);
  rules.OnEnd(false);
  EXPECT_THAT(reporter.Rules(), IsEmpty());
}

TEST_F(IndomTimesTest, WithoutALabelStartTheOtherRulesHold) {
  const auto meta = Indoms({0, 2, 50});
  RecordingReporter reporter;
  MetadataTimeRules rules(std::nullopt, 2, meta, reporter);
  Walk({0, 1, 3}, &rules);
  rules.OnEnd(true);
  EXPECT_THAT(reporter.Rules(), ElementsAre("ARC-2005", "ARC-2002"));
}

TEST_F(IndomTimesTest, AnArchiveWithoutRecordsSaysNothing) {
  const auto meta = Indoms({0, 2});
  RecordingReporter reporter;
  MetadataTimeRules rules(At(0), 2, meta, reporter);
  rules.OnEnd(true);
  EXPECT_THAT(reporter.Rules(), IsEmpty());
}

TEST_F(IndomTimesTest, AHundredThousandInstanceDomainsAndAMillionRecordsAreTakenInOnePass) {
  std::vector<std::int64_t> times(100'000);
  for (std::size_t k = 0; k < times.size(); ++k) times[k] = static_cast<std::int64_t>(10 * k);
  const auto meta = Indoms(times);
  RecordingReporter reporter;
  MetadataTimeRules rules(At(0), 2, meta, reporter);
  for (std::int64_t k = 0; k < 1'000'000; ++k) {
    if (k != 500) rules.OnRecord({0, 132, 40, 1, At(k), 0, 1});
  }
  rules.OnEnd(true);
  EXPECT_THAT(reporter.Rules(), ElementsAre("ARC-2005"));
}

}  // namespace
}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/order_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "validator/check/rules/testing/order_walk.h"

namespace pmproof::validator {
namespace {

using archive::BlockModel;
using archive::ResultModel;
using archive::ValueSetModel;
using archive::testing::RecordingReporter;
using generators::ArchiveImage;
using generators::ArchivePlan;
using generators::BaseArchive;
using generators::WorkedExample;
using ::testing::AnyOf;
using testing::At;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::OrderWalk;
using testing::SpreadBase;

constexpr std::int32_t kMillisecond = 1'000'000;

ResultModel Mark(Timestamp time) { return {time, {}}; }

class OrderRulesTest : public ::testing::TestWithParam<int> {
 protected:
  int version() const { return GetParam(); }
  ArchivePlan base() const { return BaseArchive(version()); }
  std::size_t label() const { return archive::LayoutOf(version()).label; }

  // The offset of record `k` of volume 0.
  std::size_t Record(const ArchiveImage& image, std::size_t k) const {
    return image.Records("0").at(k + 1);
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, OrderRulesTest, ::testing::Values(2, 3));

TEST_P(OrderRulesTest, TheBaseArchiveIsClean) { EXPECT_THAT(OrderWalk(base()).Rules(), IsEmpty()); }

TEST_P(OrderRulesTest, TheBaseArchiveHasNeitherPrologueNorEpilogue) {
  EXPECT_THAT(OrderWalk(base()).all_rules, ElementsAre("ARC-2008", "ARC-2009"));
}

TEST_P(OrderRulesTest, SeveralVolumesAreClean) {
  EXPECT_THAT(OrderWalk(SpreadBase(version(), {2, 2, 2})).Rules(), IsEmpty());
}

TEST_P(OrderRulesTest, TheWorkedExampleEndsWithAMark) {
  EXPECT_THAT(OrderWalk(WorkedExample(version())).Rules(), ElementsAre("ARC-1723"));
}

TEST_P(OrderRulesTest, AFractionAboveItsRangeIsReportedOnce) {
  ArchiveImage image = generators::Encode(base());
  const std::size_t fraction = Record(image, 3) + 4 + archive::LayoutOf(version()).timestamp - 4;
  image.SetWord("0", fraction, version() == 3 ? 1'500'000'000 : 1'500'000);
  const OrderWalk walk(image, version());
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1718"));
  EXPECT_EQ(walk.Only().where.offset, Record(image, 3) + 4);
  EXPECT_EQ(walk.Only().where.record, 4u);
}

TEST_P(OrderRulesTest, ANegativeFractionIsReportedOnce) {
  ArchiveImage image = generators::Encode(base());
  image.SetWord("0", Record(image, 0) + archive::LayoutOf(version()).timestamp,
                static_cast<std::uint32_t>(-5));
  EXPECT_THAT(OrderWalk(image, version()).Rules(), ElementsAre("ARC-1718"));
}

TEST_P(OrderRulesTest, AFirstRecordBeforeTheLabelAlsoContradictsTheLabelsStart) {
  ArchivePlan plan = base();
  plan.volumes[0][0].time = At(-100);
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1222", "ARC-1719"));
}

TEST_P(OrderRulesTest, ALaterRecordBeforeTheLabelIsNotReportedAsGoingBack) {
  ArchivePlan plan = base();
  plan.volumes[0][3].time = At(-100);
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1719"));
}

TEST_P(OrderRulesTest, ARecordThatGoesBackIsReportedAndNotTheOnesBehindIt) {
  ArchivePlan plan = base();
  plan.volumes[0][3].time = At(0, 500 * kMillisecond);
  const ArchiveImage image = generators::Encode(plan);
  const OrderWalk walk(image, version());
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1720"));
  EXPECT_EQ(walk.Only().where.offset, Record(image, 3) + 4);
  EXPECT_EQ(walk.Only().details.actual, "1700000000.500000000");
  EXPECT_EQ(walk.Only().details.expected, "at least 1700000002.000000000");
}

TEST_P(OrderRulesTest, ARecordThatIsFarTooLateGivesOneFindingAtTheStepBack) {
  ArchivePlan plan = base();
  plan.volumes[0][2].time = At(5000);
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1720"));
  EXPECT_EQ(walk.Only().where.record, 4u);
}

TEST_P(OrderRulesTest, EachStepBackIsReported) {
  ArchivePlan plan = base();
  plan.index.resize(1);
  plan.volumes[0][2].time = At(0, 1);
  plan.volumes[0][4].time = At(0, 2);
  EXPECT_THAT(OrderWalk(plan).all_rules, ::testing::Contains("ARC-1720").Times(2));
}

TEST_P(OrderRulesTest, EqualTimesAreReported) {
  ArchivePlan plan = base();
  plan.volumes[0][3].time = At(2);
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1721"));
  EXPECT_EQ(walk.Only().gravity, archive::Gravity::kAsCatalogued);
}

TEST_P(OrderRulesTest, ATimeBefore1970IsReportedOnce) {
  for (const std::size_t k : {0U, 2U, 5U}) {
    ArchivePlan plan = base();
    plan.volumes[0][k].time = {-5, 0};
    EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1722")) << "record " << k;
  }
}

TEST_P(OrderRulesTest, AMarkInFrontOfAllRecordsIsCounted) {
  ArchivePlan plan = base();
  plan.volumes[0].insert(plan.volumes[0].begin(), Mark(At(0)));
  for (auto& entry : plan.index) ++entry.data_record;
  plan.index[0].data_record = 0;
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1723"));
}

// Found by the enumeration of small archives (generators/enumerate.h).
TEST_P(OrderRulesTest, ALabelMayStartWithTheFirstOfSeveralMarks) {
  ArchivePlan plan = base();
  plan.volumes[0].erase(plan.volumes[0].begin(), plan.volumes[0].begin() + 2);
  plan.volumes[0].insert(plan.volumes[0].begin(), {Mark(At(0)), Mark(At(1))});
  EXPECT_THAT(OrderWalk(plan).Rules(), Not(Contains("ARC-1222")));
}

TEST_P(OrderRulesTest, AMarkBehindAllRecordsIsCounted) {
  ArchivePlan plan = base();
  plan.volumes[0].push_back(Mark(At(6)));
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1723"));
}

TEST_P(OrderRulesTest, TheSecondOfTwoAdjacentMarksIsCounted) {
  ArchivePlan plan = base();
  plan.volumes[0].insert(plan.volumes[0].begin() + 3,
                         {Mark(At(2, kMillisecond)), Mark(At(2, 2 * kMillisecond))});
  plan.index[1].data_record = 5;
  plan.index[2].data_record = 7;
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1723"));
  EXPECT_EQ(walk.Only().where.record, 5u);
}

TEST_P(OrderRulesTest, AMarkAMillisecondBehindARecordIsClean) {
  ArchivePlan plan = base();
  plan.volumes[0].insert(plan.volumes[0].begin() + 3, Mark(At(2, kMillisecond)));
  plan.index[1].data_record = 4;
  plan.index[2].data_record = 6;
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

TEST_P(OrderRulesTest, AMarkEarlierThanTheRecordBeforeItIsReported) {
  ArchivePlan plan = base();
  plan.volumes[0].insert(plan.volumes[0].begin() + 3, Mark(At(1, 999 * kMillisecond)));
  plan.index[1].data_record = 4;
  plan.index[2].data_record = 6;
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1724"));
  EXPECT_EQ(walk.Only().where.record, 4u);
}

TEST_P(OrderRulesTest, AMarkWithTheTimeOfTheRecordBeforeItIsReported) {
  ArchivePlan plan = base();
  plan.volumes[0].insert(plan.volumes[0].begin() + 3, Mark(At(2)));
  plan.index[1].data_record = 4;
  plan.index[2].data_record = 6;
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1724"));
}

TEST_P(OrderRulesTest, AMarkLaterThanTheRecordBehindItIsReportedAtTheMark) {
  ArchivePlan plan = base();
  plan.volumes[0].insert(plan.volumes[0].begin() + 3, Mark(At(3, kMillisecond)));
  plan.index[1].data_record = 4;
  plan.index[2].data_record = 6;
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1724"));
  EXPECT_EQ(walk.Only().where.record, 4u);
}

TEST_P(OrderRulesTest, AVolumeThatStartsBeforeTheEndOfTheLastOneIsReported) {
  ArchivePlan plan = SpreadBase(version(), {3, 3});
  plan.volumes[1][0].time = At(0, 5 * kMillisecond);
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-2004"));
  EXPECT_EQ(walk.Only().where.part, 1);
}

TEST_P(OrderRulesTest, OneStepBackBetweenVolumesIsOneFinding) {
  ArchivePlan plan = SpreadBase(version(), {3, 3});
  plan.index.resize(1);
  for (std::size_t k = 0; k < 3; ++k)
    plan.volumes[1][k].time = At(static_cast<std::int64_t>(k), 5 * kMillisecond);
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), Contains("ARC-2004").Times(1));
  EXPECT_THAT(walk.Rules(), Not(Contains("ARC-1720")));
}

TEST_P(OrderRulesTest, ALabelLaterThanTheFirstRecordIsReportedWithTheRecordsBeforeIt) {
  ArchivePlan plan = base();
  plan.label.start = At(2);
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1222", "ARC-1719", "ARC-1719", "ARC-1907",
                                                   "ARC-2001", "ARC-2001", "ARC-2001"));
}

TEST_P(OrderRulesTest, ALabelEarlierThanTheFirstRecordIsReported) {
  ArchivePlan plan = base();
  plan.label.start = At(-5);
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1222"));
  EXPECT_EQ(walk.Only().where.offset, 12u);
  EXPECT_EQ(walk.Only().where.part, 0);
  EXPECT_EQ(walk.Only().details.expected, "1700000000.000000000");
}

TEST_P(OrderRulesTest, AnArchiveOfMarksHasNoValues) {
  ArchivePlan plan = base();
  plan.volumes[0] = {Mark(At(0)), Mark(At(1))};
  plan.index.resize(1);
  plan.meta.resize(6);
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1723", "ARC-1723", "ARC-2007"));
}

TEST_P(OrderRulesTest, AnArchiveOfErrorsHasNoValues) {
  ArchivePlan plan = base();
  for (ResultModel& result : plan.volumes[0]) {
    result.sets = {{Pmid::Of(29, 0, 1), 0, {}, 0}, {Pmid::Of(29, 0, 2), 0, {}, -12351}};
  }
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-2007"));
}

TEST_P(OrderRulesTest, AGapWithoutAMarkIsReported) {
  ArchivePlan plan = base();
  plan.volumes[0][4].time = At(5004);
  plan.volumes[0][5].time = At(5005);
  plan.index[2].time = At(5005);
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-2010"));
  EXPECT_EQ(walk.Only().where.record, 5u);
  EXPECT_EQ(walk.Only().details.actual, "5001.000 s");
}

TEST_P(OrderRulesTest, AGapWithAMarkIsClean) {
  ArchivePlan plan = base();
  plan.volumes[0][4].time = At(5004);
  plan.volumes[0][5].time = At(5005);
  plan.volumes[0].insert(plan.volumes[0].begin() + 4, Mark(At(3, kMillisecond)));
  plan.index[2].time = At(5005);
  plan.index[2].data_record = 6;
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

TEST_P(OrderRulesTest, TheRecordsOfAMissingVolumeAreNoGap) {
  ArchivePlan plan = SpreadBase(version(), {2, 2, 2});
  for (ResultModel& result : plan.volumes[2]) result.time.seconds += 5000;
  plan.index[2].time = At(5004);
  plan.index[3].time = At(5005);
  plan.volumes.erase(1);
  plan.index.erase(plan.index.begin() + 1);
  EXPECT_THAT(OrderWalk(plan).Rules(), Not(Contains("ARC-2010")));
}

TEST_P(OrderRulesTest, WhatIsMissingIsNotJudgedWhereDataCouldNotBeRead) {
  RecordingReporter reporter;
  OrderRules rules(At(0), version(), reporter);
  DataEvent event{0, label(), 24, 1, At(0), 0, 0};
  rules.OnRecord(event);
  reporter.violations.clear();
  rules.OnVolumeEnd({label() + 24, 100000});
  rules.OnEnd(false, false);
  EXPECT_THAT(reporter.Rules(), IsEmpty());
}

TEST_P(OrderRulesTest, WithoutAUsableLabelStartRecordsAreStillCompared) {
  RecordingReporter reporter;
  OrderRules rules(std::nullopt, version(), reporter);
  rules.OnRecord({0, label(), 48, 1, At(2), 0, 1});
  rules.OnRecord({0, label() + 48, 48, 2, At(1), 0, 1});
  EXPECT_THAT(reporter.Rules(), ElementsAre("ARC-1720"));
}

TEST(OrderRulesV3Test, TimesBehind2038AreCountedOnce) {
  ArchivePlan plan = BaseArchive(3);
  plan.volumes[0][4].time = {1LL << 31, 0};
  plan.volumes[0][5].time = {(1LL << 31) + 1, 0};
  plan.index.resize(2);
  EXPECT_THAT(OrderWalk(plan).Rules(), Contains("ARC-1226").Times(1));
}

TEST(OrderRulesV3Test, TimesBehind2038AreTheLabelsMatterIfItLiesThere) {
  ArchivePlan plan = BaseArchive(3);
  const std::int64_t shift = (1LL << 31) - generators::kBaseTime;
  plan.label.start.seconds += shift;
  for (ResultModel& result : plan.volumes[0]) result.time.seconds += shift;
  for (auto& entry : plan.index) entry.time.seconds += shift;
  for (auto& record : plan.meta) {
    if (auto* indom = std::get_if<archive::IndomModel>(&record)) indom->time.seconds += shift;
    if (auto* labels = std::get_if<archive::LabelRecordModel>(&record))
      labels->time.seconds += shift;
  }
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

// Prologue and epilogue (ARC-590).
std::string BigEndian(std::uint64_t value) {
  std::string bytes(8, '\0');
  StoreU64(reinterpret_cast<std::uint8_t*>(bytes.data()), value);
  return bytes;
}

ResultModel Logue(Timestamp time, std::uint64_t pid, std::uint32_t seqnum, std::size_t sets = 5) {
  const auto text = [](const std::string& value) {
    return BlockModel{6, value + std::string(1, '\0'), std::nullopt};
  };
  std::vector<ValueSetModel> all = {
      {Pmid::Of(2, 3, 3), archive::kDynamic, {{4242, text("testhost")}}, 0},
      {Pmid::Of(2, 3, 0), archive::kInsitu, {{4242, 4330U}}, 0},
      {Pmid::Of(2, 3, 2), archive::kDynamic, {{4242, text("/var/log/pcp/a")}}, 0},
      {Pmid::Of(2, 0, 23),
       archive::kDynamic,
       {{-1, BlockModel{3, BigEndian(pid), std::nullopt}}},
       0},
      {Pmid::Of(2, 0, 24), archive::kInsitu, {{-1, seqnum}}, 0},
  };
  all.resize(sets);
  return {time, all};
}

class LogueTest : public OrderRulesTest {};
INSTANTIATE_TEST_SUITE_P(Versions, LogueTest, ::testing::Values(2, 3));

TEST_P(LogueTest, PrologueAndEpilogueAreRecognised) {
  ArchivePlan plan = base();
  plan.volumes[0].front() = Logue(At(0), 99, 1);
  plan.volumes[0].back() = Logue(At(5), 99, 1);
  EXPECT_THAT(OrderWalk(plan).all_rules, IsEmpty());
}

TEST_P(LogueTest, TheOlderFormOfThreeSetsIsRecognised) {
  ArchivePlan plan = base();
  plan.volumes[0].front() = Logue(At(0), 99, 1, 3);
  EXPECT_THAT(OrderWalk(plan).all_rules, ElementsAre("ARC-2009"));
}

TEST_P(LogueTest, FiveSetsOfOtherMetricsAreNoPrologue) {
  ArchivePlan plan = base();
  plan.volumes[0].front() = Logue(At(0), 99, 1);
  plan.volumes[0].front().sets[1].pmid = Pmid::Of(29, 0, 1);
  plan.volumes[0].back() = Logue(At(5), 99, 1);
  EXPECT_THAT(OrderWalk(plan).all_rules, ElementsAre("ARC-2008"));
}

TEST_P(LogueTest, ARestartedPmcdIsReportedAtTheEpilogue) {
  ArchivePlan plan = base();
  plan.volumes[0].front() = Logue(At(0), 99, 1);
  plan.volumes[0].back() = Logue(At(5), 99, 2);
  EXPECT_THAT(OrderWalk(plan).all_rules, ElementsAre("ARC-2009"));
}

TEST_P(LogueTest, AnEpilogueOfAnotherPmcdIsReported) {
  ArchivePlan plan = base();
  plan.volumes[0].front() = Logue(At(0), 99, 1);
  plan.volumes[0].back() = Logue(At(5), 98, 1);
  EXPECT_THAT(OrderWalk(plan).all_rules, ElementsAre("ARC-2009"));
}

TEST_P(LogueTest, ADelayedPrologueMayHaveTheTimeOfTheFirstResult) {
  ArchivePlan plan = base();
  plan.volumes[0].insert(plan.volumes[0].begin(), Logue(At(0), 99, 1));
  plan.index[1].data_record = 4;
  plan.index[2].data_record = 6;
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1721"));
  EXPECT_EQ(walk.Only().gravity, archive::Gravity::kInfo);
}

TEST_P(LogueTest, ADamagedPrologueIsReadNoFurtherThanItsRecord) {
  const ArchivePlan plan = [&] {
    ArchivePlan changed = base();
    changed.volumes[0].front() = Logue(At(0), 99, 1);
    return changed;
  }();
  const ArchiveImage image = generators::Encode(plan);
  const std::size_t begin = Record(image, 0);
  const std::size_t size = image.Word("0", begin);
  // Each word in turn is replaced; asan sees whether it is believed.
  for (std::size_t at = 4 + archive::LayoutOf(version()).timestamp; at < size; at += 4) {
    for (const std::uint32_t word : {0x7fffffffU, 0xffffffffU, 0x80000000U, 1U, 3U, 0x10000U}) {
      std::vector<std::uint8_t> record(
          image.files.at("0").begin() + static_cast<std::ptrdiff_t>(begin),
          image.files.at("0").begin() + static_cast<std::ptrdiff_t>(begin + size));
      StoreU32(record.data() + at, word);
      const std::size_t sets = 8 + archive::LayoutOf(version()).timestamp;
      RecordingReporter reporter;
      OrderRules rules(At(0), version(), reporter);
      const auto logue = RecogniseLogue(record, version());
      rules.OnRecord({0, begin, static_cast<std::uint32_t>(size), 1, At(0), 0,
                      LoadU32(record.data() + sets - 4), LoadU32(record.data() + sets),
                      logue ? &*logue : nullptr});
      rules.OnEnd(true, true);
      EXPECT_THAT(reporter.Rules(), Each(AnyOf("ARC-2008", "ARC-2009")));
    }
  }
}

TEST(OrderRulesSpeedTest, AHundredThousandMarksAndAMillionRecordsAreTakenInOnePass) {
  RecordingReporter reporter;
  OrderRules rules(At(0), 3, reporter);
  DataEvent event{0, 808, 200, 1, At(0), 0, 9};
  for (int i = 0; i < 1'000'000; ++i) {
    rules.OnRecord(event);
    event.time.seconds += 1;
    event.offset += event.length;
    if (i % 10 == 9) {
      DataEvent mark = event;
      mark.set_count = 0;
      rules.OnRecord(mark);
    }
  }
  rules.OnEnd(true, true);
  EXPECT_THAT(reporter.Rules(), ElementsAre("ARC-1723", "ARC-2008", "ARC-2009"))
      << "the last record is a mark";
}

}  // namespace
}  // namespace pmproof::validator

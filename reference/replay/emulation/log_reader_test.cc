// SPDX-License-Identifier: Apache-2.0
// Where libpcp goes by the temporal index.

#include "reference/replay/emulation/log_reader.h"

#include <gtest/gtest.h>

#include "reference/replay/testing/plan.h"

namespace pmproof::replay::emulation {
namespace {

using namespace testing;  // NOLINT: the words of the tests
using Placed = LogReader::Placed;

class LogReaderTest : public ::testing::Test {
 protected:
  LogReader Reader(const Plan& plan) {
    plan.Store("a", &storage_);
    archive_ = ReplayArchive::Open(storage_, {"a"}).value();
    log_ = RecordLog::Load(*archive_, std::vector{Pmid::Of(29, 0, 1)}, 1 << 20).value();
    return LogReader(*log_, {});
  }

 private:
  archive::MemoryStorage storage_;
  std::unique_ptr<ReplayArchive> archive_;
  std::unique_ptr<RecordLog> log_;
};

Plan OneMetric() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter);
  return plan;
}

TEST_F(LogReaderTest, GoesToTheNearerEntryAndToTheLaterOneOfTwoThatAreAsNear) {  // INT-1402 (d)
  Plan plan = OneMetric();
  plan.Record(0, {U32(1, 0)}).Record(10, {U32(1, 1)}).Record(20, {U32(1, 2)}).Index({0, 1, 2});
  LogReader reader = Reader(plan);
  EXPECT_EQ(reader.Locate(At(14), /*up=*/true), Placed::kYes);
  EXPECT_EQ(reader.Locate(At(15), true), Placed::kNo);
  EXPECT_EQ(reader.position().gap, 2U);
  EXPECT_EQ(reader.Locate(At(15), false), Placed::kYes);
}

// Found in libpcp 6.3.8 by qa/beside_pcp/differential: distances from the start, 0.05, 0.06 and
// 0.07, would say that the earlier entry is the nearer one.
TEST_F(LogReaderTest, DistancesAreNotRoundedByTheStartOfTheArchive) {  // INT-1402
  Plan plan = OneMetric();
  plan.StartsAt(0.764350129)
      .Record(0.764350129, {U32(1, 0)})
      .Record(0.814350129, {U32(1, 1)})
      .Record(0.834350129, {U32(1, 2)})
      .Index({0, 1, 2});
  LogReader reader = Reader(plan);
  EXPECT_EQ(reader.Locate(At(0.824350129), true), Placed::kNo);
  EXPECT_EQ(reader.position().gap, 2U);
}

TEST_F(LogReaderTest, AnEntryMayPointToTheEndOfItsVolume) {  // ARC-1927
  Plan plan = OneMetric();
  plan.Record(0, {U32(1, 0)}).Record(10, {U32(1, 1)}).Index({0});
  archive::Buffer before;
  archive::AppendLabel(plan.model().volumes[0].label, &before);
  for (const archive::ResultModel& record : plan.model().volumes[0].records)
    archive::AppendResult(record, 3, &before);
  plan.model().index->records.push_back({At(10), 0, 808, before.size()});
  LogReader reader = Reader(plan);
  EXPECT_EQ(reader.Locate(At(10), true), Placed::kYes);
  EXPECT_EQ(reader.position().gap, 2U);
  EXPECT_EQ(reader.Forward(), nullptr);
  ASSERT_NE(reader.Backward(), nullptr);
  EXPECT_EQ(reader.position().gap, 1U);
}

// The entry of the last volume lies beyond the size of the first one, which is open.
TEST_F(LogReaderTest, EntriesAreIgnoredOnceTheLastVolumeWasOpened) {  // DEV-17
  Plan plan = OneMetric();
  plan.Record(0, {U32(1, 0)}).Index({0});
  plan.Volume(1);
  for (const double seconds : {10, 20, 30}) plan.Record(seconds, {U32(1, 1)});
  archive::Buffer before;
  archive::AppendLabel(plan.model().volumes[1].label, &before);
  for (const std::size_t record : {0U, 1U})
    archive::AppendResult(plan.model().volumes[1].records[record], 3, &before);
  plan.model().index->records.push_back({At(30), 1, 808, before.size()});
  {
    LogReader reader = Reader(plan);
    EXPECT_EQ(reader.Locate(At(28), true), Placed::kNo);
    EXPECT_EQ(reader.position().gap, 3U);
  }
  LogReader reader = Reader(plan);
  reader.OpenLast();
  EXPECT_EQ(reader.Locate(At(28), true), Placed::kYes);
  EXPECT_EQ(reader.position().gap, 0U);
}

}  // namespace
}  // namespace pmproof::replay::emulation

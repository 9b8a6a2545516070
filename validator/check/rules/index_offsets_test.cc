// SPDX-License-Identifier: Apache-2.0
// Rules on where the entries of an index point: to metadata, and to the records of their volume.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "validator/check/rules/testing/index_rules_fixture.h"

namespace pmproof::validator {
namespace {

using archive::Gravity;
using generators::ArchiveImage;
using generators::ArchivePlan;
using testing::At;
using ::testing::ElementsAre;
using IndexOffsetsTest = testing::IndexRulesTest;
using ::testing::IsEmpty;
using testing::OrderWalk;
using testing::SpreadBase;

INSTANTIATE_TEST_SUITE_P(Versions, IndexOffsetsTest, ::testing::Values(2, 3));

TEST_P(IndexOffsetsTest, AMetadataOffsetInsideTheLabelIsReported) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(Changed([&](ArchiveImage* image) { SetLow(image, MetaField(i), 4); }).Rules(),
                ElementsAre("ARC-1910"))
        << "entry " << i;
  }
}

TEST_P(IndexOffsetsTest, AMetadataOffsetBehindTheEndIsReported) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(
        Changed([&](ArchiveImage* image) { SetLow(image, MetaField(i), 1'000'000); }).Rules(),
        ElementsAre("ARC-1911"))
        << "entry " << i;
  }
}

TEST_P(IndexOffsetsTest, SwappedMetadataOffsetsAreReported) {
  EXPECT_THAT(Changed([this](ArchiveImage* image) {
                SwapFields(image, MetaField(1), MetaField(2), offset_size());
              }).Rules(),
              ElementsAre("ARC-1912"));
  EXPECT_THAT(Changed([this](ArchiveImage* image) {
                SwapFields(image, MetaField(0), MetaField(1), offset_size());
              }).Rules(),
              ElementsAre("ARC-1912"));
}

TEST_P(IndexOffsetsTest, AMetadataOffsetInsideARecordIsReported) {
  EXPECT_THAT(Changed([this](ArchiveImage* image) {
                SetLow(image, MetaField(1), Low(*image, MetaField(1)) + 2);
              }).Rules(),
              ElementsAre("ARC-1913"));
}

TEST_P(IndexOffsetsTest, ADataOffsetInsideTheLabelIsReported) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(Changed([&](ArchiveImage* image) { SetLow(image, DataField(i), 4); }).Rules(),
                ElementsAre("ARC-1914"))
        << "entry " << i;
  }
}

TEST_P(IndexOffsetsTest, ADataOffsetBehindTheEndIsReported) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(
        Changed([&](ArchiveImage* image) { SetLow(image, DataField(i), 1'000'000); }).Rules(),
        ElementsAre("ARC-1915"))
        << "entry " << i;
  }
}

TEST_P(IndexOffsetsTest, SwappedDataOffsetsAreReported) {
  EXPECT_THAT(Changed([this](ArchiveImage* image) {
                SwapFields(image, DataField(1), DataField(2), offset_size());
              }).Rules(),
              ElementsAre("ARC-1916"));
}

TEST_P(IndexOffsetsTest, ADataOffsetInsideARecordIsReported) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(Changed([&](ArchiveImage* image) {
                  SetLow(image, DataField(i), Low(*image, DataField(i)) + 4);
                }).Rules(),
                ElementsAre("ARC-1917"))
        << "entry " << i;
  }
}

TEST_P(IndexOffsetsTest, AnEntryBehindItsRecordIsAnError) {
  const OrderWalk walk = Changed([this](ArchiveImage* image) {
    SetLow(image, DataField(1), Low(*image, DataField(1)) + image->Word("0", Record(*image, 3)));
  });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1918"));
  EXPECT_EQ(walk.Only().gravity, Gravity::kAsCatalogued);
}

TEST_P(IndexOffsetsTest, AnEntryAtAnEarlierRecordIsAWarning) {
  const OrderWalk walk = Changed([this](ArchiveImage* image) {
    SetLow(image, DataField(1), static_cast<std::uint32_t>(Record(*image, 1)));
  });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1918"));
  EXPECT_EQ(walk.Only().gravity, Gravity::kWarning);
}

TEST_P(IndexOffsetsTest, AnEntryAMillisecondOffIsAWarning) {
  for (const std::int32_t nanoseconds : {1'000'000, 999'000}) {
    ArchivePlan plan = base();
    plan.index[1].time = At(3, nanoseconds);
    const OrderWalk walk(plan);
    EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1918"));
    EXPECT_EQ(walk.Only().gravity, Gravity::kWarning);
  }
}

TEST_P(IndexOffsetsTest, AnEntryBetweenTwoRecordsHidesNothingAndIsAWarning) {
  ArchivePlan plan = base();
  plan.index[1].time = At(2, 500'000'000);
  plan.index[1].meta_record = 0;
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1918"));
  EXPECT_EQ(walk.Only().gravity, Gravity::kWarning);
}

// As the import library of 6.0.3 and 6.3.8 writes some: readers take the first entry of a time
// (ARC-458), which points to the record.
TEST_P(IndexOffsetsTest, AnEntryBehindARecordThatTheEntryBeforePointsToHidesNothing) {
  ArchivePlan plan = base();
  const std::size_t meta = plan.meta.size();
  plan.index = {{At(0), 0, 0, 0}, {At(0), 0, 0, 1}, {At(1), 0, 0, 1}, {At(5), 0, meta, 5}};
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1909"));
  plan.index = {{At(0), 0, 0, 0},
                {At(3), 0, meta - 1, 3},
                {At(3), 0, meta - 1, 4},
                {At(3), 0, meta - 1, 4},
                {At(5), 0, meta, 5}};
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1909", "ARC-1909"));
}

TEST_P(IndexOffsetsTest, TwoEntriesOfOneTimeBehindTheRecordHideIt) {
  ArchivePlan plan = base();
  const std::size_t meta = plan.meta.size();
  plan.index = {{At(0), 0, 0, 0},        {At(1), 0, 0, 1},        {At(2), 0, 0, 2},
                {At(3), 0, meta - 1, 4}, {At(3), 0, meta - 1, 4}, {At(5), 0, meta, 5}};
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1909", "ARC-1918", "ARC-1918"));
  EXPECT_EQ(walk.violations[1].gravity, Gravity::kAsCatalogued);
}

TEST_P(IndexOffsetsTest, AnEntryBehindAMarkOfARecordThatTheEntryBeforePointsToIsAWarning) {
  ArchivePlan plan = base();
  const std::size_t meta = plan.meta.size();
  archive::ResultModel mark;
  mark.time = At(3, 500'000'000);
  plan.volumes[0].insert(plan.volumes[0].begin() + 4, mark);
  plan.index = {
      {At(0), 0, 0, 0}, {At(3), 0, meta - 1, 3}, {At(3), 0, meta - 1, 5}, {At(5), 0, meta, 6}};
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1909", "ARC-1918"));
  EXPECT_EQ(walk.violations[1].gravity, Gravity::kWarning);
}

TEST_P(IndexOffsetsTest, OldArchivesPointToTheEndsOfTheirRecords) {
  ArchivePlan plan = base();
  plan.index = {{At(0), 0, 0, 0}};
  for (std::size_t k = 1; k < 5; ++k) {
    plan.index.push_back(
        {At(static_cast<std::int64_t>(k)), 0, k < 3 ? 0 : plan.meta.size() - 1, k + 1});
  }
  plan.index.push_back({At(5), 0, plan.meta.size(), 5});
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

TEST_P(IndexOffsetsTest, TheLastEntryMayPointToTheEndOfItsRecord) {
  ArchivePlan plan = base();
  plan.index.back() = {At(4), 0, plan.meta.size(), 5};
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

TEST_P(IndexOffsetsTest, ALaterRecordInFrontOfTheOffsetIsReported) {
  const OrderWalk walk = Changed([this](ArchiveImage* image) {
    SetLow(image, DataField(1), static_cast<std::uint32_t>(Record(*image, 5)));
  });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1919"));
  EXPECT_EQ(walk.Only().where.offset, DataField(1));
}

TEST_P(IndexOffsetsTest, LaterMetadataInFrontOfTheOffsetIsReported) {
  ArchivePlan plan = base();
  plan.index[0].meta_record = plan.meta.size();
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1920"));
}

TEST_P(IndexOffsetsTest, AnEntryForARecordThatIsMissingAtTheEndOfItsVolumeIsReported) {
  ArchivePlan plan = base();
  plan.index.push_back({At(500), 0, plan.meta.size(), 6});
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1915"));
  plan = base();
  plan.volumes[0].pop_back();
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1915"));
  plan = SpreadBase(version(), {2, 2, 2});
  plan.index.insert(plan.index.begin() + 1, {At(2), 0, plan.meta.size() - 1, 2});
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1909", "ARC-1915"));
}

TEST_P(IndexOffsetsTest, AnEntryForARecordOfTheNextVolumeIsNotLaterThanAllRecords) {
  ArchivePlan plan = SpreadBase(version(), {2, 2, 2});
  plan.index.insert(plan.index.begin() + 1, {At(2), 0, plan.meta.size() - 1, 1});
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1909", "ARC-1918"));
  EXPECT_EQ(walk.violations[1].gravity, Gravity::kWarning);
}

TEST_P(IndexOffsetsTest, ADataOffsetOfZeroIsOneFinding) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(Changed([&](ArchiveImage* image) { SetLow(image, DataField(i), 0); }).Rules(),
                ElementsAre("ARC-1926"))
        << "entry " << i;
  }
}

TEST_P(IndexOffsetsTest, EntriesBehindWhatCouldBeReadAreNotJudgedButCounted) {
  const OrderWalk walk = Changed([this](ArchiveImage* image) {
    image->SetWord("0", Record(*image, 2), 0);  // framing is lost: records 2 to 5 are not seen
  });
  EXPECT_THAT(walk.Rules(), IsEmpty());
  EXPECT_EQ(walk.not_checked, "2 index entries that point to data that could not be read");
}

TEST_P(IndexOffsetsTest, EntriesBehindReadableMetadataAreNotJudgedButCounted) {
  const OrderWalk walk =
      Changed([](ArchiveImage* image) { image->SetWord("meta", image->Records("meta").at(4), 0); });
  EXPECT_THAT(walk.Rules(), IsEmpty());
  EXPECT_EQ(walk.not_checked, "2 index entries that point to metadata that could not be read");
}

TEST_P(IndexOffsetsTest, AShortenedVolumeLeavesEntriesBehindItsEnd) {
  const OrderWalk walk =
      Changed([this](ArchiveImage* image) { image->Truncate("0", Record(*image, 4)); });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1915"));
}

}  // namespace
}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "generators/transform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <variant>
#include <vector>

#include "reference/archive/archive_model.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using ::testing::ElementsAre;

std::vector<std::size_t> SizesOf(const ArchivePlan& plan) {
  std::vector<std::size_t> sizes;
  for (const auto& [part, results] : plan.volumes) sizes.push_back(results.size());
  return sizes;
}

// "volume/record" of each entry.
std::vector<std::string> EntriesOf(const ArchivePlan& plan) {
  std::vector<std::string> entries;
  for (const PlannedIndexEntry& entry : plan.index)
    entries.push_back(std::to_string(entry.volume) + "/" + std::to_string(entry.data_record));
  return entries;
}

std::vector<std::size_t> MetaOf(const ArchivePlan& plan) {
  std::vector<std::size_t> positions;
  for (const PlannedIndexEntry& entry : plan.index) positions.push_back(entry.meta_record);
  return positions;
}

archive::ResultModel MarkAt(std::int64_t second) { return {{kBaseTime + second, 1'000'000}, {}}; }

class TransformTest : public ::testing::TestWithParam<int> {
 protected:
  ArchivePlan plan_ = BaseArchive(GetParam());
};

TEST_P(TransformTest, VolumesBeginWhereTheyAreToAndTheIndexFollows) {
  const ArchivePlan split = SplitIntoVolumes(plan_, {2, 3, 4});
  EXPECT_THAT(SizesOf(split), ElementsAre(2, 1, 1, 2));
  EXPECT_EQ(split.volumes.at(2)[0], plan_.volumes.at(0)[3]);
  // 0/0, 0/3 and 0/5 were there; the first records of volumes 1 and 3 get an entry each.
  EXPECT_THAT(EntriesOf(split), ElementsAre("0/0", "1/0", "2/0", "3/0", "3/1"));
  // In front of the domain's change at T+3, after it at T+4.
  const std::size_t end = plan_.meta.size();
  EXPECT_THAT(MetaOf(split), ElementsAre(0, end - 1, end - 1, end, end));
}

TEST_P(TransformTest, AVolumeThatBeginsWithAMarkHasAnEntryToo) {  // ARC-1923
  plan_.volumes[0].insert(plan_.volumes[0].begin() + 2, MarkAt(1));
  for (PlannedIndexEntry& entry : plan_.index) entry.data_record += entry.data_record > 0 ? 1 : 0;
  const ArchivePlan split = SplitIntoVolumes(plan_, {2});
  EXPECT_THAT(SizesOf(split), ElementsAre(2, 5));
  EXPECT_THAT(EntriesOf(split), ElementsAre("0/0", "1/0", "1/2", "1/4"));
}

TEST_P(TransformTest, OrdinalsWhereNoVolumeCanBeginMeanNothing) {
  EXPECT_EQ(Encode(SplitIntoVolumes(plan_, {0, 6, 99})).files, Encode(plan_).files);
}

TEST_P(TransformTest, VolumesMergeToWhatTheyWereSplitFrom) {
  const ArchivePlan merged = MergeVolumes(SplitIntoVolumes(plan_, {3, 5}));
  EXPECT_EQ(Encode(merged).files, Encode(plan_).files);
}

TEST_P(TransformTest, AnEntryAtTheEndOfAVolumeStaysAtTheEndOfItsRecord) {  // ARC-454
  ArchivePlan split = SplitIntoVolumes(plan_, {3});
  split.index.back().data_record = 3;
  EXPECT_THAT(EntriesOf(MergeVolumes(split)), ElementsAre("0/0", "0/3", "0/6"));
  split.index.insert(split.index.begin() + 1, {{kBaseTime + 2, 0}, 0, 0, 3});
  EXPECT_THAT(EntriesOf(SplitIntoVolumes(split, {3})), ElementsAre("0/0", "0/3", "1/0", "1/3"));
}

TEST_P(TransformTest, VolumesKeepTheirLowestNumberAndAreNumberedOn) {
  ArchivePlan plan = plan_;
  plan.volumes.clear();
  plan.volumes[3] = {plan_.volumes[0][0], plan_.volumes[0][1]};
  plan.volumes[7] = {plan_.volumes[0][2]};
  plan.index = {{plan.label.start, 3, 0, 0}, {{kBaseTime + 2, 0}, 7, 0, 0}};
  const ArchivePlan split = SplitIntoVolumes(plan, {1, 2});
  EXPECT_THAT(EntriesOf(split), ElementsAre("3/0", "4/0", "5/0"));
  EXPECT_EQ(split.volumes.count(5), 1U);
}

TEST_P(TransformTest, WithoutAnIndexThereIsNoFileOfIt) {
  EXPECT_EQ(Encode(DropIndex(plan_)).files.count("index"), 0U);
}

TEST_P(TransformTest, AnIndexIsAsDenseAsItIsToBe) {
  EXPECT_THAT(EntriesOf(IndexEvery(plan_, 1)),
              ElementsAre("0/0", "0/1", "0/2", "0/3", "0/4", "0/5"));
  EXPECT_THAT(EntriesOf(IndexEvery(plan_, 2)), ElementsAre("0/0", "0/2", "0/4", "0/5"));
  EXPECT_THAT(EntriesOf(IndexEvery(plan_, 0)), ElementsAre("0/0", "0/5"));
  EXPECT_THAT(EntriesOf(IndexEvery(SplitIntoVolumes(plan_, {2}), 0)),
              ElementsAre("0/0", "1/0", "1/3"));
}

TEST_P(TransformTest, AnIndexCanBeMadeForAnArchiveWithoutOne) {
  const ArchivePlan indexed = IndexEvery(DropIndex(plan_), 3);
  EXPECT_TRUE(indexed.has_index);
  EXPECT_THAT(MetaOf(indexed), ElementsAre(0, plan_.meta.size() - 1, plan_.meta.size()));
}

TEST_P(TransformTest, AnEntryPointsInFrontOfTheDescriptorThatItsRecordBrings) {  // ARC-454
  archive::ValueSetModel late = plan_.volumes[0][4].sets[0];
  late.pmid = Pmid::Of(29, 0, 20);
  plan_.volumes[0][4].sets.push_back(late);
  const std::size_t end = plan_.meta.size();
  archive::DescModel desc = std::get<archive::DescModel>(plan_.meta[0]);
  desc.descriptor.pmid = late.pmid;
  plan_.meta.emplace_back(desc);
  EXPECT_THAT(MetaOf(IndexEvery(plan_, 1)),
              ElementsAre(0, end - 1, end - 1, end - 1, end, end + 1));
}

TEST_P(TransformTest, MarksAndRecordsOfEqualTimesGetNoEntry) {  // ARC-512, ARC-626
  plan_.volumes[0].insert(plan_.volumes[0].begin() + 1, MarkAt(0));
  plan_.volumes[0][4].time = plan_.volumes[0][3].time;
  EXPECT_THAT(EntriesOf(IndexEvery(plan_, 1)), ElementsAre("0/0", "0/2", "0/3", "0/5", "0/6"));
}

TEST_P(TransformTest, AMarkInFrontOfAllGetsTheFirstEntry) {  // ARC-1921
  plan_.volumes[0] = {MarkAt(0), MarkAt(1)};
  EXPECT_THAT(EntriesOf(IndexEvery(plan_, 1)), ElementsAre("0/0"));
}

TEST_P(TransformTest, AllTimesAreShifted) {
  const auto shifted = ShiftTimes(plan_, 86400);
  ASSERT_TRUE(shifted);
  EXPECT_EQ(shifted->label.start.seconds, kBaseTime + 86400);
  EXPECT_EQ(std::get<archive::IndomModel>(shifted->meta.back()).time.seconds, kBaseTime + 86403);
  EXPECT_EQ(shifted->index.back().time.seconds, kBaseTime + 86405);
  const archive::ResultModel& last = shifted->volumes.at(0)[5];
  EXPECT_EQ(last.time.seconds, kBaseTime + 86405);
  // The event arrays hold the time of their record (ARC-261, ARC-272).
  const auto payload = [&last](std::size_t set) {
    return std::get<archive::BlockModel>(last.sets[set].values[0].value).payload;
  };
  EXPECT_EQ(LoadU32(AsBytes(payload(7)).data() + 4), kBaseTime + 86405);
  EXPECT_EQ(LoadI64(AsBytes(payload(8)).data() + 4), kBaseTime + 86405);
  const auto back = ShiftTimes(*shifted, -86400);
  ASSERT_TRUE(back);
  EXPECT_EQ(Encode(*back).files, Encode(plan_).files);
}

TEST_P(TransformTest, ATimeThatDoesNotFitIsSaid) {  // ARC-504
  const std::int64_t far = std::numeric_limits<std::int64_t>::max() - kBaseTime - 4;
  const auto shifted = ShiftTimes(plan_, far);
  ASSERT_FALSE(shifted);
  EXPECT_EQ(shifted.error().kind, Status::Kind::kUnsupported);
  EXPECT_EQ(shifted.error().clause, "ARC-504"_clause);
  // 32 bits of seconds in version 2, and in the events of both.
  EXPECT_FALSE(ShiftTimes(plan_, 500'000'000));
}

TEST_P(TransformTest, MetadataThatAreKeptAsBytesAreNotShifted) {
  plan_.meta.emplace_back(archive::RawRecordModel{BigEndian({4, 5, 1}) + "abc"});
  EXPECT_FALSE(ShiftTimes(plan_, 1));
}

TEST_P(TransformTest, TheOtherVersionIsThatOfTheConverter) {
  const auto other = ToVersion(plan_, 5 - GetParam());
  ASSERT_TRUE(other);
  EXPECT_EQ(other->label.version, 5 - GetParam());
  EXPECT_EQ(other->volumes, plan_.volumes);
  EXPECT_EQ(EntriesOf(*other), EntriesOf(plan_));
  if (GetParam() == 3) {
    EXPECT_EQ(Encode(*other).files, Encode(BaseArchive(2)).files);
  }
  EXPECT_EQ(Encode(*ToVersion(plan_, GetParam())).files, Encode(plan_).files);
}

TEST(ToVersionTest, WhatCanNotBeExpressedIsSaid) {
  ArchivePlan plan = BaseArchive(3);
  plan.volumes[0][2].time.nanoseconds = 1;
  const auto two = ToVersion(plan, 2);
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().clause, "ARC-003"_clause);
}

TEST_P(TransformTest, CompressedFilesAreReadAsTheyWere) {  // ARC-033
  for (const auto compression : {archive::Compression::kXz, archive::Compression::kGzip,
                                 archive::Compression::kBzip2, archive::Compression::kZstd}) {
    archive::MemoryStorage storage;
    ASSERT_FALSE(StoreCompressed(Encode(plan_), "dir/base", compression, &storage));
    archive::IgnoringReporter ignore;
    const auto files = archive::FindArchive(storage, "dir/base", ignore);
    ASSERT_TRUE(files);
    const auto model = archive::DecodeArchive(storage, *files);
    ASSERT_TRUE(model) << model.error().ToText();
    for (const auto& [part, bytes] : archive::EncodeArchive(*model))
      EXPECT_EQ(bytes, Encode(plan_).files.at(archive::PartSuffix(part)));
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, TransformTest, ::testing::Values(2, 3));

}  // namespace
}  // namespace pmproof::generators

// SPDX-License-Identifier: Apache-2.0
// Rules on the temporal index (section 14.10), each by a violation that gives it and nothing else.

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using archive::BlockModel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The entries of the base archive are of T, T+3 and T+5 (ARC-1000).
class IndexTest : public CheckedArchive {
 protected:
  std::size_t EntrySize() const { return version() == 3 ? 32 : 20; }
  std::size_t OffsetSize() const { return version() == 3 ? 8 : 4; }

  // The fields of an entry (ARC-451, ARC-452); of offsets the low word.
  std::size_t EntryAt(std::size_t entry) const { return LabelSize() + entry * EntrySize(); }
  std::size_t FractionAt(std::size_t entry) const { return EntryAt(entry) + TimeSize() - 4; }
  std::size_t VolumeAt(std::size_t entry) const { return EntryAt(entry) + TimeSize(); }
  std::size_t MetaAt(std::size_t entry) const {
    return EntryAt(entry) + EntrySize() - OffsetSize() - 4;
  }
  std::size_t DataAt(std::size_t entry) const { return EntryAt(entry) + EntrySize() - 4; }

  void Set(std::size_t field, std::uint32_t value) { image().SetWord("index", field, value); }
  void Swap(std::size_t field, std::size_t other) {
    const std::uint32_t value = image().Word("index", field);
    Set(field, image().Word("index", other));
    Set(other, value);
  }
  void PointToRecord(std::size_t entry, std::size_t record) {
    Set(DataAt(entry), static_cast<std::uint32_t>(RecordAt("0", record + 1)));
  }
  std::size_t EndOfMeta() const { return plan.meta.size(); }
};
INSTANTIATE_TEST_SUITE_P(Versions, IndexTest, ::testing::Values(2, 3), VersionName);

TEST_P(IndexTest, APartOfAnEntryAtTheEnd) {
  image().Append("index", "ten bytes.");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1901 warning"));
}

TEST_P(IndexTest, ANegativeVolume) {
  Set(VolumeAt(1), static_cast<std::uint32_t>(-3));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1902 error"));
}

TEST_P(IndexTest, AVolumeThatIsNotThere) {
  Set(VolumeAt(2), 5);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1903 error"));
}

TEST_P(IndexTest, EntriesOfTwoVolumesInTheWrongOrder) {
  SplitIntoVolumes();
  std::swap(plan.index[2], plan.index[3]);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1904 error"));
}

TEST_P(IndexTest, ANegativeTime) {
  plan.index[1].time.seconds = -5;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1905 error"));
}

TEST_P(IndexTest, AFractionOfMoreThanASecond) {
  Set(FractionAt(1), version() == 3 ? 2'000'000'000 : 2'000'000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1906 error"));
}

TEST_P(IndexTest, ATimeBeforeTheStart) {
  plan.index[1].time = At(-50);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1907 error"));
}

TEST_P(IndexTest, TimesThatGoBack) {
  plan.index[1].time = At(100);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1908 error"));
}

TEST_P(IndexTest, AnEntryTwice) {
  plan.index.insert(plan.index.begin() + 1, plan.index[1]);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1909 info"));
}

TEST_P(IndexTest, AMetadataOffsetInTheLabel) {
  Set(MetaAt(1), 4);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1910 warning"));
}

TEST_P(IndexTest, AMetadataOffsetBehindTheEnd) {
  Set(MetaAt(1), 1'000'000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1911 error"));
}

TEST_P(IndexTest, MetadataOffsetsThatGoBack) {
  plan.index[2].meta_record = 0;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1912 warning"));
}

TEST_P(IndexTest, AMetadataOffsetInsideARecord) {
  Set(MetaAt(1), image().Word("index", MetaAt(1)) + 2);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1913 warning"));
}

TEST_P(IndexTest, ADataOffsetInTheLabel) {
  Set(DataAt(1), 4);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1914 error"));
}

TEST_P(IndexTest, ADataOffsetBehindTheEnd) {
  Set(DataAt(1), 1'000'000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1915 error"));
}

TEST_P(IndexTest, ARecordThatIsMissingAtTheEndOfAVolume) {
  plan.index[2] = {At(500), 0, EndOfMeta(), 6};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1915 error"));
}

TEST_P(IndexTest, DataOffsetsThatGoBack) {
  Swap(DataAt(1), DataAt(2));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1916 error"));
}

TEST_P(IndexTest, ADataOffsetInsideARecord) {
  Set(DataAt(1), image().Word("index", DataAt(1)) + 4);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1917 error"));
}

TEST_P(IndexTest, AnEntryThatPointsBehindItsRecord) {
  PointToRecord(1, 4);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1918 error"));
}

TEST_P(IndexTest, AnEntryThatPointsToAnEarlierRecord) {
  PointToRecord(1, 1);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1918 warning"));
}

TEST_P(IndexTest, AnEntryAMillisecondOff) {  // ARC-456
  plan.index[1].time = At(3, 1'000'000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1918 warning"));
}

TEST_P(IndexTest, AnEntryBehindALaterRecord) {
  PointToRecord(1, 5);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1919 error"));
}

TEST_P(IndexTest, LaterMetadataInFrontOfTheOffset) {
  plan.index[1] = {At(2), 0, EndOfMeta(), 2};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1920 warning"));
}

TEST_P(IndexTest, NoEntryForTheFirstRecord) {
  plan.index.erase(plan.index.begin());
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1921 error"));
}

TEST_P(IndexTest, AFirstEntryWithAnotherMetadataOffset) {  // ARC-456
  plan.index[0].meta_record = 1;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1921 warning"));
}

TEST_P(IndexTest, NoEntryForTheLastRecord) {
  plan.index.pop_back();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1922 info"));
}

TEST_P(IndexTest, NoEntryForAVolume) {
  SplitIntoVolumes();
  plan.index.erase(plan.index.begin() + 1, plan.index.begin() + 3);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1923 warning"));
}

TEST_P(IndexTest, AnEntryThatIsLaterThanAllRecords) {
  plan.index[2].time = At(500);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1924 warning"));
}

TEST_P(IndexTest, MuchDataWithoutAnEntry) {
  for (std::size_t k = 0; k < 6; ++k) {
    std::get<BlockModel>(CheckedArchive::Set(k, 7).values[0].value).payload.resize(100'000);
  }
  plan.index.erase(plan.index.begin() + 1);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1925 info"));
}

TEST_P(IndexTest, MuchDataAndNoEntryAtAll) {  // 14.14
  for (std::size_t k = 0; k < 6; ++k) {
    std::get<BlockModel>(CheckedArchive::Set(k, 7).values[0].value).payload.resize(100'000);
  }
  plan.index.clear();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1005 fatal"));
}

TEST_P(IndexTest, ADataOffsetOfZero) {
  Set(DataAt(1), 0);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1926 error"));
}

TEST_P(IndexTest, AMetadataOffsetOfZero) {
  Set(MetaAt(1), 0);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1926 warning"));
}

TEST_P(IndexTest, BothOffsetsOfZeroAreOneFinding) {
  Set(MetaAt(1), 0);
  Set(DataAt(1), 0);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1926 error"));
  EXPECT_EQ(Check().counts.error, 1U);
}

TEST_P(IndexTest, AnEntryOfZeros) {
  image().Append("index", std::string(EntrySize(), '\0'));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1926 error"));
}

TEST_P(IndexTest, AFinalEntryThatPointsToTheEnd) {
  plan.index[2].data_record = 6;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1927 info"));
}

TEST_P(IndexTest,
       EntriesThatPointToTheEndsOfTheirRecords) {  // ARC-454, ARC-456: as in old archives
  for (std::size_t i : {1U, 2U}) ++plan.index[i].data_record;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1927 info"));
}

}  // namespace
}  // namespace pmproof::validator::testing

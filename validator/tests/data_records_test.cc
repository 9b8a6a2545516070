// SPDX-License-Identifier: Apache-2.0
// Rules on the structure and the order of data records (section 14.8), each by a violation that
// gives it and nothing else. The rules on the content of value sets are in values_test.cc.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/bytes.h"
#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using archive::BlockModel;
using archive::ResultModel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What is damaged is the record of T+2, to which no index entry points. Its value sets (ARC-1000):
// m.cnt, m.i64, m.str, m.flt, m.dbl of one value each, m.inst of two, m.agg, m.ev, m.hev of one.
class DataRecordsTest : public CheckedArchive {
 protected:
  static constexpr std::size_t kSingle = 20;  // a set of one value (ARC-200)

  std::size_t Begin() { return RecordAt("0", 3); }
  std::size_t TimeAt() { return Begin() + 4; }
  std::size_t FractionAt() { return Begin() + TimeSize(); }
  std::size_t SetCountAt() { return Begin() + 4 + TimeSize(); }
  std::size_t Sets() { return SetCountAt() + 4; }
  std::size_t SetAt(std::size_t i) { return Sets() + kSingle * i + (i > 5 ? 8 : 0); }
  std::size_t IndexAt(std::size_t set) { return SetAt(set) + 16; }  // of its only block
  std::size_t BlockAt(std::size_t set) {
    return Begin() + 4 * (std::size_t{image().Word("0", IndexAt(set))} - 2);
  }
  std::uint32_t IndexOf(std::size_t offset) {
    return static_cast<std::uint32_t>((offset - Begin()) / 4 + 2);
  }

  // Puts bytes into the record; the entries of the index keep pointing to the records after.
  void Insert(std::size_t offset, const std::string& bytes) {
    image().Insert("0", offset, bytes);
    const auto delta = static_cast<std::int32_t>(bytes.size());
    const std::uint32_t length = image().Word("0", Begin()) + static_cast<std::uint32_t>(delta);
    image().SetWord("0", Begin(), length);
    image().SetWord("0", Begin() + length - 4, length);
    const std::size_t entry = version() == 3 ? 32 : 20;
    for (std::size_t end = LabelSize() + entry; end <= image().files.at("index").size();
         end += entry) {
      const std::uint32_t points_to = image().Word("index", end - 4);
      if (points_to > Begin())
        image().SetWord("index", end - 4, points_to + static_cast<std::uint32_t>(delta));
    }
  }

  void SetFraction(std::uint32_t fraction) { image().SetWord("0", FractionAt(), fraction); }

  // Puts a mark in front of a record; the entries of the index keep pointing to theirs.
  void MarkBefore(std::size_t record, Timestamp time) {
    plan.volumes[0].insert(plan.volumes[0].begin() + static_cast<std::ptrdiff_t>(record),
                           ResultModel{time, {}});
    for (generators::PlannedIndexEntry& entry : plan.index)
      entry.data_record += entry.data_record >= record ? 1 : 0;
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, DataRecordsTest, ::testing::Values(2, 3), VersionName);

TEST_P(DataRecordsTest, ANegativeNumberOfSets) {
  image().SetWord("0", SetCountAt(), 0xffffffff);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1701 fatal"));
}

// What is in a record that readers refuse is not missing: not ARC-1333, 1832 or 1833.
TEST_P(DataRecordsTest, TheOnlyValuesOfAMetricAreInARecordThatIsRefused) {
  for (std::size_t record = 0; record < 6; ++record) {
    if (record != 2) plan.volumes.at(0).at(record).sets.resize(4);
  }
  image().SetWord("0", SetCountAt(), 0xffffffff);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1701 fatal"));
}

TEST_P(DataRecordsTest, MoreSetsThanTheRecordHasRoomFor) {
  image().SetWord("0", SetCountAt(), 1000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1702 fatal"));
}

TEST_P(DataRecordsTest, FewerSetsThanThereAre) {
  image().SetWord("0", SetCountAt(), 8);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1703 fatal"));
}

TEST_P(DataRecordsTest, MoreSetsThanThereAre) {
  image().SetWord("0", SetCountAt(), 10);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1703 fatal"));
}

TEST_P(DataRecordsTest, MoreValuesThanTheRecordHasRoomFor) {
  image().SetWord("0", SetAt(8) + 4, 500);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1704 fatal"));
}

TEST_P(DataRecordsTest, AnUnknownFormat) {
  image().SetWord("0", SetAt(1) + 8, 3);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1705 fatal"));
}

TEST_P(DataRecordsTest, ANegativeFormat) {
  image().SetWord("0", SetAt(0) + 8, 0xffffffff);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1705 fatal"));
}

TEST_P(DataRecordsTest, ABlockBehindTheRecord) {
  image().SetWord("0", IndexAt(1), 500);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1706 fatal"));
}

TEST_P(DataRecordsTest, ABlockInFrontOfTheRecord) {
  image().SetWord("0", IndexAt(1), static_cast<std::uint32_t>(-5));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1706 fatal"));
}

TEST_P(DataRecordsTest, ABlockAmongTheValueSets) {
  image().SetWord("0", IndexAt(1), 4);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1706 fatal"));
}

TEST_P(DataRecordsTest, ABlockInsideAnother) {
  image().SetWord("0", IndexAt(2), image().Word("0", IndexAt(1)) + 1);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1707 fatal"));
}

TEST_P(DataRecordsTest, BytesBehindTheBlocks) {
  Insert(RecordAt("0", 4) - 4, "8 bytes.");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1708 fatal"));
}

TEST_P(DataRecordsTest, BytesBeforeTheBlocks) {
  const std::size_t first = BlockAt(1);
  for (const std::size_t set : {1, 2, 3, 4, 6, 7, 8}) {
    image().SetWord("0", IndexAt(set), image().Word("0", IndexAt(set)) + 2);
  }
  Insert(first, "8 bytes.");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1708 fatal"));
}

TEST_P(DataRecordsTest, ABlockThatIsShorterThanItsHeader) {
  image().SetWord("0", BlockAt(2), 0x06000003);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1709 fatal"));
}

TEST_P(DataRecordsTest, ABlockThatRunsPastTheRecord) {
  image().SetWord("0", BlockAt(2), 0x06000320);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1710 fatal"));
}

TEST_P(DataRecordsTest, ABlockOfTwoValues) {
  image().SetWord("0", IndexAt(4), image().Word("0", IndexAt(1)));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1711 fatal"));
}

TEST_P(DataRecordsTest, AMarkWithMoreThanItsTime) {
  MarkBefore(2, At(1, 1'000'000));
  Insert(RecordAt("0", 4) - 4, "mark");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1712 fatal"));
}

TEST_P(DataRecordsTest, BlocksThatAreNotInTheOrderOfTheirValues) {
  const std::size_t integer = BlockAt(1);
  const std::size_t real = BlockAt(4);
  std::vector<std::uint8_t>& bytes = image().files.at("0");
  std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(integer),
                   bytes.begin() + static_cast<std::ptrdiff_t>(integer + 12),
                   bytes.begin() + static_cast<std::ptrdiff_t>(real));
  image().SetWord("0", IndexAt(1), IndexOf(real));
  image().SetWord("0", IndexAt(4), IndexOf(integer));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1716 info"));
}

TEST_P(DataRecordsTest, PaddingOfOtherBytes) {
  std::get<BlockModel>(Set(2, 3).values[0].value).padding = "\xee";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1717 info"));
}

TEST_P(DataRecordsTest, MoreThanASecondOfFraction) {
  SetFraction(version() == 3 ? 1'500'000'000 : 1'500'000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1718 error"));
}

TEST_P(DataRecordsTest, ANegativeFraction) {
  SetFraction(static_cast<std::uint32_t>(-5));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1718 error"));
}

TEST_P(DataRecordsTest, InstancesOfARecordWithoutASoundTimeAreLookedForInTheNext) {  // ARC-1805
  Set(2, 6).values[1].instance = 99;
  Set(3, 6).values[1].instance = 99;
  SetFraction(static_cast<std::uint32_t>(-5));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1718 error", "ARC-1805 warning"));
  EXPECT_EQ(FindingOf("ARC-1805").record, 4U);
}

TEST_P(DataRecordsTest, ARecordBeforeTheStart) {
  Result(2).time = At(-100);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1719 error"));
}

TEST_P(DataRecordsTest, AFirstRecordBeforeTheStart) {
  Result(0).time = At(-100);
  // Nothing of the metadata is there yet at that time.
  EXPECT_THAT(RulesWithSeverity(),
              ElementsAre("ARC-1222 error", "ARC-1336 info", "ARC-1527 info", "ARC-1719 error",
                          "ARC-1806 error", "ARC-1826 info"));
}

TEST_P(DataRecordsTest, ARecordThatGoesBack) {
  Result(3).time = At(0, 500'000'000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1720 error"));
}

TEST_P(DataRecordsTest, TwoRecordsOfOneTime) {
  Result(2).time = At(1);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1721 warning"));
}

TEST_P(DataRecordsTest, APrologueHasTheTimeOfTheFirstResult) {  // ARC-593
  plan.volumes[0].insert(plan.volumes[0].begin(), Logue(At(0)));
  for (std::size_t i : {1U, 2U}) ++plan.index[i].data_record;
  AddLogueMetadata();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1721 info"));
}

TEST_P(DataRecordsTest, ARecordBefore1970) {
  Result(2).time = {-5, 0};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1722 error"));
}

TEST_P(DataRecordsTest, AMarkAtTheStart) {
  plan.volumes[0].insert(plan.volumes[0].begin(), ResultModel{At(0), {}});
  for (std::size_t i : {1U, 2U}) ++plan.index[i].data_record;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1723 info"));
}

TEST_P(DataRecordsTest, AMarkAtTheEnd) {
  plan.volumes[0].push_back({At(6), {}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1723 info"));
}

TEST_P(DataRecordsTest, TwoMarksInARow) {
  MarkBefore(3, At(2, 2'000'000));
  MarkBefore(3, At(2, 1'000'000));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1723 info"));
}

TEST_P(DataRecordsTest, AMarkBetweenTwoRecordsIsFine) {  // ARC-511
  MarkBefore(3, At(2, 1'000'000));
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(DataRecordsTest, AMarkThatIsEarlierThanTheRecordBefore) {
  MarkBefore(3, At(1, 999'000'000));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1724 error"));
}

TEST_P(DataRecordsTest, AMarkThatIsLaterThanTheRecordBehind) {
  MarkBefore(3, At(3, 500'000'000));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1724 error"));
}

TEST_P(DataRecordsTest, FormatTwo) {
  Set(2, 2).format = 2;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1725 info"));
}

}  // namespace
}  // namespace pmproof::validator::testing

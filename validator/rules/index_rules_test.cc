#include "validator/rules/index_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "validator/rules/testing/order_walk.h"

namespace pmproof::validator {
namespace {

using archive::Gravity;
using archive::IndexView;
using archive::testing::RecordingReporter;
using generators::ArchiveImage;
using generators::ArchivePlan;
using generators::BaseArchive;
using generators::Encode;
using generators::WorkedExample;
using testing::At;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Lt;
using testing::OrderWalk;
using testing::SpreadBase;

class IndexRulesTest : public ::testing::TestWithParam<int> {
 protected:
  int version() const { return GetParam(); }
  ArchivePlan base() const { return BaseArchive(version()); }
  std::size_t label() const { return archive::LayoutOf(version()).label; }
  std::size_t entry_size() const { return archive::LayoutOf(version()).index_entry; }
  std::size_t offset_size() const { return version() == 3 ? 8 : 4; }

  std::size_t Entry(std::size_t i) const { return label() + i * entry_size(); }
  std::size_t TimeField(std::size_t i) const { return Entry(i); }
  std::size_t FractionField(std::size_t i) const { return VolumeField(i) - 4; }
  std::size_t VolumeField(std::size_t i) const {
    return Entry(i) + archive::LayoutOf(version()).timestamp;
  }
  std::size_t MetaField(std::size_t i) const { return VolumeField(i) + 4; }
  std::size_t DataField(std::size_t i) const { return MetaField(i) + offset_size(); }

  // Offsets and seconds of these tests fit their (low) word.
  std::uint32_t Low(const ArchiveImage& image, std::size_t field) const {
    return image.Word("index", field + offset_size() - 4);
  }
  void SetLow(ArchiveImage* image, std::size_t field, std::uint32_t value) const {
    image->SetWord("index", field + offset_size() - 4, value);
  }
  void SetSeconds(ArchiveImage* image, std::size_t i, std::int64_t seconds) const {
    image->SetWord("index", TimeField(i), static_cast<std::uint32_t>(seconds));
    if (version() == 3) image->SetWord("index", TimeField(i) + 4, seconds < 0 ? 0xffffffff : 0);
  }
  void SwapFields(ArchiveImage* image, std::size_t a, std::size_t b, std::size_t size) const {
    auto& index = image->files.at("index");
    const auto at = [&index](std::size_t offset) {
      return index.begin() + static_cast<std::ptrdiff_t>(offset);
    };
    std::swap_ranges(at(a), at(a + size), at(b));
  }
  std::size_t Record(const ArchiveImage& image, std::size_t k) const {
    return image.Records("0").at(k + 1);
  }

  // The rules violated by the base archive after a change of its bytes.
  OrderWalk Changed(const std::function<void(ArchiveImage*)>& change) const {
    ArchiveImage image = Encode(base());
    change(&image);
    return OrderWalk(image, version());
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, IndexRulesTest, ::testing::Values(2, 3));

TEST_P(IndexRulesTest, ABytesShortOfAnEntryIsReportedAtTheEnd) {
  const OrderWalk walk =
      Changed([](ArchiveImage* image) { image->Append("index", std::string(10, 'x')); });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1901"));
  EXPECT_EQ(walk.Only().where.offset, Entry(3));
  EXPECT_EQ(walk.Only().where.length, 10u);
}

TEST_P(IndexRulesTest, ANegativeVolumeIsReportedAtItsField) {
  const OrderWalk walk = Changed([this](ArchiveImage* image) {
    image->SetWord("index", VolumeField(1), static_cast<std::uint32_t>(-3));
  });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1902"));
  EXPECT_EQ(walk.Only().where.part, archive::kIndexPart);
  EXPECT_EQ(walk.Only().where.offset, VolumeField(1));
  EXPECT_EQ(walk.Only().where.record, 2u);
}

TEST_P(IndexRulesTest, AVolumeThatDoesNotExistIsReported) {
  EXPECT_THAT(
      Changed([this](ArchiveImage* image) { image->SetWord("index", VolumeField(2), 5); }).Rules(),
      ElementsAre("ARC-1903"));
}

TEST_P(IndexRulesTest, SwappedEntriesOfTwoVolumesAreOneFinding) {
  ArchivePlan plan = SpreadBase(version(), {2, 2, 2});
  std::swap(plan.index[1], plan.index[2]);
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1904"));
}

TEST_P(IndexRulesTest, SwappedVolumeNumbersAreOneFinding) {
  ArchivePlan plan = SpreadBase(version(), {2, 2, 2});
  std::swap(plan.index[1].volume, plan.index[2].volume);
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1904"));
}

TEST_P(IndexRulesTest, NegativeSecondsAreReported) {
  EXPECT_THAT(Changed([this](ArchiveImage* image) { SetSeconds(image, 1, -5); }).Rules(),
              ElementsAre("ARC-1905"));
}

TEST_P(IndexRulesTest, AFractionOutOfRangeIsReported) {
  EXPECT_THAT(Changed([this](ArchiveImage* image) {
                image->SetWord("index", FractionField(1),
                               version() == 3 ? 2'000'000'000 : 2'000'000);
              }).Rules(),
              ElementsAre("ARC-1906"));
}

TEST_P(IndexRulesTest, AnEntryBeforeTheLabelsStartIsReported) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(Changed([&](ArchiveImage* image) {
                  SetSeconds(image, i, generators::kBaseTime - 50);
                }).Rules(),
                ElementsAre("ARC-1907"))
        << "entry " << i;
  }
}

TEST_P(IndexRulesTest, AnEntryThatGoesBackIsReportedOnce) {
  const OrderWalk walk =
      Changed([this](ArchiveImage* image) { SetSeconds(image, 1, generators::kBaseTime + 100); });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1908"));
  EXPECT_EQ(walk.Only().where.record, 3u);
}

TEST_P(IndexRulesTest, SwappedEntriesOfOneVolumeAreOneFinding) {
  ArchivePlan plan = base();
  std::swap(plan.index[1], plan.index[2]);
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1908"));
}

TEST_P(IndexRulesTest, ARepeatedEntryIsCounted) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    ArchivePlan plan = base();
    plan.index.insert(plan.index.begin() + static_cast<std::ptrdiff_t>(i), plan.index[i]);
    EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1909")) << "entry " << i;
  }
}

TEST_P(IndexRulesTest, AMetadataOffsetInsideTheLabelIsReported) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(Changed([&](ArchiveImage* image) { SetLow(image, MetaField(i), 4); }).Rules(),
                ElementsAre("ARC-1910"))
        << "entry " << i;
  }
}

TEST_P(IndexRulesTest, AMetadataOffsetBehindTheEndIsReported) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(
        Changed([&](ArchiveImage* image) { SetLow(image, MetaField(i), 1'000'000); }).Rules(),
        ElementsAre("ARC-1911"))
        << "entry " << i;
  }
}

TEST_P(IndexRulesTest, SwappedMetadataOffsetsAreReported) {
  EXPECT_THAT(Changed([this](ArchiveImage* image) {
                SwapFields(image, MetaField(1), MetaField(2), offset_size());
              }).Rules(),
              ElementsAre("ARC-1912"));
  EXPECT_THAT(Changed([this](ArchiveImage* image) {
                SwapFields(image, MetaField(0), MetaField(1), offset_size());
              }).Rules(),
              ElementsAre("ARC-1912"));
}

TEST_P(IndexRulesTest, AMetadataOffsetInsideARecordIsReported) {
  EXPECT_THAT(Changed([this](ArchiveImage* image) {
                SetLow(image, MetaField(1), Low(*image, MetaField(1)) + 2);
              }).Rules(),
              ElementsAre("ARC-1913"));
}

TEST_P(IndexRulesTest, ADataOffsetInsideTheLabelIsReported) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(Changed([&](ArchiveImage* image) { SetLow(image, DataField(i), 4); }).Rules(),
                ElementsAre("ARC-1914"))
        << "entry " << i;
  }
}

TEST_P(IndexRulesTest, ADataOffsetBehindTheEndIsReported) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(
        Changed([&](ArchiveImage* image) { SetLow(image, DataField(i), 1'000'000); }).Rules(),
        ElementsAre("ARC-1915"))
        << "entry " << i;
  }
}

TEST_P(IndexRulesTest, SwappedDataOffsetsAreReported) {
  EXPECT_THAT(Changed([this](ArchiveImage* image) {
                SwapFields(image, DataField(1), DataField(2), offset_size());
              }).Rules(),
              ElementsAre("ARC-1916"));
}

TEST_P(IndexRulesTest, ADataOffsetInsideARecordIsReported) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(Changed([&](ArchiveImage* image) {
                  SetLow(image, DataField(i), Low(*image, DataField(i)) + 4);
                }).Rules(),
                ElementsAre("ARC-1917"))
        << "entry " << i;
  }
}

TEST_P(IndexRulesTest, AnEntryBehindItsRecordIsAnError) {
  const OrderWalk walk = Changed([this](ArchiveImage* image) {
    SetLow(image, DataField(1), Low(*image, DataField(1)) + image->Word("0", Record(*image, 3)));
  });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1918"));
  EXPECT_EQ(walk.Only().gravity, Gravity::kAsCatalogued);
}

TEST_P(IndexRulesTest, AnEntryAtAnEarlierRecordIsAWarning) {
  const OrderWalk walk = Changed([this](ArchiveImage* image) {
    SetLow(image, DataField(1), static_cast<std::uint32_t>(Record(*image, 1)));
  });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1918"));
  EXPECT_EQ(walk.Only().gravity, Gravity::kWarning);
}

TEST_P(IndexRulesTest, AnEntryAMillisecondOffIsAWarning) {
  for (const std::int32_t nanoseconds : {1'000'000, 999'000}) {
    ArchivePlan plan = base();
    plan.index[1].time = At(3, nanoseconds);
    const OrderWalk walk(plan);
    EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1918"));
    EXPECT_EQ(walk.Only().gravity, Gravity::kWarning);
  }
}

TEST_P(IndexRulesTest, AnEntryBetweenTwoRecordsHidesNothingAndIsAWarning) {
  ArchivePlan plan = base();
  plan.index[1].time = At(2, 500'000'000);
  plan.index[1].meta_record = 0;
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1918"));
  EXPECT_EQ(walk.Only().gravity, Gravity::kWarning);
}

TEST_P(IndexRulesTest, OldArchivesPointToTheEndsOfTheirRecords) {
  ArchivePlan plan = base();
  plan.index = {{At(0), 0, 0, 0}};
  for (std::size_t k = 1; k < 5; ++k) {
    plan.index.push_back(
        {At(static_cast<std::int64_t>(k)), 0, k < 3 ? 0 : plan.meta.size() - 1, k + 1});
  }
  plan.index.push_back({At(5), 0, plan.meta.size(), 5});
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

TEST_P(IndexRulesTest, TheLastEntryMayPointToTheEndOfItsRecord) {
  ArchivePlan plan = base();
  plan.index.back() = {At(4), 0, plan.meta.size(), 5};
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

TEST_P(IndexRulesTest, ALaterRecordInFrontOfTheOffsetIsReported) {
  const OrderWalk walk = Changed([this](ArchiveImage* image) {
    SetLow(image, DataField(1), static_cast<std::uint32_t>(Record(*image, 5)));
  });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1919"));
  EXPECT_EQ(walk.Only().where.offset, DataField(1));
}

TEST_P(IndexRulesTest, LaterMetadataInFrontOfTheOffsetIsReported) {
  ArchivePlan plan = base();
  plan.index[0].meta_record = plan.meta.size();
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1920"));
}

TEST_P(IndexRulesTest, AMissingFirstEntryIsReported) {
  ArchivePlan plan = base();
  plan.index.erase(plan.index.begin());
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1921"));
  EXPECT_EQ(walk.Only().gravity, Gravity::kAsCatalogued);
}

TEST_P(IndexRulesTest, AFirstMetadataOffsetBehindTheLabelIsAWarning) {
  ArchivePlan plan = base();
  plan.index[0].meta_record = 5;
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1921"));
  EXPECT_EQ(walk.Only().gravity, Gravity::kWarning);
}

TEST_P(IndexRulesTest, AMissingLastEntryIsCounted) {
  ArchivePlan plan = base();
  plan.index.pop_back();
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1922"));
}

TEST_P(IndexRulesTest, AVolumeWithoutAnEntryIsReported) {
  ArchivePlan plan = SpreadBase(version(), {2, 2, 2});
  plan.index.erase(plan.index.begin() + 1);
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1923"));
  EXPECT_EQ(walk.Only().where.part, 1);
}

TEST_P(IndexRulesTest, AnEntryLaterThanTheLastRecordIsReported) {
  ArchivePlan plan = base();
  plan.index.back().time = At(500);
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1924"));
}

TEST_P(IndexRulesTest, AnEntryForARecordThatIsMissingAtTheEndOfItsVolumeIsReported) {
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

TEST_P(IndexRulesTest, AnEntryForARecordOfTheNextVolumeIsNotLaterThanAllRecords) {
  ArchivePlan plan = SpreadBase(version(), {2, 2, 2});
  plan.index.insert(plan.index.begin() + 1, {At(2), 0, plan.meta.size() - 1, 1});
  const OrderWalk walk(plan);
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1909", "ARC-1918"));
  EXPECT_EQ(walk.violations[1].gravity, Gravity::kWarning);
}

TEST_P(IndexRulesTest, AnEntryOfZerosIsOneFinding) {
  const OrderWalk walk = Changed(
      [this](ArchiveImage* image) { image->Append("index", std::string(entry_size(), '\0')); });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1926"));
  EXPECT_EQ(walk.Only().where.record, 4u);
}

TEST_P(IndexRulesTest, ADataOffsetOfZeroIsOneFinding) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_THAT(Changed([&](ArchiveImage* image) { SetLow(image, DataField(i), 0); }).Rules(),
                ElementsAre("ARC-1926"))
        << "entry " << i;
  }
}

TEST_P(IndexRulesTest, ALastEntryAtTheEndOfTheFileIsCounted) {
  ArchivePlan plan = base();
  plan.index.back() = {At(5), 0, plan.meta.size(), 6};
  EXPECT_THAT(OrderWalk(plan).Rules(), ElementsAre("ARC-1927"));
}

TEST_P(IndexRulesTest, AVolumeThatOnlyHasItsLabelNeedsNoEntry) {
  ArchivePlan plan = base();
  plan.volumes[1] = {};
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

TEST_P(IndexRulesTest, AnEntryForAVolumeThatOnlyHasItsLabelIsClean) {
  ArchivePlan plan = base();
  plan.volumes[1] = {};
  plan.index.push_back({At(6), 1, plan.meta.size(), 0});
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

TEST_P(IndexRulesTest, EntriesBehindWhatCouldBeReadAreNotJudgedButCounted) {
  const OrderWalk walk = Changed([this](ArchiveImage* image) {
    image->SetWord("0", Record(*image, 2), 0);  // framing is lost: records 2 to 5 are not seen
  });
  EXPECT_THAT(walk.Rules(), IsEmpty());
  EXPECT_EQ(walk.not_checked, "2 index entries that point to data that could not be read");
}

TEST_P(IndexRulesTest, EntriesBehindReadableMetadataAreNotJudgedButCounted) {
  const OrderWalk walk =
      Changed([](ArchiveImage* image) { image->SetWord("meta", image->Records("meta").at(4), 0); });
  EXPECT_THAT(walk.Rules(), IsEmpty());
  EXPECT_EQ(walk.not_checked, "2 index entries that point to metadata that could not be read");
}

TEST_P(IndexRulesTest, AShortenedVolumeLeavesEntriesBehindItsEnd) {
  const OrderWalk walk =
      Changed([this](ArchiveImage* image) { image->Truncate("0", Record(*image, 4)); });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1915"));
}

TEST_P(IndexRulesTest, TheMetadataOffsetOfTheNextEntryIsFound) {
  const ArchiveImage image = Encode(base());
  RecordingReporter reporter;
  const IndexRules rules(IndexView(Bytes(image.files.at("index")).subspan(label()), version()),
                         {version(), At(0), {0}}, reporter);
  EXPECT_EQ(rules.MetaOffsetAfter(At(-10)), label());
  EXPECT_EQ(rules.MetaOffsetAfter(At(0)), image.Records("meta").back());
  EXPECT_EQ(rules.MetaOffsetAfter(At(2)), image.Records("meta").back());
  EXPECT_EQ(rules.MetaOffsetAfter(At(3)), image.files.at("meta").size());
  EXPECT_EQ(rules.MetaOffsetAfter(At(5)), std::nullopt);
}

TEST_P(IndexRulesTest, ADisorderedIndexHasNoNextEntry) {
  ArchivePlan plan = base();
  std::swap(plan.index[1], plan.index[2]);
  const ArchiveImage image = Encode(plan);
  RecordingReporter reporter;
  const IndexRules rules(IndexView(Bytes(image.files.at("index")).subspan(label()), version()),
                         {version(), At(0), {0}}, reporter);
  EXPECT_EQ(rules.MetaOffsetAfter(At(0)), std::nullopt);
}

TEST_P(IndexRulesTest, AnIndexWithoutEntriesViolatesNothingHere) {
  ArchivePlan plan = base();
  plan.index.clear();
  EXPECT_THAT(OrderWalk(plan).Rules(), IsEmpty());
}

// Every word of the index set to hostile values: it ends, and stays inside the file.
TEST_P(IndexRulesTest, AnyWordMayBeAnything) {
  const ArchiveImage image = Encode(SpreadBase(version(), {2, 2, 2}));
  for (std::size_t at = label(); at < image.files.at("index").size(); at += 4) {
    for (const std::uint32_t word : {0U, 1U, 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
      ArchiveImage changed = image;
      changed.SetWord("index", at, word);
      const OrderWalk walk(changed, version());
      for (const auto& violation : walk.violations) {
        EXPECT_THAT(violation.where.offset, Lt(image.files.at("index").size()));
      }
    }
  }
}

// Counts only, as `check` does with what it folds.
class CountingReporter final : public archive::Reporter {
 public:
  std::map<std::string, std::size_t> counts;

 protected:
  bool Count(Clause rule, const archive::Location&, Gravity) override {
    if (rule != last_) count_ = &counts[rule.ToString()];
    last_ = rule;
    ++*count_;
    return false;
  }
  void Keep(Clause, const archive::Location&, Gravity, archive::Details) override {}

 private:
  Clause last_;
  std::size_t* count_ = nullptr;
};

// One volume of records of equal size, one a second, with index entries for the records given.
class LongIndexTest : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kRecord = 1000;
  static constexpr std::uint64_t kFirst = 132;

  static void Judge(const std::vector<std::size_t>& entries, std::size_t records,
                    std::uint32_t record, archive::Reporter* reporter) {
    archive::Buffer bytes;
    for (const std::size_t k : entries) {
      archive::AppendIndexEntry({At(static_cast<std::int64_t>(k)), 0, kFirst, kFirst + k * record},
                                2, &bytes);
    }
    IndexRules rules(IndexView(bytes, 2), {2, At(0), {0}}, *reporter);
    DataEvent event{0, kFirst, record, 1, At(0), 0, 1, nullptr};
    for (std::size_t k = 0; k < records; ++k) {
      rules.OnRecord(event);
      event.offset += record;
      ++event.ordinal;
      ++event.time.seconds;
    }
    rules.OnVolumeEnd(0, {event.offset, event.offset});
    rules.OnEnd({}, {kFirst, kFirst}, true);
  }

  static RecordingReporter Judge(const std::vector<std::size_t>& entries, std::size_t records,
                                 std::uint32_t record = kRecord) {
    RecordingReporter reporter;
    Judge(entries, records, record, &reporter);
    return reporter;
  }
};

TEST_F(LongIndexTest, EntriesEvery100000BytesAreClean) {
  EXPECT_THAT(Judge({0, 101, 202, 303, 399}, 400).Rules(), IsEmpty());
}

TEST_F(LongIndexTest, AStretchWithoutEntriesIsCounted) {
  const RecordingReporter reporter = Judge({0, 250, 300}, 301);
  EXPECT_THAT(reporter.Rules(), ElementsAre("ARC-1925"));
  EXPECT_EQ(reporter.violations[0].where.part, 0);
  EXPECT_EQ(reporter.violations[0].where.offset, kFirst);
  EXPECT_EQ(reporter.violations[0].where.length, 250'000u);
}

TEST_F(LongIndexTest, TheStretchBehindTheLastEntryCountsToo) {
  EXPECT_THAT(Judge({0}, 400).Rules(), ElementsAre("ARC-1925", "ARC-1922"));
}

TEST_F(LongIndexTest, LargeRecordsMakeLongDistances) {
  EXPECT_THAT(Judge({0, 1, 2}, 3, 600'000).Rules(), IsEmpty());
}

TEST_F(LongIndexTest, AMillionEntriesAreJudgedInOnePass) {
  std::vector<std::size_t> entries(1'000'000);
  std::iota(entries.begin(), entries.end(), 0U);
  CountingReporter reporter;
  Judge(entries, entries.size(), 100, &reporter);
  EXPECT_THAT(reporter.counts, IsEmpty());
}

TEST_F(LongIndexTest, AMillionEntriesInReverseAreJudgedToo) {
  std::vector<std::size_t> entries(1'000'000);
  std::iota(entries.rbegin(), entries.rend(), 0U);
  CountingReporter reporter;
  Judge(entries, entries.size(), 100, &reporter);
  EXPECT_THAT(reporter.counts, ElementsAre(std::pair("ARC-1908", 999'999U)));
}

TEST_F(LongIndexTest, AMillionEntriesThatWaitForALaterRecordAreJudgedToo) {
  // Each entry is for a record 500000 records behind the one it points to.
  archive::Buffer bytes;
  for (std::size_t k = 0; k < 1'000'000; ++k) {
    archive::AppendIndexEntry(
        {At(static_cast<std::int64_t>(k + 500'000)), 0, kFirst, kFirst + k * 100}, 2, &bytes);
  }
  CountingReporter reporter;
  IndexRules rules(IndexView(bytes, 2), {2, At(0), {0}}, reporter);
  for (std::size_t k = 0; k < 1'000'000; ++k) {
    rules.OnRecord(
        {0, kFirst + k * 100, 100, k + 1, At(static_cast<std::int64_t>(k)), 0, 1, nullptr});
  }
  rules.OnVolumeEnd(0, {kFirst + 100'000'000, kFirst + 100'000'000});
  rules.OnEnd({}, {kFirst, kFirst}, true);
  EXPECT_EQ(reporter.counts["ARC-1918"] + reporter.counts["ARC-1924"], 1'000'000U);
}

}  // namespace
}  // namespace pmproof::validator

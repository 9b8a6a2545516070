// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/testing/loaded_metadata.h"

namespace pmproof::archive {
namespace {

using generators::ArchiveImage;
using generators::ArchivePlan;
using generators::BaseArchive;
using generators::kBaseTime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LoadedMetadata;

const Indom kIndom = Indom::Of(29, 1);

Buffer MetaOf(const ArchivePlan& plan) { return generators::Encode(plan).files.at("meta"); }

class MetadataOfEachVersion : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Versions, MetadataOfEachVersion, ::testing::Values(2, 3));

TEST_P(MetadataOfEachVersion, HasEveryRecordOfTheBaseArchive) {  // ARC-300, ARC-1000
  const LoadedMetadata loaded(MetaOf(BaseArchive(GetParam())), GetParam());
  const Metadata& metadata = loaded.metadata();
  EXPECT_EQ(metadata.descs.size(), 10U);
  EXPECT_EQ(metadata.indoms.size(), 2U);
  EXPECT_EQ(metadata.labels.size(), 2U);
  EXPECT_EQ(metadata.texts.size(), 3U);
  EXPECT_EQ(metadata.records, 17U);
  EXPECT_TRUE(metadata.Complete());
  EXPECT_FALSE(metadata.ended_inside);
  EXPECT_THAT(loaded.Rules(), IsEmpty());
}

TEST_P(MetadataOfEachVersion, KnowsWhereEachRecordIs) {
  const ArchiveImage image = generators::Encode(BaseArchive(GetParam()));
  const LoadedMetadata loaded(image.files.at("meta"), GetParam());
  const std::vector<RecordPosition>& positions = loaded.metadata().positions;
  const std::vector<std::size_t> offsets = image.Records("meta");
  ASSERT_EQ(positions.size() + 1, offsets.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    EXPECT_EQ(positions[i].offset, offsets[i + 1]);
    EXPECT_EQ(positions[i].length, image.Word("meta", offsets[i + 1]));
    EXPECT_EQ(positions[i].ordinal, i + 1);
  }
  EXPECT_EQ(loaded.metadata().end, image.files.at("meta").size());
  EXPECT_EQ(positions.back().end(), image.files.at("meta").size());
}

TEST_P(MetadataOfEachVersion, KnowsTheTimesOfInstanceDomainsAndLabels) {  // ARC-340, ARC-390
  const LoadedMetadata loaded(MetaOf(BaseArchive(GetParam())), GetParam());
  const std::vector<RecordPosition>& positions = loaded.metadata().positions;
  EXPECT_EQ(positions[0].type, RecordType::kDesc);
  EXPECT_EQ(positions[0].time, std::nullopt);
  EXPECT_EQ(positions[6].time, (Timestamp{kBaseTime, 0}));
  EXPECT_EQ(positions[11].time, (Timestamp{kBaseTime, 0}));
  EXPECT_EQ(positions[13].type, RecordType::kText);
  EXPECT_EQ(positions[13].time, std::nullopt);
  EXPECT_EQ(positions[16].time, (Timestamp{kBaseTime + 3, 0}));
}

TEST_P(MetadataOfEachVersion, ReadsTheWorkedExample) {  // ARC-680, ARC-681
  const LoadedMetadata loaded(MetaOf(generators::WorkedExample(GetParam())), GetParam());
  EXPECT_EQ(loaded.metadata().descs.size(), 5U);
  EXPECT_EQ(loaded.metadata().indoms.size(), 2U);
  EXPECT_EQ(loaded.metadata().labels.size(), 1U);
  EXPECT_EQ(loaded.metadata().texts.size(), 1U);
  EXPECT_THAT(loaded.Rules(), IsEmpty());
}

// The base archive with one more record, after the first.
struct Inserted {
  Inserted(int version, MetaRecordModel record)
      : loaded(Meta(version, std::move(record)), version) {}

  static Buffer Meta(int version, MetaRecordModel record) {
    ArchivePlan plan = BaseArchive(version);
    plan.meta.insert(plan.meta.begin() + 1, std::move(record));
    return MetaOf(plan);
  }

  LoadedMetadata loaded;
};

// The payload of a record as the other version writes it.
RawRecordModel PayloadOf(const MetaRecordModel& record, int version) {
  Buffer bytes;
  AppendMetaRecord(record, version, &bytes);
  return {std::string(AsText(Bytes(bytes).subspan(kLengthWord, bytes.size() - 2 * kLengthWord)))};
}

RawRecordModel Typed(std::uint32_t type, std::size_t more) {
  RawRecordModel record{std::string(4 + more, '\0')};
  StoreU32(reinterpret_cast<std::uint8_t*>(record.payload.data()), type);
  return record;
}

TEST_P(MetadataOfEachVersion, KnowsSevenTypesOfRecords) {  // ARC-1301, ARC-300
  for (const std::uint32_t type : {0U, 8U, 0xffffffffU}) {
    const Inserted inserted(GetParam(), Typed(type, 40));
    EXPECT_THAT(inserted.loaded.Rules(), ElementsAre("ARC-1301")) << type;
    EXPECT_EQ(inserted.loaded.metadata().undecoded, 1U);
    EXPECT_FALSE(inserted.loaded.metadata().Complete());
    EXPECT_EQ(inserted.loaded.metadata().descs.size(), 10U);
    EXPECT_EQ(inserted.loaded.metadata().records, 18U);
  }
}

TEST(Metadata, TypeIsReportedAtItsPlace) {  // ARC-1301
  const Inserted inserted(2, Typed(8, 40));
  const auto& violation = inserted.loaded.reporter.violations.at(0);
  EXPECT_EQ(violation.where.offset, inserted.loaded.metadata().positions[1].offset + 4);
  EXPECT_EQ(violation.where.part, kMetaPart);
  EXPECT_EQ(violation.where.record, 2U);
  EXPECT_EQ(violation.details.actual, "8");
}

TEST_P(MetadataOfEachVersion, RecordsHaveAType) {  // ARC-1109
  for (const std::size_t size : {0U, 1U, 3U}) {
    const Inserted inserted(GetParam(), RawRecordModel{std::string(size, '\1')});
    EXPECT_THAT(inserted.loaded.Rules(), ElementsAre("ARC-1109")) << size;
  }
}

TEST_P(MetadataOfEachVersion, RecordsAreLongEnoughForTheirType) {  // ARC-1109
  const std::vector<std::uint32_t> types = GetParam() == 2
                                               ? std::vector<std::uint32_t>{1, 2, 3, 4}
                                               : std::vector<std::uint32_t>{1, 4, 5, 6, 7};
  for (const std::uint32_t type : types) {
    const Inserted inserted(GetParam(), Typed(type, 0));
    EXPECT_THAT(inserted.loaded.Rules(), ElementsAre("ARC-1109")) << type;
    EXPECT_EQ(inserted.loaded.metadata().positions[1].time, std::nullopt);
  }
}

TEST_P(MetadataOfEachVersion, InstanceDomainOfTheOtherVersionIsDecodedInItsLayout) {  // ARC-1302
  const int other = 5 - GetParam();
  const IndomModel model{{kBaseTime, 7000}, kIndom, {{4, "four"}}, false};
  const Inserted inserted(GetParam(), PayloadOf(model, other));
  ASSERT_THAT(inserted.loaded.Rules(), ElementsAre("ARC-1302"));
  const IndomRecord& indom = inserted.loaded.metadata().indoms.at(0);
  EXPECT_EQ(indom.time, model.time);
  EXPECT_EQ(indom.indom, kIndom);
  EXPECT_EQ(indom.Id(0), 4);
  EXPECT_EQ(indom.Name(0), "four");
  EXPECT_EQ(inserted.loaded.metadata().positions[1].time, model.time);
}

TEST_P(MetadataOfEachVersion, LabelsOfTheOtherVersionAreDecodedInTheirLayout) {  // ARC-1302
  const int other = 5 - GetParam();
  LabelSetModel set;
  set.json = "{\"k\":1}";
  set.entries = {{2, 1, 1, 5, 1}};
  const LabelRecordModel model{{kBaseTime, 7000}, 1, 0xffffffff, {set}};
  const Inserted inserted(GetParam(), PayloadOf(model, other));
  ASSERT_THAT(inserted.loaded.Rules(), ElementsAre("ARC-1302"));
  EXPECT_EQ(inserted.loaded.metadata().labels.at(0).time, model.time);
  EXPECT_EQ(inserted.loaded.metadata().labels.at(0).set_count, 1U);
}

TEST(Metadata, Version2HasNoDeltas) {  // ARC-1302
  const IndomModel delta{{kBaseTime, 0}, kIndom, {{4, "four"}}, true};
  const Inserted inserted(2, PayloadOf(delta, 3));
  EXPECT_THAT(inserted.loaded.Rules(), ElementsAre("ARC-1302"));
  EXPECT_TRUE(inserted.loaded.metadata().indoms.at(0).delta);
}

TEST_P(MetadataOfEachVersion, DescribesAMetric) {  // ARC-1332
  const LoadedMetadata loaded({MetaRecordModel(TextModel{9, kIndom.value, "text"})}, GetParam());
  EXPECT_THAT(loaded.Rules(), ElementsAre("ARC-1332"));
}

TEST(Metadata, WithoutAnyRecordIsAnotherRulesBusiness) {  // ARC-1332, ARC-1005
  const LoadedMetadata loaded(std::vector<MetaRecordModel>{}, 2);
  EXPECT_THAT(loaded.Rules(), IsEmpty());
  EXPECT_EQ(loaded.metadata().end, LayoutOf(2).label);
}

TEST(Metadata, WithADescThatIsNotLoadedHasADesc) {  // ARC-1332, ARC-1109
  const LoadedMetadata loaded({MetaRecordModel(Typed(1, 8))}, 2);
  EXPECT_THAT(loaded.Rules(), ElementsAre("ARC-1109"));
}

TEST_P(MetadataOfEachVersion, TextWithoutClassAtTheEndIsNoObstacle) {  // ARC-1601, ARC-432
  ArchivePlan plan = BaseArchive(GetParam());
  plan.meta.emplace_back(TextModel{4, kIndom.value, "text"});
  const LoadedMetadata last(MetaOf(plan), GetParam());
  ASSERT_THAT(last.Rules(), ElementsAre("ARC-1601"));
  EXPECT_EQ(last.reporter.violations[0].gravity, Gravity::kError);
  const Inserted inside(GetParam(), TextModel{4, kIndom.value, "text"});
  ASSERT_THAT(inside.loaded.Rules(), ElementsAre("ARC-1601"));
  EXPECT_EQ(inside.loaded.reporter.violations[0].gravity, Gravity::kFatal);
}

TEST_P(MetadataOfEachVersion, GoesOnBehindARecordThatIsNotLoaded) {
  ArchiveImage image = generators::Encode(BaseArchive(GetParam()));
  const std::size_t first = image.Records("meta")[1];
  image.SetWord("meta", first + 32, 100);  // the length of a name
  const LoadedMetadata loaded(image.files.at("meta"), GetParam());
  EXPECT_THAT(loaded.Rules(), ElementsAre("ARC-1304"));
  EXPECT_EQ(loaded.metadata().descs.size(), 9U);
  EXPECT_EQ(loaded.metadata().undecoded, 1U);
}

TEST_P(MetadataOfEachVersion, TellsWhereFramingWasLost) {  // ARC-1101
  ArchiveImage image = generators::Encode(BaseArchive(GetParam()));
  const std::size_t third = image.Records("meta")[3];
  image.SetWord("meta", third, 4);
  const LoadedMetadata loaded(image.files.at("meta"), GetParam());
  EXPECT_THAT(loaded.Rules(), ElementsAre("ARC-1101"));
  EXPECT_EQ(loaded.metadata().lost, third);
  EXPECT_EQ(loaded.metadata().end, third);
  EXPECT_EQ(loaded.metadata().descs.size(), 2U);
  EXPECT_FALSE(loaded.metadata().Complete());
}

TEST_P(MetadataOfEachVersion, CutAnywhereIsReadUpToTheLastWholeRecord) {  // ARC-520
  const ArchiveImage whole = generators::Encode(BaseArchive(GetParam()));
  std::vector<std::size_t> boundaries = whole.Records("meta");
  boundaries.push_back(whole.files.at("meta").size());
  std::size_t complete = 0;  // records in front of the cut, the label not counted
  for (std::size_t size = boundaries[1]; size <= boundaries.back(); ++size) {
    if (size == boundaries[complete + 2]) ++complete;
    ArchiveImage cut = whole;
    cut.Truncate("meta", size);
    const LoadedMetadata loaded(cut.files.at("meta"), GetParam());
    const bool clean = size == boundaries[complete + 1];
    EXPECT_EQ(loaded.metadata().records, complete) << size;
    EXPECT_EQ(loaded.metadata().end, boundaries[complete + 1]) << size;
    EXPECT_EQ(loaded.metadata().ended_inside, !clean) << size;
    EXPECT_EQ(loaded.Rules().empty(), clean) << size;
  }
}

RC_GTEST_PROP(Metadata, OfAnyBytesIsLoadedOrReported, ()) {
  const int version = *rc::gen::element(2, 3);
  ArchiveImage image = generators::Encode(BaseArchive(version));
  const std::size_t label = LayoutOf(version).label;
  const int flips = *rc::gen::inRange(1, 8);
  for (int i = 0; i < flips; ++i) {
    image.SetByte("meta", *rc::gen::inRange(label, image.files.at("meta").size()),
                  *rc::gen::arbitrary<std::uint8_t>());
  }
  const LoadedMetadata loaded(image.files.at("meta"), version);
  RC_ASSERT(loaded.metadata().Complete() || !loaded.Rules().empty());
}

}  // namespace
}  // namespace pmproof::archive

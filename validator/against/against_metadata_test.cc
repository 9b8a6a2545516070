// SPDX-License-Identifier: Apache-2.0
// Metadata: what is a difference to the original, and what is none.

#include "validator/against/against.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/archive_image.h"
#include "generators/transform.h"
#include "validator/against/testing/edit_plan.h"
#include "validator/against/testing/held_against.h"

namespace pmproof::validator::against {
namespace {

using archive::DescModel;
using archive::IndomModel;
using archive::LabelRecordModel;
using archive::MetaRecordModel;
using archive::ResultModel;
using archive::TextModel;
using archive::ValueSetModel;
using generators::ArchivePlan;
using ::testing::ElementsAre;

class AgainstMetadataTest : public ::testing::TestWithParam<int> {
 protected:
  std::vector<std::string> Against(const ArchivePlan& replacement) {
    return Lines(held_.Run(original_, replacement));
  }

  HeldAgainst held_;
  ArchivePlan original_ = generators::BaseArchive(GetParam());
  ArchivePlan copy_ = original_;
};

TEST_P(AgainstMetadataTest, RepeatedMetadataAreNoDifference) {  // ARC-308, ARC-403
  const std::vector<MetaRecordModel> before = copy_.meta;
  for (const MetaRecordModel& record : before) {
    if (std::holds_alternative<DescModel>(record) || std::holds_alternative<TextModel>(record)) {
      copy_.meta.push_back(record);
    }
  }
  for (LabelRecordModel labels : {Nth<LabelRecordModel>(copy_), Nth<LabelRecordModel>(copy_, 1)}) {
    labels.time = At(4);
    copy_.meta.push_back(labels);
  }
  copy_.meta.push_back(IndomModel{At(4), Indom::Of(29, 1), {{0, "a"}, {2, "c"}}, false});
  EXPECT_THAT(Against(copy_), ElementsAre("nothing lost"));
}

TEST_P(AgainstMetadataTest, MetadataMayComeWithTheFirstValueThatNeedsThem) {  // ARC-641
  // m.inst, of the only domain, is there from the third record on.
  EraseSet(original_.volumes[0][0], 6);
  EraseSet(original_.volumes[0][1], 6);
  copy_ = original_;
  Nth<IndomModel>(copy_).time = At(2);
  Nth<LabelRecordModel>(copy_, 1).time = At(2);
  EXPECT_THAT(Against(copy_), ElementsAre("nothing lost"));
}

TEST_P(AgainstMetadataTest, AnInstanceOfAnotherNameIsNamedWithTheTimesOfItsValues) {
  Nth<IndomModel>(copy_).instances[1].name = "x";
  EXPECT_THAT(Against(copy_), ElementsAre("loss",
                                          "changed instances instance domain 29.1 1 at "
                                          "+0..+2: 1: b -> x"));
}

TEST_P(AgainstMetadataTest, AnInstanceThatIsNotListedAnyMoreIsNamed) {
  EraseNth<IndomModel>(copy_, 1);
  for (std::size_t k = 3; k < 6; ++k) SetOf(copy_.volumes[0][k], 6).values.pop_back();
  EXPECT_THAT(Against(copy_),
              ElementsAre("loss", "lost values m.inst 3 of 12 at +3..+5: 2 \"c\": 17 -> ",
                          "lost instances instance domain 29.1 1 at +3..+5: 2: c -> ",
                          "added instances instance domain 29.1 1 at +3..+5: 1:  -> b"));
}

TEST_P(AgainstMetadataTest, AnInstanceWithoutValuesCounts) {
  original_.meta.push_back(
      IndomModel{At(3, 500'000'000), Indom::Of(29, 1), {{0, "a"}, {2, "c"}, {7, "gone"}}, false});
  original_.meta.push_back(
      IndomModel{At(3, 600'000'000), Indom::Of(29, 1), {{0, "a"}, {2, "c"}}, false});
  EXPECT_THAT(Against(copy_),
              ElementsAre("loss", "lost instances instance domain 29.1 1 at +3.5: 7: gone -> "));
}

TEST_P(AgainstMetadataTest, LabelsThatAreOtherAreNamed) {
  LabelRecordModel& labels = Nth<LabelRecordModel>(copy_, 1);
  labels.sets[0].json = "{\"k\":\"B\"}";
  EXPECT_THAT(Against(copy_),
              ElementsAre("loss",
                          "changed labels instances of 29.1 1 at +0..+5: 0: {\"k\":\"A\"} "
                          "-> {\"k\":\"B\"}"));
}

TEST_P(AgainstMetadataTest, ContextLabelsThatAreLostAreNamed) {
  Nth<LabelRecordModel>(original_).sets[0].json = "{\"hostname\":\"otherhst\"}";
  copy_ = original_;
  EraseNth<LabelRecordModel>(copy_);
  EXPECT_THAT(Against(copy_), ElementsAre("loss",
                                          "lost labels context 1 at +0..+5: "
                                          "{\"hostname\":\"otherhst\"} -> "));
}

TEST_P(AgainstMetadataTest, ContextLabelsThatReadersMakeUpAreNotLost) {  // ARC-402
  EraseNth<LabelRecordModel>(copy_);
  EXPECT_THAT(Against(copy_), ElementsAre("nothing lost"));
  std::swap(original_, copy_);
  EXPECT_THAT(Against(copy_), ElementsAre("nothing lost"));
}

TEST_P(AgainstMetadataTest, AnEmptyLabelSetIsNone) {  // ARC-397
  Nth<LabelRecordModel>(copy_, 1).sets.pop_back();
  EXPECT_THAT(Against(copy_), ElementsAre("nothing lost"));
}

TEST_P(AgainstMetadataTest, LabelsThatComeLaterAreOtherUntilThen) {  // ARC-641, the ledger
  Nth<LabelRecordModel>(copy_, 1).time = At(2);
  EXPECT_THAT(Against(copy_), ElementsAre("loss",
                                          "lost labels instances of 29.1 1 at +0..+1: 0: "
                                          "{\"k\":\"A\"} -> "));
}

TEST_P(AgainstMetadataTest, HelpTextsThatAreOtherAreNamed) {
  Nth<TextModel>(copy_).text = "another line";
  EraseNth<TextModel>(copy_, 2);
  copy_.meta.push_back(TextModel{5, Pmid::Of(29, 0, 2).value, "new"});
  EXPECT_THAT(Against(copy_),
              ElementsAre("loss", "lost help instance domain 29.1 1: one line: indom one line -> ",
                          "changed help m.cnt 1: one line: one line -> another line",
                          "added help m.i64 1: one line:  -> new"));
}

TEST_P(AgainstMetadataTest, TheLastHelpTextCounts) {  // ARC-433
  copy_.meta.insert(copy_.meta.begin() + 12, TextModel{5, Pmid::Of(29, 0, 1).value, "before"});
  MoveMeta(copy_, 0, 1);
  EXPECT_THAT(Against(copy_), ElementsAre("nothing lost"));
}

TEST_P(AgainstMetadataTest, AMetricThatIsLostTakesWhatIsItsWithIt) {
  EraseNth<DescModel>(copy_, 5);  // m.inst, the only one of its domain
  for (ResultModel& result : copy_.volumes[0]) EraseSet(result, 6);
  EraseNth<LabelRecordModel>(copy_, 1);
  EraseNth<TextModel>(copy_, 2);
  EraseNth<IndomModel>(copy_, 1);
  EraseNth<IndomModel>(copy_, 0);
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "lost metrics m.inst 12 of 12 at +0..+5"));
  std::swap(original_, copy_);
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "added metrics m.inst 12 at +0..+5"));
}

TEST_P(AgainstMetadataTest, AnotherNameIsNamed) {
  Nth<DescModel>(copy_).names = {"m.count"};
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "lost names m.cnt 1: m.cnt -> ",
                                          "added names m.cnt 1:  -> m.count"));
}

TEST_P(AgainstMetadataTest, AMetricOfAnotherNumberKeepsItsValues) {
  const Pmid number = Pmid::Of(29, 0, 77);
  Nth<DescModel>(copy_, 1).descriptor.pmid = number;
  for (ResultModel& result : copy_.volumes[0]) SetOf(result, 2).pmid = number;
  EXPECT_THAT(Against(copy_),
              ElementsAre("loss", "changed descriptors m.i64 1: number: 29.0.2 -> 29.0.77"));
}

TEST_P(AgainstMetadataTest, AnInstanceDomainOfAnotherNumberKeepsItsInstances) {
  const Indom number = Indom::Of(29, 9);
  Nth<DescModel>(copy_, 5).descriptor.indom = number;
  Nth<IndomModel>(copy_, 0).indom = number;
  Nth<IndomModel>(copy_, 1).indom = number;
  Nth<LabelRecordModel>(copy_, 1).identifier = number.value;
  Nth<TextModel>(copy_, 2).identifier = number.value;
  EXPECT_THAT(Against(copy_), ElementsAre("loss",
                                          "changed descriptors m.inst 1: instance domain: "
                                          "29.1 -> 29.9"));
  Nth<IndomModel>(copy_, 0).instances[0].name = "x";
  EXPECT_THAT(Against(copy_)[2], ::testing::StartsWith("changed instances instance domain 29.1 1"));
}

TEST_P(AgainstMetadataTest, AMetricThatLosesItsInstanceDomainLosesTheNames) {
  Nth<DescModel>(copy_, 5).descriptor.indom = Indom::Null();
  EraseNth<IndomModel>(copy_, 1);
  EraseNth<IndomModel>(copy_, 0);
  EXPECT_THAT(Against(copy_),
              ElementsAre("loss",
                          "changed descriptors m.inst 1: instance domain: 29.1 -> "
                          "PM_INDOM_NULL",
                          ::testing::StartsWith("lost instances instance domain 29.1 3 at "
                                                "+0..+5: ")));
}

TEST_P(AgainstMetadataTest, OfAnotherTypeNumbersAreCompared) {
  Nth<DescModel>(copy_).descriptor.type = MetricType::k64;
  Nth<DescModel>(copy_).descriptor.units = Units{0};
  for (std::size_t k = 0; k < 6; ++k) {
    ValueSetModel& set = SetOf(copy_.volumes[0][k], 1);
    const std::uint32_t number = std::get<std::uint32_t>(set.values[0].value) + (k == 5 ? 1 : 0);
    set.values[0].value = archive::BlockModel{
        static_cast<std::uint8_t>(MetricType::k64), generators::BigEndian({0, number}), {}};
    set.format = archive::kDynamic;
  }
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "changed descriptors m.cnt 2: type: u32 -> 64",
                                          "changed values m.cnt 1 of 6 at +5: 1050 -> 1051"));
}

TEST_P(AgainstMetadataTest, HostAndZoneAreNamed) {
  copy_.label.host = "other";
  copy_.label.timezone = "CET-1";
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "changed host 1: host: testhost -> other",
                                          "changed zone 1: timezone: UTC -> CET-1"));
}

INSTANTIATE_TEST_SUITE_P(Versions, AgainstMetadataTest, ::testing::Values(2, 3));

}  // namespace
}  // namespace pmproof::validator::against

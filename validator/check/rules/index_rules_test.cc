// SPDX-License-Identifier: Apache-2.0
// Rules on the entries of an index themselves, on their order, and on entries that are missing.

#include "validator/check/rules/index_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "validator/check/rules/testing/index_rules_fixture.h"

namespace pmproof::validator {
namespace {

using archive::Gravity;
using archive::IndexView;
using archive::testing::RecordingReporter;
using generators::ArchiveImage;
using generators::ArchivePlan;
using generators::Encode;
using testing::At;
using ::testing::ElementsAre;
using testing::IndexRulesTest;
using ::testing::IsEmpty;
using ::testing::Lt;
using testing::OrderWalk;
using testing::SpreadBase;

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

TEST_P(IndexRulesTest, AnEntryOfZerosIsOneFinding) {
  const OrderWalk walk = Changed(
      [this](ArchiveImage* image) { image->Append("index", std::string(entry_size(), '\0')); });
  EXPECT_THAT(walk.Rules(), ElementsAre("ARC-1926"));
  EXPECT_EQ(walk.Only().where.record, 4u);
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

}  // namespace
}  // namespace pmproof::validator

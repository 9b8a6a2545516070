// SPDX-License-Identifier: Apache-2.0
// Severities under the profile live (section 14.13): an archive that is still being written.

#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LiveProfileTest : public CheckedArchive {
 protected:
  LiveProfileTest() { options.profile = Profile::kLive; }
  void CutEnd(const std::string& file, std::size_t bytes) {
    image().Truncate(file, image().files.at(file).size() - bytes);
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, LiveProfileTest, ::testing::Values(2, 3), VersionName);

TEST_P(LiveProfileTest, ASoundArchiveHasNoFinding) {
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
  EXPECT_TRUE(Check().conformant);
}

TEST_P(LiveProfileTest, FilesThatWereJustMade) {
  for (const char* file : {"meta", "index", "0"}) image().Truncate(file, 0);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1004 warning"));
}

TEST_P(LiveProfileTest, LabelsThatWereJustStored) {
  for (const char* file : {"meta", "index", "0"}) image().Truncate(file, LabelSize());
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1005 warning"));
  EXPECT_TRUE(Check().conformant);
}

TEST_P(LiveProfileTest, ARecordThatIsBeingWritten) {
  CutEnd("0", 10);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1102 info"));
  EXPECT_TRUE(Check().conformant);
}

TEST_P(LiveProfileTest, ARecordThatIsBeingWrittenToItsTrailer) {
  CutEnd("0", 2);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1103 info"));
}

TEST_P(LiveProfileTest, MetadataThatAreBeingWritten) {
  CutEnd("meta", 10);
  plan.index.pop_back();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1102 info", "ARC-1911 info"));
}

TEST_P(LiveProfileTest, AGarbledLengthIsNotOneThatIsBeingWritten) {
  image().SetWord("0", RecordAt("0", 6), 0x00ffffff);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1102 fatal"));
}

TEST_P(LiveProfileTest, ATrailerThatIsCutBehindAGarbledRecord) {
  image().SetWord("0", RecordAt("0", 6) + 4 + TimeSize(), 0xffffffff);  // numpmid
  CutEnd("0", 2);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1103 fatal"));
}

TEST_P(LiveProfileTest, TheFirstBytesOfTheNextRecord) {
  image().Append("0", std::string(2, '\0'));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1105 info"));
}

TEST_P(LiveProfileTest, TheFirstBytesOfTheNextEntry) {
  image().Append("index", std::string(10, '\1'));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1901 info"));
}

TEST_P(LiveProfileTest, AVolumeSwitchThatHasJustHappened) {  // not ARC-1014
  plan.volumes[1] = {};
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
}

TEST_P(LiveProfileTest, MetadataWhoseValuesAreToCome) {  // not ARC-1333
  archive::DescModel desc = Desc("m.cnt");
  desc.descriptor.pmid = Pmid::Of(29, 0, 20);
  desc.names = {"m.new"};
  AddMeta(desc);
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
}

TEST_P(LiveProfileTest, LabelsOfAnInstanceThatIsNotThereYet) {
  Labels(32).sets.back().instance = 55;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1516 info"));
}

TEST_P(LiveProfileTest, AnIndexThatWasCopiedLater) {
  image().Truncate("0", RecordAt("0", 5));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1915 info"));
}

TEST_P(LiveProfileTest, AnIndexThatWasCopiedLaterByOneRecord) {
  image().Truncate("0", RecordAt("0", 6));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1915 info"));
}

TEST_P(LiveProfileTest, AFinalEntryIsWrittenOnExit) {  // not ARC-1922
  plan.index.pop_back();
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
}

TEST_P(LiveProfileTest, AnEpilogueIsWrittenOnExit) {  // not ARC-2009
  EXPECT_THAT(
      Check().findings,
      ::testing::Not(::testing::Contains(::testing::Field(&Finding::rule, "ARC-2009"_clause))));
}

TEST_P(LiveProfileTest, TheFirstRecordOfAVolumeIsStoredBeforeItsEntry) {
  SplitIntoVolumes();
  plan.index.resize(3);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1923 info"));
}

TEST_P(LiveProfileTest, AVolumeInTheMiddleHasItsEntryByNow) {
  SplitIntoVolumes();
  plan.index.erase(plan.index.begin() + 1, plan.index.begin() + 3);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1923 warning"));
}

TEST_P(LiveProfileTest, AnEntryThatIsLaterThanTheLastRecord) {
  plan.index[2].time = At(500);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1924 info"));
}

TEST_P(LiveProfileTest, MetadataOfARecordThatIsNotStoredYet) {  // not ARC-2005
  archive::LabelRecordModel labels = Labels(1);
  labels.time = At(50);
  AddMeta(labels, /*at_end=*/true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-2002 info"));
}

TEST_P(LiveProfileTest, AnInstanceDomainWithATimeOfItsOwn) {  // not ARC-2005
  std::get<archive::IndomModel>(plan.meta.back()).time = At(2, 500'000'000);
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
}

TEST_P(LiveProfileTest, NoValuesYet) {
  for (std::size_t record = 0; record < 6; ++record) {
    for (archive::ValueSetModel& set : Result(record).sets) set = {set.pmid, 0, {}, 0};
  }
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1832 info", "ARC-1833 info", "ARC-2007 info"));
}

TEST_P(LiveProfileTest, WhatIsNotNamedKeepsItsSeverity) {
  image().Append("0", std::string(64, '\0'));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1107 fatal"));
}

}  // namespace
}  // namespace pmproof::validator::testing

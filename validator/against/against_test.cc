// SPDX-License-Identifier: Apache-2.0
// Values, marks and archives: what is a difference to the original, and what is none.

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

using archive::ResultModel;
using archive::TextModel;
using archive::ValueSetModel;
using generators::ArchivePlan;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AgainstTest : public ::testing::TestWithParam<int> {
 protected:
  std::vector<std::string> Against(const ArchivePlan& replacement) {
    return Lines(held_.Run(original_, replacement));
  }

  HeldAgainst held_;
  ArchivePlan original_ = generators::BaseArchive(GetParam());
  ArchivePlan copy_ = original_;
};

TEST_P(AgainstTest, ACopyLosesNothing) { EXPECT_THAT(Against(copy_), ElementsAre("nothing lost")); }

TEST_P(AgainstTest, HowRecordsLieInFilesIsNoDifference) {
  EXPECT_THAT(Against(generators::SplitIntoVolumes(copy_, {1, 4})), ElementsAre("nothing lost"));
  EXPECT_THAT(Against(generators::DropIndex(copy_)), ElementsAre("nothing lost"));
  EXPECT_THAT(Against(generators::IndexEvery(copy_, 1)), ElementsAre("nothing lost"));
}

TEST_P(AgainstTest, TheOtherVersionLosesNothing) {
  const auto converted = generators::ToVersion(copy_, GetParam() == 2 ? 3 : 2);
  ASSERT_TRUE(converted) << converted.error().ToText();
  if (GetParam() == 2) {
    EXPECT_THAT(Against(*converted), ElementsAre("nothing lost"));
  } else {
    EXPECT_THAT(Against(*converted), ElementsAre("loss", "lost zone 1: zoneinfo: :UTC -> "));
  }
}

TEST_P(AgainstTest, CompressedFilesLoseNothing) {
  generators::Encode(original_).Store("a", &held_.storage);
  ASSERT_FALSE(generators::StoreCompressed(generators::Encode(copy_), "b",
                                           archive::Compression::kXz, &held_.storage));
  EXPECT_THAT(Lines(held_.Run(std::vector<std::string>{"a"}, std::vector<std::string>{"b"})),
              ElementsAre("nothing lost"));
}

TEST_P(AgainstTest, HowValuesAreSpreadOverRecordsOfOneTimeIsNoDifference) {
  ResultModel rest = copy_.volumes[0][2];
  rest.sets.erase(rest.sets.begin(), rest.sets.begin() + 4);
  copy_.volumes[0][2].sets.resize(4);
  InsertRecord(copy_, 2, std::move(rest));
  EXPECT_THAT(Against(copy_), ElementsAre("nothing lost"));
}

TEST_P(AgainstTest, TheOrderOfMetricsAndInstancesIsNoDifference) {
  std::reverse(copy_.volumes[0][2].sets.begin(), copy_.volumes[0][2].sets.end());
  std::vector<archive::ValueModel>& values = SetOf(copy_.volumes[0][2], 6).values;
  std::reverse(values.begin(), values.end());
  EXPECT_THAT(Against(copy_), ElementsAre("nothing lost"));
}

TEST_P(AgainstTest, AnotherValueIsNamedWithItsMetricAndTime) {
  SetOf(copy_.volumes[0][2], 1).values[0].value = 1021U;
  EXPECT_THAT(Against(copy_),
              ElementsAre("loss", "changed values m.cnt 1 of 6 at +2: 1020 -> 1021"));
}

TEST_P(AgainstTest, AValueThatIsLostIsNamedWithItsInstance) {
  SetOf(copy_.volumes[0][2], 6).values.pop_back();
  EXPECT_THAT(Against(copy_),
              ElementsAre("loss", "lost values m.inst 1 of 12 at +2: 1 \"b\": 9 -> "));
}

TEST_P(AgainstTest, AValueThatIsAddedIsADifferenceToo) {
  std::swap(original_, copy_);
  EraseSet(original_.volumes[0][3], 3);
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "added values m.str 1 of 5 at +3:  -> hello3"));
}

TEST_P(AgainstTest, OneBitOfAFloatIsADifference) {
  std::get<archive::BlockModel>(SetOf(copy_.volumes[0][0], 5).values[0].value).payload[0] = '\x80';
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "changed values m.dbl 1 of 6 at +0: 0 -> -0"));
}

TEST_P(AgainstTest, AByteOfAnEventIsADifference) {
  std::get<archive::BlockModel>(SetOf(copy_.volumes[0][1], 8).values[0].value).payload.back() =
      '\4';
  EXPECT_THAT(
      Against(copy_),
      ElementsAre(
          "loss",
          "changed values m.ev 1 of 6 at +1: [2 event records], 48 bytes -> [2 event records], 48 "
          "bytes (other bytes)"));
}

TEST_P(AgainstTest, AFloatMayBeStoredInEitherForm) {  // ARC-206
  for (ResultModel& result : copy_.volumes[0]) {
    ValueSetModel& set = SetOf(result, 4);
    const auto payload = std::get<archive::BlockModel>(set.values[0].value).payload;
    set.values[0].value = LoadU32(reinterpret_cast<const std::uint8_t*>(payload.data()));
    set.format = archive::kInsitu;
  }
  EXPECT_THAT(Against(copy_), ElementsAre("nothing lost"));
}

TEST_P(AgainstTest, AnErrorInPlaceOfAValueIsADifference) {  // ARC-203
  ValueSetModel& set = SetOf(copy_.volumes[0][2], 1);
  set.values.clear();
  set.status = -12357;
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "lost values m.cnt 1 of 6 at +2: 1020 -> ",
                                          "added values m.cnt 1 of 6 at +2:  -> PM_ERR_NAME"));
}

TEST_P(AgainstTest, ARecordThatIsLostIsEachOfItsValues) {
  EraseRecord(copy_, 1);
  EXPECT_THAT(
      Against(copy_),
      ElementsAre(
          "loss", "lost values m.cnt 1 of 6 at +1: 1010 -> ",
          "lost values m.i64 1 of 6 at +1: -4 -> ", "lost values m.str 1 of 6 at +1: hello1 -> ",
          "lost values m.flt 1 of 6 at +1: 2.5 -> ", "lost values m.dbl 1 of 6 at +1: 2.25 -> ",
          "lost values m.inst 2 of 12 at +1: 0 \"a\": 1 -> ",
          ::testing::StartsWith("lost values m.agg 1 of 6 at +1: base64:"),
          ::testing::StartsWith("lost values m.ev 1 of 6 at +1: [2 event records]"),
          ::testing::StartsWith("lost values m.hev 1 of 6 at +1: [1 event record]")));
}

TEST_P(AgainstTest, ATimeThatIsOtherIsALossAndAnAddition) {
  original_.volumes[0][4].sets.resize(1);
  copy_ = original_;
  copy_.volumes[0][4].time.nanoseconds += 1000;
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "lost values m.cnt 1 of 6 at +4: 1040 -> ",
                                          "added values m.cnt 1 of 6 at +4.000001:  -> 1040"));
}

TEST_P(AgainstTest, MarksThatAreLostOrAddedAreNamed) {
  InsertRecord(copy_, 3, {At(2, 1'000'000), {}});
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "added marks 1 of 0 at +2.001"));
  std::swap(original_, copy_);
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "lost marks 1 of 1 at +2.001"));
}

TEST_P(AgainstTest, AMarkThatIsRepeatedIsNoDifference) {
  InsertRecord(original_, 3, {At(2, 1'000'000), {}});
  copy_ = original_;
  InsertRecord(copy_, 3, {At(2, 1'000'000), {}});
  EXPECT_THAT(Against(copy_), ElementsAre("nothing lost"));
}

TEST_P(AgainstTest, OnWhichSideOfAMarkAValueStandsIsADifference) {
  InsertRecord(original_, 3, {At(3), {}});
  InsertRecord(copy_, 4, {At(3), {}});
  EXPECT_THAT(Against(copy_),
              ElementsAre("loss",
                          "changed marks 1 of 1 at +3:  -> stands before other values of "
                          "its own time"));
}

TEST_P(AgainstTest, AValueThatIsThereTwiceIsRepeated) {
  InsertRecord(copy_, 3, copy_.volumes[0][2]);
  const AgainstReport report = held_.Run(original_, copy_);
  EXPECT_THAT(Lines(report), ElementsAre("nothing lost"));
  EXPECT_EQ(report.comparison->repeated, 10U);
  EXPECT_THAT(Lines(held_.Run(copy_, original_))[1], "lost values m.cnt 1 of 7 at +2: 1020 -> ");
}

TEST_P(AgainstTest, AnotherValueBesideTheOneThatWasThereIsAChange) {
  ResultModel other = copy_.volumes[0][2];
  other.sets.resize(1);
  other.sets[0].values[0].value = 1U;
  InsertRecord(copy_, 3, other);
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "changed values m.cnt 1 of 6 at +2: 1020 -> 1"));
}

TEST_P(AgainstTest, OfOneTimeTheOrderOfValuesOfAnInstanceCounts) {
  ResultModel other = original_.volumes[0][2];
  other.sets.resize(1);
  other.sets[0].values[0].value = 1U;
  InsertRecord(original_, 3, other);
  InsertRecord(copy_, 2, other);
  EXPECT_THAT(Against(copy_), ElementsAre("loss", "changed values m.cnt 2 of 7 at +2: 1020 -> 1"));
}

TEST_P(AgainstTest, OfWindowsNothingIsLostButTheSeamBetweenThem) {  // ARC-556
  const AgainstReport report =
      held_.Run(std::vector{original_}, std::vector{Window(copy_, 3, 6), Window(copy_, 0, 3)});
  EXPECT_THAT(Lines(report), ElementsAre("loss",
                                         "added seams 1 at +2.001:  -> readers see a mark "
                                         "where two archives meet"));
}

TEST_P(AgainstTest, AMarkStandsForTheSeamOfTheOriginals) {  // ARC-511
  ArchivePlan merged = copy_;
  InsertRecord(merged, 3, {At(2, 1'000'000), {}});
  const std::vector<ArchivePlan> windows{Window(copy_, 0, 3), Window(copy_, 3, 6)};
  EXPECT_THAT(Lines(held_.Run(windows, {merged})), ElementsAre("nothing lost"));
  EXPECT_THAT(Lines(held_.Run(windows, windows)), ElementsAre("nothing lost"));
  EXPECT_THAT(Lines(held_.Run(windows, {copy_})),
              ElementsAre("loss",
                          "lost seams 1 at +2.001: where two archives of the original met, "
                          "nothing marks it -> "));
}

TEST_P(AgainstTest, ArchivesSideBySideHoldWhatTheOriginalHeld) {
  ArchivePlan rest = copy_;
  for (ResultModel& result : copy_.volumes[0]) result.sets.resize(4);
  for (ResultModel& result : rest.volumes[0])
    result.sets.erase(result.sets.begin(), result.sets.begin() + 4);
  EXPECT_THAT(Lines(held_.Run(std::vector{original_}, {copy_, rest})),
              ElementsAre("loss",
                          "added seams 1 at +0:  -> instead/a2 begins before instead/a1 "
                          "ends: PCP does not read them together (ARC-555)"));
}

TEST_P(AgainstTest, WhatIsDeclaredIsNoLoss) {
  EraseNth<TextModel>(copy_, 2);
  InsertRecord(copy_, 3, {At(2, 1'000'000), {}});
  ASSERT_EQ(ParseAllowance("help,marks", &held_.request.allowed), "");
  EXPECT_THAT(Against(copy_)[0], "lossy as declared");
  held_.request.allowed = {};
  ASSERT_EQ(ParseAllowance("help,added", &held_.request.allowed), "");
  EXPECT_THAT(Against(copy_)[0], "loss") << "an additional mark is not allowed by 'added'";
}

TEST_P(AgainstTest, AnotherValueCannotBeDeclared) {
  SetOf(copy_.volumes[0][2], 1).values[0].value = 1021U;
  ASSERT_EQ(
      ParseAllowance("metrics,descriptors,names,values,marks,seams,instances,labels,help,host,"
                     "zone,added",
                     &held_.request.allowed),
      "");
  EXPECT_THAT(Against(copy_)[0], "loss");
}

TEST_P(AgainstTest, WhereReadersDoNotGetToTheEndThereIsNoAnswer) {
  generators::ArchiveImage image = generators::Encode(copy_);
  image.Truncate("0", image.files.at("0").size() - 20);
  for (const bool is_original : {false, true}) {
    generators::Encode(original_).Store("sound", &held_.storage);
    image.Store("damaged", &held_.storage);
    std::vector<std::string> names{"sound", "damaged"};
    if (is_original) std::swap(names[0], names[1]);
    const AgainstReport report = held_.Run(std::vector{names[0]}, std::vector{names[1]});
    EXPECT_EQ(report.outcome(), Outcome::kNoAnswer);
    EXPECT_THAT(report.failure.value().ToText(), HasSubstr("damaged: readers do not open it"));
    EXPECT_EQ(ExitStatusOf(report, Severity::kError), ExitStatus::kUnreadable);
  }
}

TEST_P(AgainstTest, OfArchivesThatAreNotThereThereIsNoAnswer) {
  generators::Encode(original_).Store("sound", &held_.storage);
  const std::vector<std::string> sound{"sound"};
  const std::vector<std::string> gone{"gone"};
  for (const AgainstReport& report : {held_.Run(sound, gone), held_.Run(gone, sound)}) {
    EXPECT_EQ(report.outcome(), Outcome::kNoAnswer);
    EXPECT_EQ(ExitStatusOf(report, Severity::kError), ExitStatus::kUnreadable);
  }
}

TEST_P(AgainstTest, ArchivesOfTwoHostsAreNotReadTogether) {  // ARC-552
  ArchivePlan other = Window(copy_, 3, 6);
  other.label.host = "other";
  const AgainstReport report = held_.Run({Window(original_, 0, 3), other}, {copy_});
  EXPECT_EQ(report.outcome(), Outcome::kNoAnswer);
  EXPECT_THAT(report.failure.value().ToText(), HasSubstr("[ARC-552]"));
}

TEST_P(AgainstTest, TimesThatGoBackAreComparedWhereTheyStand) {  // ARC-500
  original_.volumes[0][3].time = At(1, 500'000'000);
  EXPECT_THAT(Lines(held_.Run(original_, original_)), ElementsAre("nothing lost"));
  copy_ = original_;
  EraseRecord(copy_, 3);
  EXPECT_THAT(Against(copy_)[1], "lost values m.cnt 1 of 6 at +1.5: 1030 -> ");
}

TEST_P(AgainstTest, AnArchiveThatIsItsOwnReplacementIsPointedOut) {
  generators::Encode(original_).Store("a", &held_.storage);
  const std::vector<std::string> a{"a"};
  EXPECT_THAT(held_.Run(a, a).on_both_sides, ElementsAre("a"));
}

TEST_P(AgainstTest, WhatIsBeyondTheBudgetHasNoAnswer) {
  held_.request.check.memory = archive::MemoryBudget(4000);
  const AgainstReport report = held_.Run(original_, copy_);
  EXPECT_EQ(report.outcome(), Outcome::kNoAnswer);
  EXPECT_EQ(ExitStatusOf(report, Severity::kError), ExitStatus::kBudget);
}

TEST_P(AgainstTest, TheExitStatusIsThatOfTheOutcomeAndOfFindingsOfWhatRemains) {
  EXPECT_EQ(ExitStatusOf(held_.Run(original_, copy_), Severity::kError), ExitStatus::kOk);
  copy_.volumes[0][5].time = At(4, 500'000'000);
  original_ = copy_;
  copy_.volumes[0][3].time = At(1, 500'000'000);
  EXPECT_EQ(ExitStatusOf(held_.Run(original_, copy_), Severity::kError), ExitStatus::kFindings);
}

INSTANTIATE_TEST_SUITE_P(Versions, AgainstTest, ::testing::Values(2, 3));

TEST(Allowance, WordsThatMeanNothingAreRefused) {
  Allowance allowed;
  EXPECT_THAT(ParseAllowance("marks,foo", &allowed), HasSubstr("'foo' is none of metrics, "));
  EXPECT_THAT(ParseAllowance("", &allowed), HasSubstr("'' is none of"));
  EXPECT_THAT(ParseAllowance("reduce=60", &allowed), HasSubstr("'reduce=60' is none of"));
}

TEST(Nanoseconds, AreComparedAsTheyAre) {
  HeldAgainst held;
  ArchivePlan original = generators::BaseArchive(3);
  original.volumes[0][4].sets.resize(1);
  ArchivePlan copy = original;
  copy.volumes[0][4].time.nanoseconds = 1;
  EXPECT_THAT(Lines(held.Run(original, copy)),
              ElementsAre("loss", "lost values m.cnt 1 of 6 at +4: 1040 -> ",
                          "added values m.cnt 1 of 6 at +4.000000001:  -> 1040"));
}

}  // namespace
}  // namespace pmproof::validator::against

// SPDX-License-Identifier: Apache-2.0
// Rules on values against metadata (section 14.9) and on the identifiers, instances and codes of
// value sets (14.8), each by a violation that gives it and nothing else.

#include <bit>
#include <limits>
#include <string>

#include "reference/archive/encode.h"
#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using archive::BlockModel;
using archive::ResultModel;
using archive::ValueModel;
using archive::ValueSetModel;
using generators::BigEndian;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

BlockModel Block(MetricType type, std::string payload) {
  return {static_cast<std::uint8_t>(type), std::move(payload), std::nullopt};
}

class ValuesTest : public CheckedArchive {
 protected:
  BlockModel& BlockOf(std::size_t record, std::uint32_t item) {
    return std::get<BlockModel>(Set(record, item).values.at(0).value);
  }
  ResultModel Mark(std::int64_t milliseconds) {
    return {Timestamp{generators::kBaseTime, 0} + milliseconds * 1'000'000, {}};
  }
  // Sets the event array of m.ev in record 2.
  void SetEvents(std::initializer_list<std::uint32_t> words) {
    BlockOf(2, 8).payload = BigEndian(words);
  }
  static constexpr std::uint32_t kNow = static_cast<std::uint32_t>(generators::kBaseTime + 2);
};
INSTANTIATE_TEST_SUITE_P(Versions, ValuesTest, ::testing::Values(2, 3), VersionName);

TEST_P(ValuesTest, AMetricTwiceInARecord) {
  ValueSetModel again = Set(2, 1);
  again.values[0].value = 5U;
  Result(2).sets.push_back(again);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1713 error"));
}

TEST_P(ValuesTest, AnInstanceTwiceInASet) {
  Set(2, 6).values[1].instance = 0;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1714 error"));
}

// What stood in two records in the same way is no longer looked at in full.
TEST_P(ValuesTest, AMetricTwiceInARecordAfterOthersLikeIt) {
  Result(4).sets.push_back(Set(4, 1));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1713 error"));
  EXPECT_EQ(FindingOf("ARC-1713").record, 5U);
}

TEST_P(ValuesTest, ASingularMetricThatGetsAnInstanceAfterRecordsWithoutOne) {
  Set(4, 1).values[0].instance = 0;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1802 warning"));
  EXPECT_EQ(FindingOf("ARC-1802").record, 5U);
}

TEST_P(ValuesTest, UnknownErrorCodes) {
  for (const std::int32_t code : {-12545, -1006}) {
    Set(2, 1) = {Pmid::Of(29, 0, 1), 0, {}, code};
  }
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1715 warning"));
}

TEST_P(ValuesTest, KnownErrorCodesAndErrnoNumbersAreFine) {  // ARC-019, ARC-203
  Set(2, 1) = {Pmid::Of(29, 0, 1), 0, {}, -12350};
  Set(3, 1) = {Pmid::Of(29, 0, 1), 0, {}, -32};
  Set(4, 1) = {Pmid::Of(29, 0, 1), 0, {}, 0};
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(ValuesTest, TheFlagBitOfAPmid) {
  Result(2).sets.push_back({Pmid{Pmid::Of(29, 0, 1).value | 0x80000000}, 0, {{-1, 1U}}, 0});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1727 error"));
}

TEST_P(ValuesTest, APmidThatIsDerivedOnReplay) {
  Result(2).sets.push_back({Pmid::Of(511, 0, 5), 0, {{-1, 1U}}, 0});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1728 error"));
}

TEST_P(ValuesTest, InstancesOutOfOrder) {
  std::swap(Set(2, 6).values[0], Set(2, 6).values[1]);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1729 info"));
}

TEST_P(ValuesTest, AMetricWithoutDescriptor) {
  Result(2).sets.push_back({Pmid::Of(29, 0, 77), 0, {{-1, 1U}}, 0});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1801 error"));
}

TEST_P(ValuesTest, ASingularMetricWithAnInstance) {
  Set(2, 1).values[0].instance = 0;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1802 warning"));
}

TEST_P(ValuesTest, ASingularMetricWithTwoValues) {
  Set(2, 1).values.push_back(Set(2, 1).values[0]);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1803 error"));
}

TEST_P(ValuesTest, ASetValuedMetricWithoutAnInstance) {
  Set(2, 6).values[0].instance = -1;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1804 error"));
}

TEST_P(ValuesTest, AnInstanceThatIsNotInTheDomain) {
  Set(2, 6).values[1].instance = 99;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1805 warning"));
}

TEST_P(ValuesTest, AnInstanceThatComesLaterIsNotThereYet) {
  Set(2, 6).values[1].instance = 2;
  EXPECT_THAT(Rules(), ElementsAre("ARC-1805"));
  EXPECT_EQ(FindingOf("ARC-1805").record, 3U);
}

TEST_P(ValuesTest, ADomainThatBeginsAfterTheFirstValues) {
  FirstIndom().time.seconds += 1;
  Labels(32).time.seconds += 1;
  EXPECT_THAT(Rules(), ElementsAre("ARC-1527", "ARC-1806", "ARC-2003"));
}

TEST_P(ValuesTest, ADomainWithoutAnyRecord) {
  std::erase_if(plan.meta, [](const auto& record) {
    return std::holds_alternative<archive::IndomModel>(record) ||
           (std::holds_alternative<archive::LabelRecordModel>(record) &&
            std::get<archive::LabelRecordModel>(record).label_class == 32) ||
           (std::holds_alternative<archive::TextModel>(record) &&
            std::get<archive::TextModel>(record).type == 9);
  });
  plan.index[1].meta_record = plan.index[2].meta_record = plan.meta.size();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1807 error"));
}

TEST_P(ValuesTest, InsituValuesOfTypesThatNeedABlock) {
  Set(2, 2) = {Pmid::Of(29, 0, 2), 0, {{-1, 1U}}, 0};
  Set(3, 3) = {Pmid::Of(29, 0, 3), 0, {{-1, 1U}}, 0};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1808 error"));
  EXPECT_EQ(Check().counts.error, 2U);
}

TEST_P(ValuesTest, ABlockOfA32BitMetric) {
  Set(2, 1) = {Pmid::Of(29, 0, 1), 1, {{-1, Block(MetricType::kU32, BigEndian({1020}))}}, 0};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1809 error"));
}

TEST_P(ValuesTest, ABlockOfAnotherType) {
  BlockOf(2, 2).type = 5;
  BlockOf(3, 3).type = 7;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1810 error"));
  EXPECT_EQ(Check().counts.error, 2U);
}

TEST_P(ValuesTest, BlockTypeZeroOfOldArchives) {  // ARC-233
  BlockOf(2, 3).type = 0;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1810 warning"));
}

TEST_P(ValuesTest, BlockTypeZeroOfAMetricThatNeedsNoBlock) {
  Set(2, 1) = {Pmid::Of(29, 0, 1), 1, {{-1, Block(MetricType::k32, BigEndian({1020}))}}, 0};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1810 error"));
}

TEST_P(ValuesTest, ANumberThatIsTooShort) {
  BlockOf(2, 2).payload.resize(4);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1811 fatal"));
}

TEST_P(ValuesTest, ANumberThatIsTooLong) {
  BlockOf(2, 2).payload.resize(12);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1811 error"));
}

TEST_P(ValuesTest, AStringWithoutNul) {
  BlockOf(2, 3).payload = "nonul";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1812 warning"));
}

TEST_P(ValuesTest, AnEmptyBlockIsAnEmptyString) {  // ARC-235
  BlockOf(2, 3).payload = "";
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(ValuesTest, AStringThatGoesOnAfterItsNul) {
  BlockOf(2, 3).payload = std::string("ab\0cd\0", 6);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1813 warning"));
}

TEST_P(ValuesTest, AFormatThatChanges) {
  Set(2, 4) = {Pmid::Of(29, 0, 4), 0, {{-1, std::bit_cast<std::uint32_t>(3.5F)}}, 0};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1814 error"));
  EXPECT_EQ(Check().counts.error, 2U) << "there and back";
}

TEST_P(ValuesTest, ANegativeNumberOfEvents) {
  SetEvents({0xffffffff});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1815 error"));
}

TEST_P(ValuesTest, EventRecordsThatRunPastTheirBlock) {
  SetEvents({50, kNow, 5, 1, 1, 0x07400009, 0x01000008, 77});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1816 fatal"));
}

TEST_P(ValuesTest, EventParametersThatRunPastTheirBlock) {
  SetEvents({1, kNow, 5, 1, 9, 0x07400009, 0x01000008, 77});
  EXPECT_THAT(Rules(), ElementsAre("ARC-1816"));
}

TEST_P(ValuesTest, TheMissedFlagIsNotAlone) {
  SetEvents({1, kNow, 6, 0x80000001, 3});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1817 warning"));
}

TEST_P(ValuesTest, AnEventParameterWithoutDescriptor) {
  SetEvents(
      {2, kNow, 5, 1, 1, 0x07400042, 0x01000008, 77, kNow, 5, 1, 1, 0x07400009, 0x01000008, 77});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1818 warning"));
}

TEST_P(ValuesTest, AnEventParameterOfAnotherType) {
  SetEvents({1, kNow, 5, 1, 1, 0x07400009, 0x06000008, 0x61626300});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1819 warning"));
}

TEST_P(ValuesTest, AnEventTimeWithTooManyMicroseconds) {
  SetEvents({1, kNow, 5'000'000, 1, 1, 0x07400009, 0x01000008, 77});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1820 warning"));
}

TEST_P(ValuesTest, AnUnknownEventFlag) {
  SetEvents({1, kNow, 5, 0x100, 1, 0x07400009, 0x01000008, 77});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1821 warning"));
}

TEST_P(ValuesTest, BytesBehindTheLastEvent) {
  SetEvents({1, kNow, 5, 1, 1, 0x07400009, 0x01000008, 77, 0x7461696c});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1822 warning"));
}

TEST_P(ValuesTest, AnEmptyEventArray) {
  SetEvents({0});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1823 info"));
}

TEST_P(ValuesTest, AnEventArrayWithoutItsCount) {
  BlockOf(2, 8).payload.clear();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1824 fatal"));
}

TEST_P(ValuesTest, ACounterThatDecreases) {
  Set(2, 1).values[0].value = 3U;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1825 warning"));
  const Finding finding = FindingOf("ARC-1825");
  EXPECT_EQ(finding.actual, "3");
  EXPECT_EQ(finding.expected, ">= 1010");
  EXPECT_EQ(finding.record, 3U);
}

TEST_P(ValuesTest, ACounterMayDecreaseAfterAMark) {  // ARC-510
  for (std::size_t k = 2; k < 6; ++k) Set(k, 1).values[0].value = static_cast<std::uint32_t>(k);
  plan.volumes[0].insert(plan.volumes[0].begin() + 2, Mark(1001));
  plan.index[1].data_record = 4;
  plan.index[2].data_record = 6;
  EXPECT_THAT(Rules(), IsEmpty());
}

// Found by RapidCheck (validator/tests/properties/metamorphic_test.cc).
TEST_P(ValuesTest, ACounterMayDecreaseAfterAMarkInAVolumeWithoutValuesOfIt) {  // ARC-510
  for (std::size_t k = 2; k < 4; ++k) Set(k, 1) = {Pmid::Of(29, 0, 1), 0, {}, 0};
  for (std::size_t k = 4; k < 6; ++k) Set(k, 1).values[0].value = static_cast<std::uint32_t>(k);
  SplitIntoVolumes();
  EXPECT_THAT(Rules(), ElementsAre("ARC-1825"));
  Reset();
  plan.volumes[1].push_back(Mark(3001));
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(ValuesTest, CountersOfEachTypeAreCompared) {
  struct Case {
    MetricType type;
    std::string before;
    std::string after;
    std::uint32_t item;
  };
  const auto bits = [](double value) {
    const auto word = std::bit_cast<std::uint64_t>(value);
    return BigEndian({static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)});
  };
  Desc("m.i64").descriptor.semantics = Semantics::kCounter;
  Desc("m.dbl").descriptor.semantics = Semantics::kCounter;
  Desc("m.flt").descriptor.semantics = Semantics::kCounter;
  for (std::size_t k = 0; k < 6; ++k)
    BlockOf(k, 2).payload = BigEndian({0, static_cast<std::uint32_t>(k)});
  BlockOf(4, 2).payload = BigEndian({0, 2});        // 3 -> 2
  BlockOf(3, 5).payload = bits(0.5);                // 4.5 -> 0.5
  BlockOf(5, 4).payload = BigEndian({0x3f800000});  // 5.5 -> 1
  EXPECT_THAT(Rules(), ElementsAre("ARC-1825"));
  EXPECT_EQ(Check().counts.warning, 3U);
}

TEST_P(ValuesTest, AnInstanceIsComparedWithItself) {
  Desc("m.inst").descriptor.semantics = Semantics::kCounter;
  // Instance 1 leaves with 9, instance 2 comes with 17: no decrease although positions say so.
  Set(3, 6).values[1].value = 1U;
  EXPECT_THAT(Rules(), IsEmpty());
}

// What has decreased is what the next value is compared with.
TEST_P(ValuesTest, EachInstanceThatDecreasesDoesSoOnce) {  // ARC-1825
  Desc("m.inst").descriptor.semantics = Semantics::kCounter;
  const std::uint32_t values[3][2] = {{7, 5}, {8, 4}, {6, 4}};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 2; ++i) Set(k, 6).values[i].value = values[k][i];
  }
  for (std::size_t k = 3; k < 6; ++k) Set(k, 6).values[0].value = 9U;
  EXPECT_THAT(Rules(), ElementsAre("ARC-1825"));
  EXPECT_EQ(Check().counts.warning, 2U);
  const Finding first = FindingOf("ARC-1825");
  EXPECT_EQ(first.record, 2U);
  EXPECT_EQ(first.actual, "4");
  EXPECT_THAT(first.message, ::testing::HasSubstr("instance 1"));
}

TEST_P(ValuesTest, EventsThatAreOutOfOrder) {
  SetEvents({2, kNow + 50, 0, 1, 1, 0x07400009, 0x01000008, 77, kNow + 2, 0, 1, 0});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1826 info"));
}

TEST_P(ValuesTest, ANumberThatIsNone) {
  BlockOf(2, 5).payload = BigEndian({0x7ff80000, 0});
  BlockOf(3, 4).payload = BigEndian({0x7f800000});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1828 warning"));
  EXPECT_EQ(Check().counts.warning, 2U);
}

TEST_P(ValuesTest, BlockTypesThatDoNotBelongOnDisk) {
  BlockOf(2, 7).type = 8;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1829 warning"));
}

TEST_P(ValuesTest, ValuesOfAnUnsupportedMetric) {
  archive::DescModel desc = Desc("m.cnt");
  desc.descriptor = {
      Pmid::Of(29, 0, 20), MetricType::kNoSupport, Indom::Null(), Semantics::kInstant, {}};
  desc.names = {"m.none"};
  AddMeta(desc);
  Result(2).sets.push_back({Pmid::Of(29, 0, 20), 0, {{-1, 1U}}, 0});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1830 error"));
}

TEST_P(ValuesTest, ANegativeCounter) {
  Desc("m.i64").descriptor.semantics = Semantics::kCounter;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1831 warning"));
  EXPECT_EQ(Check().counts.warning, 5U);
}

TEST_P(ValuesTest, ADiscreteMetricWithoutAnyValue) {
  for (std::size_t k = 0; k < 6; ++k) Set(k, 3) = {Pmid::Of(29, 0, 3), 0, {}, 0};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1832 info"));
}

TEST_P(ValuesTest, AMetricWithoutAnyValue) {
  for (std::size_t k = 0; k < 6; ++k) Set(k, 1) = {Pmid::Of(29, 0, 1), 0, {}, 0};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1833 info"));
}

TEST_P(ValuesTest, AStringThatActsOnATerminal) {
  for (const char* const text :
       {"ab\x1b[31m", "ab\r", "ab\x7f", "ab\u009b", "ab\u202e", "ab\u2028"}) {
    Reset();
    BlockOf(2, 3).payload = std::string(text) + '\0';
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1834 warning")) << text;
    EXPECT_EQ(image().files.at("0").at(FindingOf("ARC-1834").offset),
              static_cast<std::uint8_t>(text[2]));
  }
}

TEST_P(ValuesTest, LinesTabulatorsAndOtherScriptsAreText) {  // ARC-1834
  BlockOf(2, 3).payload = std::string("sh -c '\n\tb\u00fccher'") + '\0';
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(ValuesTest, AStringThatIsNoUtf8) {
  BlockOf(2, 3).payload = std::string("caf\xe9") + '\0';
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1835 info"));
  EXPECT_EQ(image().files.at("0").at(FindingOf("ARC-1835").offset), 0xe9);
}

TEST_P(ValuesTest, AnEventParameterThatIsNoUtf8) {
  SetEvents({1, kNow, 5, 1, 1, 0x07400009, 0x06000008, 0x61e96d00});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1819 warning", "ARC-1835 info"));
}

TEST_P(ValuesTest, AStringThatActsOnATerminalAndHasNoNul) {
  BlockOf(2, 3).payload = "\x1b[31m";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1812 warning", "ARC-1834 warning"));
}

TEST_P(ValuesTest, WhatFollowsTheNulOfAStringIsNotShown) {  // ARC-1834
  BlockOf(2, 3).payload = std::string("ab\0\x1b\0", 5);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1813 warning"));
}

TEST_P(ValuesTest, AnEventParameterThatActsOnATerminal) {
  SetEvents({1, kNow, 5, 1, 1, 0x07400009, 0x06000008, 0x611b6d00});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1819 warning", "ARC-1834 warning"));
  EXPECT_EQ(image().files.at("0").at(FindingOf("ARC-1834").offset), 0x1b);
}

}  // namespace
}  // namespace pmproof::validator::testing

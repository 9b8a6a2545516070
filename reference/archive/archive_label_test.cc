// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/archive_label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "generators/archive_image.h"
#include "reference/archive/testing/label_fixture.h"

namespace pmproof::archive {
namespace {

using generators::kBaseTime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LabelTest;

INSTANTIATE_TEST_SUITE_P(Version, LabelTest, ::testing::Values(2, 3));

class LabelV3Test : public LabelTest {};
INSTANTIATE_TEST_SUITE_P(Version, LabelV3Test, ::testing::Values(3));

TEST_P(LabelTest, TheFieldsAreDecoded) {
  const auto label = Read();
  ASSERT_TRUE(label) << label.error().ToText();
  EXPECT_EQ(label->version, version());
  EXPECT_EQ(label->pid, 4242);
  EXPECT_EQ(label->start, (Timestamp{kBaseTime, 0}));
  EXPECT_EQ(label->part, 0);
  EXPECT_EQ(label->host, "testhost");
  EXPECT_EQ(label->timezone, "UTC");
  EXPECT_EQ(label->zoneinfo, version() == 3 ? ":UTC" : "");
  EXPECT_EQ(position_, layout().label);
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

TEST_P(LabelTest, AnEmptyFileIsARC1004) {
  Truncate(0);
  const auto label = Read();
  ASSERT_FALSE(label);
  EXPECT_EQ(label.error().kind, Status::Kind::kNotAnArchive);
  EXPECT_EQ(label.error().code, ErrorCode::kNoData);
  EXPECT_EQ(label.error().ToText(), "base.0: offset 0: the file is empty [ARC-1004]");
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1004"));
}

TEST_P(LabelTest, AFileThatEndsInItsFirstLengthWordIsARC1004) {
  for (const std::size_t size : {1U, 2U, 3U}) {
    Encode();
    Truncate(size);
    reporter_.violations.clear();
    const auto label = Read();
    ASSERT_FALSE(label);
    EXPECT_EQ(label.error().kind, Status::Kind::kNotAnArchive);
    EXPECT_EQ(label.error().code, ErrorCode::kNoData);
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1004"));
    EXPECT_EQ(Only().where.length, size);
  }
}

TEST_P(LabelTest, AFileCutInsideTheLabelIsARC1201OrInItsTrailerARC1202) {
  Encode();
  const Buffer whole = bytes_;
  for (std::size_t size = 4; size < layout().label; ++size) {
    bytes_.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    reporter_.violations.clear();
    const auto label = Read();
    ASSERT_FALSE(label) << size;
    const bool trailer = size >= layout().label - 4;
    EXPECT_THAT(reporter_.Rules(), ElementsAre(trailer ? "ARC-1202" : "ARC-1201")) << size;
    EXPECT_EQ(Only().where.length, size);
    EXPECT_EQ(label.error().kind, size < 8 ? Status::Kind::kNotAnArchive : Status::Kind::kDamaged)
        << size;
    EXPECT_EQ(label.error().code, ErrorCode::kLabel);
  }
}

TEST_P(LabelTest, AWrongLeadingLengthIsARC1201AndTheLabelIsRead) {
  for (const std::uint32_t length : {140U, 0U, 4U, 0xffffffffU}) {
    reporter_.violations.clear();
    SetWord(0, length);
    const auto label = Read();
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1201"));
    ASSERT_TRUE(label);
    EXPECT_EQ(label->pid, 4242);
    EXPECT_EQ(position_, layout().label);
  }
}

TEST_P(LabelTest, AWrongTrailingLengthIsARC1202AndTheLabelIsRead) {
  for (const std::uint32_t length : {140U, 0U, 64U}) {
    reporter_.violations.clear();
    SetWord(layout().label - 4, length);
    ASSERT_TRUE(Read());
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1202"));
    EXPECT_EQ(Only().where.offset, layout().label - 4);
    EXPECT_EQ(position_, layout().label);
  }
}

TEST_P(LabelTest, LengthsThatAgreeOnALongerLabelSayWhereItEnds) {
  const auto longer = static_cast<std::uint32_t>(layout().label + 8);
  SetWord(0, longer);
  SetWord(layout().label - 4, 0);
  bytes_.resize(longer + 100);
  SetWord(longer - 4, longer);
  ASSERT_TRUE(Read());
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1201"));
  EXPECT_EQ(position_, longer);
}

TEST_P(LabelTest, TwoWrongLengthsAreBothReported) {
  SetWord(0, 12);
  SetWord(layout().label - 4, 16);
  ASSERT_TRUE(Read());
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1201", "ARC-1202"));
}

TEST_P(LabelTest, AnotherMagicIsARC1203AndNoArchive) {
  SetWord(4, 0x50052500U + static_cast<std::uint32_t>(version()));
  const auto label = Read();
  ASSERT_FALSE(label);
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1203"));
  EXPECT_EQ(Only().where.offset, 4U);
  EXPECT_EQ(label.error().kind, Status::Kind::kNotAnArchive);
  EXPECT_THAT(label.error().ToText(), HasSubstr("0x5005250"));
}

TEST_P(LabelTest, AnotherVersionIsARC1204) {
  for (const std::uint32_t other : {0U, 1U, 4U, 255U}) {
    reporter_.violations.clear();
    SetWord(4, kLabelMagic | other);
    const auto label = Read();
    ASSERT_FALSE(label);
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1204"));
    EXPECT_EQ(label.error().kind, Status::Kind::kDamaged);
    EXPECT_EQ(label.error().ToText().find("3.5.11") != std::string::npos, other == 1);  // ARC-018
  }
}

TEST_P(LabelTest, TheVolumeOfAnotherFileIsARC1206) {
  for (const std::int32_t volume : {7, -1, -2}) {
    reporter_.violations.clear();
    model_.volume = volume;
    Encode();
    EXPECT_THAT(RulesOf(), ElementsAre("ARC-1206"));
    EXPECT_EQ(Only().where.offset, version() == 3 ? 24U : 20U);
  }
}

TEST_P(LabelV3Test, AFeatureBitIsARC1212) {
  model_.features = 1;
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1212"));
  EXPECT_EQ(Only().details.actual, "0x00000001");
  EXPECT_EQ(Only().where.offset, 28U);
}

TEST_P(LabelV3Test, TheFeatureBitOfQaIsARC1213) {
  model_.features = 0x80000000;
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1213"));
}

TEST_P(LabelV3Test, AReservedWordIsARC1214) {
  model_.reserved = 0x1234;
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1214"));
  EXPECT_EQ(Only().where.offset, 32U);
}

TEST_P(LabelTest, AFractionOutOfRangeIsARC1219) {
  const std::size_t at = version() == 3 ? 20 : 16;
  for (const std::int32_t fraction : {version() == 3 ? 1'000'000'000 : 2'000'000, -1}) {
    reporter_.violations.clear();
    SetWord(at, static_cast<std::uint32_t>(fraction));
    EXPECT_THAT(RulesOf(), ElementsAre("ARC-1219"));
    EXPECT_EQ(Only().where.offset, at);
    EXPECT_EQ(Only().details.actual, std::to_string(fraction));
  }
}

TEST_P(LabelTest, AStartThatIsNotPlausibleIsARC1220) {
  for (const std::int64_t start :
       {std::int64_t{0}, std::int64_t{-5}, std::int64_t{631151999}, now_.seconds + 86401}) {
    reporter_.violations.clear();
    model_.start.seconds = start;
    Encode();
    EXPECT_THAT(RulesOf(), ElementsAre("ARC-1220")) << start;
    EXPECT_EQ(Only().where.offset, 12U);
  }
}

TEST_P(LabelTest, AStartUpToADayAheadIsPlausible) {
  model_.start.seconds = now_.seconds + 86400;
  EXPECT_THAT(RulesOf(), IsEmpty());
}

TEST_P(LabelTest, APidThatNoProcessHasIsARC1221) {
  for (const std::int32_t pid : {-1, 0}) {
    reporter_.violations.clear();
    model_.pid = pid;
    Encode();
    EXPECT_THAT(RulesOf(), ElementsAre("ARC-1221"));
  }
}

TEST_P(LabelV3Test, AStartBeyond2038IsARC1226AloneHoweverFarAhead) {
  for (const std::int64_t start : {std::int64_t{1} << 31, std::int64_t{5'000'000'000}}) {
    reporter_.violations.clear();
    model_.start.seconds = start;
    Encode();
    const auto label = Read();
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1226"));
    EXPECT_EQ(label->start.seconds, start);
  }
}

}  // namespace
}  // namespace pmproof::archive

// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/archive_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pmproof::archive {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kT = 1700000000;

SetMember Member(std::string name, std::int64_t from, std::int64_t to) {
  SetMember member;
  member.name = std::move(name);
  member.host = "testhost";
  member.start = {kT + from, 0};
  member.end = Timestamp{kT + to, 0};
  return member;
}

SetMember Damaged(std::string name, ErrorCode error) {
  SetMember member;
  member.name = std::move(name);
  member.error = error;
  return member;
}

std::vector<std::string> Names(const ArchiveSet& set) {
  std::vector<std::string> names;
  for (const SetMember& member : set.members()) names.push_back(member.name);
  return names;
}

TEST(ArchiveSetTest, MembersAreOrderedByTheStartOfTheirLabel) {
  const ArchiveSet set({Member("c", 40, 50), Member("a", 0, 5), Member("b", 20, 25)});
  EXPECT_THAT(Names(set), ElementsAre("a", "b", "c"));
}

TEST(ArchiveSetTest, TheSameNameTwiceIsIgnoredTheSecondTime) {
  const ArchiveSet set({Member("a", 0, 5), Member("a", 0, 5)});
  EXPECT_THAT(Names(set), ElementsAre("a"));
  EXPECT_THAT(set.repeated(), ElementsAre("a"));
  EXPECT_EQ(set.Open(PcpVersion::k7_2).error, ErrorCode::kOk);
}

TEST(ArchiveSetTest, StartIsThatOfTheEarliestAndEndThatOfTheLast) {
  const ArchiveSet set({Member("b", 20, 25), Member("a", 0, 5)});
  EXPECT_EQ(set.Start(), (Timestamp{kT, 0}));
  EXPECT_EQ(set.End(), (Timestamp{kT + 25, 0}));
}

TEST(ArchiveSetTest, AnEmptySetHasNeitherStartNorEnd) {
  const ArchiveSet set({});
  EXPECT_EQ(set.Start(), std::nullopt);
  EXPECT_EQ(set.End(), std::nullopt);
  EXPECT_NE(set.Open(PcpVersion::k7_2).error, ErrorCode::kOk);
}

TEST(ArchiveSetTest, TheEndOfALastMemberWithUnknownEndIsUnknown) {
  SetMember last = Member("b", 20, 25);
  last.end.reset();
  EXPECT_EQ(ArchiveSet({Member("a", 0, 5), last}).End(), std::nullopt);
}

// Test idea 45 of the specification: one context with a mark at T+5.001.
TEST(ArchiveSetTest, MarksStandAMillisecondBehindTheEndAndInFrontOfTheStart) {
  const ArchiveSet set({Member("a", 0, 5), Member("b", 20, 25)});
  EXPECT_EQ(set.ForwardMark(0), (Timestamp{kT + 5, 1'000'000}));
  EXPECT_EQ(set.BackwardMark(0), (Timestamp{kT + 19, 999'000'000}));
  EXPECT_EQ(set.Open(PcpVersion::k6_0_3).used.size(), 2U);
  EXPECT_EQ(set.RawReading(PcpVersion::k6_0_3), ErrorCode::kOk);
}

// Test idea 45.
TEST(ArchiveSetTest, AnotherHostMakesOpeningFail) {
  SetMember other = Member("b", 20, 25);
  other.host = "other";
  const ArchiveSet set({Member("a", 0, 5), other});
  EXPECT_EQ(set.Open(PcpVersion::k6_0_3).error, ErrorCode::kLogHost);
  EXPECT_EQ(set.Open(PcpVersion::k7_2).error, ErrorCode::kLogHost);
}

// Test idea 45.
TEST(ArchiveSetTest, AnOverlapIsMetWhereReadingCrosses) {
  const ArchiveSet set({Member("a", 0, 5), Member("b", 3, 8)});
  EXPECT_THAT(set.Overlaps(), ElementsAre(ArchiveSet::Pair{0, 1}));
  EXPECT_THAT(set.Gaps(), IsEmpty());
  EXPECT_EQ(set.Open(PcpVersion::k7_2).error, ErrorCode::kOk);
  EXPECT_EQ(set.RawReading(PcpVersion::k7_2), ErrorCode::kLogOverlap);
}

// Test idea 45.
TEST(ArchiveSetTest, EqualStartsMakeOpeningFail) {
  const ArchiveSet set({Member("a", 0, 5), Member("b", 0, 5)});
  EXPECT_THAT(set.EqualStarts(), ElementsAre(ArchiveSet::Pair{0, 1}));
  EXPECT_THAT(set.Overlaps(), IsEmpty());
  EXPECT_EQ(set.Open(PcpVersion::k7_2).error, ErrorCode::kLogOverlap);
  EXPECT_EQ(set.RawReading(PcpVersion::k7_2), ErrorCode::kLogOverlap);
}

TEST(ArchiveSetTest, EndAndNextStartMayBeEqual) {
  const ArchiveSet set({Member("a", 0, 5), Member("b", 5, 10)});
  EXPECT_THAT(set.Overlaps(), IsEmpty());
  EXPECT_THAT(set.Gaps(), IsEmpty());
  EXPECT_EQ(set.RawReading(PcpVersion::k7_2), ErrorCode::kOk);
}

TEST(ArchiveSetTest, AMemberOverlapsAllThatStartBeforeItsEnd) {
  const ArchiveSet set({Member("a", 0, 100), Member("b", 10, 20), Member("c", 30, 40)});
  EXPECT_THAT(set.Overlaps(), ElementsAre(ArchiveSet::Pair{0, 1}, ArchiveSet::Pair{0, 2}));
  EXPECT_THAT(set.Gaps(), IsEmpty());
}

TEST(ArchiveSetTest, TimeBetweenNeighboursIsAGap) {
  const ArchiveSet set({Member("a", 0, 5), Member("b", 5, 10), Member("c", 30, 40)});
  EXPECT_THAT(set.Gaps(), ElementsAre(ArchiveSet::Pair{1, 2}));
}

TEST(ArchiveSetTest, BehindAnUnknownEndThereIsNeitherGapNorOverlap) {
  SetMember first = Member("a", 0, 5);
  first.end.reset();
  const ArchiveSet set({first, Member("b", 20, 25)});
  EXPECT_THAT(set.Gaps(), IsEmpty());
  EXPECT_THAT(set.Overlaps(), IsEmpty());
  EXPECT_EQ(set.ForwardMark(0), std::nullopt);
}

// Test idea 46: junk beside two good archives.
TEST(ArchiveSetTest, ADamagedMemberIsSkippedFromSevenOnAndFailsTheSetBefore) {
  const ArchiveSet set({Damaged("c", ErrorCode::kNoData), Member("a", 0, 5), Member("b", 20, 25)});
  EXPECT_EQ(set.Open(PcpVersion::k6_0_3).error, ErrorCode::kNoData);
  EXPECT_EQ(set.Open(PcpVersion::k6_3_8).error, ErrorCode::kNoData);
  const ArchiveSet::Opened opened = set.Open(PcpVersion::k7_2);
  EXPECT_EQ(opened.error, ErrorCode::kOk);
  EXPECT_THAT(opened.used, ElementsAre(0, 1));
  EXPECT_THAT(opened.skipped, ElementsAre(2));
  EXPECT_EQ(set.End(), (Timestamp{kT + 25, 0}));
}

TEST(ArchiveSetTest, AMissingMemberIsSkippedFromSevenOn) {
  const ArchiveSet set({Damaged("c", ErrorCode::kNoEntry), Member("a", 0, 5)});
  EXPECT_EQ(set.Open(PcpVersion::k6_3_8).error, ErrorCode::kNoEntry);
  EXPECT_EQ(set.Open(PcpVersion::k7_2).error, ErrorCode::kOk);
}

TEST(ArchiveSetTest, AMemberAtOddsWithItselfFailsTheSetInAllVersions) {
  const ArchiveSet set({Damaged("c", ErrorCode::kLogChangeType), Member("a", 0, 5)});
  EXPECT_EQ(set.Open(PcpVersion::k7_2).error, ErrorCode::kLogChangeType);
}

TEST(ArchiveSetTest, WhereAllMembersAreSkippedTheArchiveIsMissing) {
  const ArchiveSet set({Damaged("c", ErrorCode::kLabel), Damaged("d", ErrorCode::kNoData)});
  EXPECT_EQ(set.Open(PcpVersion::k6_0_3).error, ErrorCode::kLabel);
  EXPECT_EQ(set.Open(PcpVersion::k7_2).error, ErrorCode::kLogFile);
}

TEST(ArchiveSetTest, ClashingDescriptorsMakeOpeningFail) {
  SetMember other = Member("b", 20, 25);
  other.clash = {ErrorCode::kLogChangeType, ErrorCode::kLogChangeType};
  const ArchiveSet set({Member("a", 0, 5), other});
  EXPECT_EQ(set.Open(PcpVersion::k6_0_3).error, ErrorCode::kLogChangeType);
  EXPECT_EQ(set.Open(PcpVersion::k7_2).error, ErrorCode::kLogChangeType);
}

TEST(ArchiveSetTest, AnotherExtraUnitClashesFromSevenOn) {
  SetMember other = Member("b", 20, 25);
  other.clash = {ErrorCode::kLogChangeUnits, ErrorCode::kOk};
  const ArchiveSet set({Member("a", 0, 5), other});
  EXPECT_EQ(set.Open(PcpVersion::k6_3_8).error, ErrorCode::kOk);
  EXPECT_EQ(set.Open(PcpVersion::k7_2).error, ErrorCode::kLogChangeUnits);
}

TEST(ArchiveSetTest, AMemberThatBreaksOffIsDroppedFromSevenOn) {
  SetMember broken = Member("a", 0, 5);
  broken.breaks_off = true;
  const ArchiveSet set({broken, Member("b", 20, 25)});
  EXPECT_EQ(set.RawReading(PcpVersion::k6_3_8), ErrorCode::kLogRecord);
  EXPECT_EQ(set.RawReading(PcpVersion::k7_2), ErrorCode::kOk);
}

TEST(ArchiveSetTest, TimesThatAreNotNormalisedAreCompared) {
  SetMember later = Member("b", 0, 30);
  later.start = {kT + 18, 2'000'000'000};
  const ArchiveSet set({later, Member("a", 0, 5), Member("c", 19, 40)});
  EXPECT_THAT(Names(set), ElementsAre("a", "c", "b"));
}

}  // namespace
}  // namespace pmproof::archive

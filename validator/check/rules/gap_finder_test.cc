// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/gap_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace pmproof::validator {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;

constexpr std::int64_t kSecond = 1'000'000'000;

constexpr std::uint64_t kOneKind = 7;

// Records of one kind at these intervals; the i-th ends at offset i.
GapFinder Finder(const std::vector<std::int64_t>& intervals) {
  GapFinder finder;
  Timestamp time;
  finder.Add(time, kOneKind, {0, 1'000'000, 0, 0});
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    time = time + intervals[i];
    finder.Add(time, kOneKind, {0, i, 0, 0});
  }
  return finder;
}

std::vector<std::uint64_t> PlacesOfGaps(const GapFinder& finder) {
  std::vector<std::uint64_t> places;
  for (const GapFinder::Gap& gap : finder.Gaps()) places.push_back(gap.after.offset);
  return places;
}

TEST(GapFinderTest, ElevenTimesTheMedianIsAGap) {
  EXPECT_THAT(PlacesOfGaps(Finder({kSecond, kSecond, 11 * kSecond, kSecond})), ElementsAre(2));
}

TEST(GapFinderTest, TenTimesTheMedianIsNone) {
  EXPECT_THAT(PlacesOfGaps(Finder({kSecond, kSecond, 10 * kSecond, kSecond})), IsEmpty());
}

TEST(GapFinderTest, SmallIntervalsAreCountedExactly) {
  EXPECT_THAT(PlacesOfGaps(Finder({3, 3, 30, 31, 3})), ElementsAre(3));
}

TEST(GapFinderTest, TwoIntervalsHaveNoRhythm) {
  EXPECT_THAT(PlacesOfGaps(Finder({1, 1000})), IsEmpty());
}

TEST(GapFinderTest, NoIntervalsHaveNoGap) { EXPECT_THAT(PlacesOfGaps(Finder({})), IsEmpty()); }

TEST(GapFinderTest, GapsComeInTheOrderOfTheRecords) {
  EXPECT_THAT(PlacesOfGaps(Finder({1, 90, 1, 50, 1, 70, 1, 1})), ElementsAre(1, 3, 5));
}

TEST(GapFinderTest, TheLongestGapsAreKeptAndOfEqualOnesTheFirst) {
  std::vector<std::int64_t> intervals(1000, 1);
  for (std::size_t i = 0; i < 100; ++i) intervals[10 * i] = 50;
  intervals[995] = 60;
  const std::vector<std::uint64_t> places = PlacesOfGaps(Finder(intervals));
  ASSERT_EQ(places.size(), GapFinder::kMostGaps);
  EXPECT_EQ(places.front(), 0u);
  EXPECT_EQ(places[30], 300u);
  EXPECT_EQ(places[31], 995u);
}

TEST(GapFinderTest, ARecordThatIsTakenBackMakesNoGap) {
  GapFinder finder = Finder({1, 1, 1, 100});
  finder.TakeBack({0, 3, 0, 0});
  EXPECT_THAT(PlacesOfGaps(finder), IsEmpty());
}

TEST(GapFinderTest, ABreakIsNoGap) {
  GapFinder finder = Finder({1, 1, 1});
  finder.Break();
  finder.Add({500, 0}, kOneKind, {0, 10, 0, 0});
  EXPECT_THAT(PlacesOfGaps(finder), IsEmpty());
}

// Three groups of metrics that are fetched one after the other every ten seconds.
GapFinder ThreeGroups(std::initializer_list<std::int64_t> seconds) {
  GapFinder finder;
  std::uint64_t offset = 0;
  for (const std::int64_t second : seconds) {
    for (const std::int32_t kind : {0, 1, 2}) {
      finder.Add({second, kind * 1'000'000}, static_cast<std::uint64_t>(kind), {0, offset++, 0, 0});
    }
  }
  return finder;
}

TEST(GapFinderTest, RecordsOfSeveralKindsHaveTheRhythmOfEach) {
  EXPECT_EQ(ThreeGroups({0, 10, 20, 30}).Median() / kSecond, 10);
  EXPECT_THAT(PlacesOfGaps(ThreeGroups({0, 10, 20, 30})), IsEmpty());
  EXPECT_THAT(PlacesOfGaps(ThreeGroups({0, 10, 20, 130, 140})), ElementsAre(9));
}

TEST(GapFinderTest, ThereMayBeAnyNumberOfKinds) {
  GapFinder finder;
  for (std::int64_t i = 0; i < 10000; ++i) {
    finder.Add({i, 0}, static_cast<std::uint64_t>(i % 1000),
               {0, static_cast<std::uint64_t>(i), 0, 0});
  }
  EXPECT_THAT(PlacesOfGaps(finder), IsEmpty());
}

TEST(GapFinderTest, TheLongestPossibleIntervalIsCounted) {
  constexpr std::int64_t kLongest = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(PlacesOfGaps(Finder({kSecond, kSecond, kSecond, kLongest})), ElementsAre(3));
  EXPECT_EQ(Finder({kLongest, kLongest, kLongest}).Median(), kLongest);
}

TEST(GapFinderTest, TheTypicalIntervalOfRegularRecordsIsTheirs) {
  EXPECT_EQ(Finder({10 * kSecond, 10 * kSecond, 10 * kSecond, kSecond, 60 * kSecond}).Typical(),
            10 * kSecond);
  EXPECT_EQ(Finder({kSecond}).Typical(), 0);
  constexpr std::int64_t kLongest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(Finder({kLongest, kLongest, kLongest}).Typical(), kLongest);
}

TEST(GapFinderTest, TheMedianIsAtMostAThirtySecondTooLarge) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int64_t> intervals(3 + random() % 100);
    for (std::int64_t& interval : intervals)
      interval = static_cast<std::int64_t>(random() >> (1 + random() % 60)) | 1;
    const std::int64_t median = Finder(intervals).Median();
    std::sort(intervals.begin(), intervals.end());
    const std::int64_t exact = intervals[(intervals.size() - 1) / 2];
    EXPECT_THAT(median, AllOf(Ge(exact), Le(exact + exact / 32 + 1)));
  }
}

}  // namespace
}  // namespace pmproof::validator

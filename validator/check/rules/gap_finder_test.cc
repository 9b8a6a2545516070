// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/gap_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
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

// Records of few kinds, some after a break, are added one by one, or some of them as they were
// found ahead.
class GapsAheadTest : public ::testing::Test {
 protected:
  struct Event {
    bool breaks = false;
    Timestamp time;
    std::uint64_t kind = 0;
    archive::Location where;
  };

  std::vector<Event> Events() {
    std::vector<Event> events(1 + random_() % 200);
    Timestamp time{1000, 0};
    const bool breaks = random_() % 2 == 0;
    const std::uint64_t kinds = 1 + random_() % 5;
    const std::uint64_t more = random_() % 3 == 0 ? 20 : 1;
    for (std::size_t k = 0; k < events.size(); ++k) {
      time = time + static_cast<std::int64_t>(1 + random_() % 4);
      if (random_() % 4 == 0) time = time + static_cast<std::int64_t>(100 + random_() % 50);
      // Some have the places of others.
      const std::uint64_t kind = random_() % kinds + 1'000'000 * (random_() % more);
      events[k] = {breaks && random_() % 20 == 0, time, kind, {0, 10 * k, 10, k}};
    }
    return events;
  }

  template <typename Finder>
  static void AddTo(Finder& finder, std::span<const Event> events, std::uint64_t before = 0) {
    for (Event event : events) {
      event.where.record -= before;
      if (event.breaks) {
        finder.Break();
      } else {
        finder.Add(event.time, event.kind, event.where);
      }
    }
  }

  static std::vector<std::uint64_t> Found(const GapFinder& finder) {
    std::vector<std::uint64_t> found{static_cast<std::uint64_t>(finder.Median()),
                                     static_cast<std::uint64_t>(finder.Typical())};
    for (const GapFinder::Gap& gap : finder.Gaps()) {
      found.insert(found.end(), {static_cast<std::uint64_t>(gap.nanoseconds),
                                 static_cast<std::uint64_t>(gap.from.nanoseconds), gap.after.offset,
                                 gap.after.record});
    }
    return found;
  }

  std::mt19937_64 random_{7};
};

TEST_F(GapsAheadTest, AreAsIfTheyHadBeenAdded) {
  std::size_t gaps = 0;
  for (int round = 0; round < 5000; ++round) {
    const std::vector<Event> all = Events();
    const std::span<const Event> events(all);
    const std::size_t begin = random_() % (events.size() + 1);
    const std::size_t end = begin + random_() % (events.size() - begin + 1);
    GapFinder one;
    GapFinder two;
    GapsAhead ahead;
    AddTo(one, events.first(end));
    AddTo(two, events.first(begin));
    AddTo(ahead, events.subspan(begin, end - begin), begin);
    two.Append(ahead, begin);
    ASSERT_EQ(Found(two), Found(one)) << "round " << round;
    if (end > 0 && random_() % 2 == 0) {
      one.TakeBack(events[end - 1].where);
      two.TakeBack(events[end - 1].where);
      ASSERT_EQ(Found(two), Found(one)) << "round " << round << ", taken back";
    }
    AddTo(one, events.subspan(end));
    AddTo(two, events.subspan(end));
    ASSERT_EQ(Found(two), Found(one)) << "round " << round << ", with what follows";
    gaps += one.Gaps().size();
  }
  EXPECT_GT(gaps, 5000U);
}

}  // namespace
}  // namespace pmproof::validator

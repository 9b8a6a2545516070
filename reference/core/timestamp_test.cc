// SPDX-License-Identifier: Apache-2.0
#include "reference/core/timestamp.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>

namespace pmproof {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

rc::Gen<Timestamp> NormalisedTime() {
  return rc::gen::apply(
      [](std::int64_t s, std::int32_t ns) {
        return Timestamp{s, ns};
      },
      rc::gen::arbitrary<std::int64_t>(), rc::gen::inRange<std::int32_t>(0, 1'000'000'000));
}

TEST(Timestamp, CarriesNanosecondsIntoSeconds) {
  EXPECT_EQ((Timestamp{5, 2'000'000'000}).Normalised(), (Timestamp{7, 0}));
  EXPECT_EQ((Timestamp{5, -1}).Normalised(), (Timestamp{4, 999'999'999}));
  EXPECT_EQ((Timestamp{5, 999'999'999}).Normalised(), (Timestamp{5, 999'999'999}));
}

TEST(Timestamp, SaturatesAtTheLimits) {
  EXPECT_EQ((Timestamp{kMax, 1'000'000'000}).Normalised(), (Timestamp{kMax, 999'999'999}));
  EXPECT_EQ((Timestamp{kMin, -1}).Normalised(), (Timestamp{kMin, 0}));
  EXPECT_EQ((Timestamp{kMax, 0} + kMax), (Timestamp{kMax, 999'999'999}));
  EXPECT_EQ((Timestamp{kMin, 0} + kMin), (Timestamp{kMin, 0}));
}

TEST(Timestamp, AddsNanoseconds) {
  EXPECT_EQ((Timestamp{1, 500'000'000} + 500'000'000), (Timestamp{2, 0}));
  EXPECT_EQ((Timestamp{1, 0} + -1), (Timestamp{0, 999'999'999}));
}

TEST(Timestamp, DifferenceIsSignedAndSaturates) {
  EXPECT_EQ(NanosecondsBetween({1, 5}, {3, 4}), 1'999'999'999);
  EXPECT_EQ(NanosecondsBetween({3, 4}, {1, 5}), -1'999'999'999);
  EXPECT_EQ(NanosecondsBetween({0, 0}, {kMax, 0}), kMax);
  EXPECT_EQ(NanosecondsBetween({0, 0}, {kMin, 0}), kMin);
}

RC_GTEST_PROP(Timestamp, AddingTheDifferenceGivesTheLaterTime, (std::int32_t a, std::int32_t b)) {
  const Timestamp first = Timestamp{a, 0} + b;
  const Timestamp second = Timestamp{b, 7};
  RC_ASSERT(first + NanosecondsBetween(first, second) == second);
}

TEST(EpochText, HasNineDigits) {
  EXPECT_EQ(ToEpochText({1700000000, 500'000'000}), "1700000000.500000000");
  EXPECT_EQ(ToEpochText({5'000'000'000, 1}), "5000000000.000000001");
}

TEST(EpochText, IsADecimalNumberBefore1970) {
  EXPECT_EQ(ToEpochText({-1, 500'000'000}), "-0.500000000");
  EXPECT_EQ(ToEpochText({-2, 500'000'000}), "-1.500000000");
  EXPECT_EQ(ToEpochText({-2, 0}), "-2.000000000");
}

TEST(EpochText, ShowsNanosecondsOutOfRangeAsStored) {  // ARC-003
  EXPECT_EQ(ToEpochText({5, 2'000'000'000}), "5.+2000000000");
  EXPECT_EQ(ToEpochText({5, -1}), "5.-1");
}

TEST(IsoText, OfDaysThatAreEasyToGetWrong) {
  EXPECT_EQ(ToIsoText({1700000000, 500'000'000}), "2023-11-14T22:13:20.500000000Z");
  EXPECT_EQ(ToIsoText({0, 0}), "1970-01-01T00:00:00.000000000Z");
  EXPECT_EQ(ToIsoText({-1, 0}), "1969-12-31T23:59:59.000000000Z");
  EXPECT_EQ(ToIsoText({951'782'400, 0}), "2000-02-29T00:00:00.000000000Z");
  EXPECT_EQ(ToIsoText({951'868'800, 0}), "2000-03-01T00:00:00.000000000Z");
  EXPECT_EQ(ToIsoText({4'107'542'400, 0}), "2100-03-01T00:00:00.000000000Z");
}

TEST(IsoText, GoesBeyond2038And2106) {  // ARC-504
  EXPECT_EQ(ToIsoText({2'147'483'648, 0}), "2038-01-19T03:14:08.000000000Z");
  EXPECT_EQ(ToIsoText({4'294'967'296, 0}), "2106-02-07T06:28:16.000000000Z");
  EXPECT_EQ(ToIsoText({5'000'000'000, 0}), "2128-06-11T08:53:20.000000000Z");
}

TEST(IsoText, SignsYearsThatDoNotHaveFourDigits) {
  EXPECT_EQ(ToIsoText({253'402'300'799, 0}), "9999-12-31T23:59:59.000000000Z");
  EXPECT_EQ(ToIsoText({253'402'300'800, 0}), "+10000-01-01T00:00:00.000000000Z");
  EXPECT_EQ(ToIsoText({-62'167'219'200, 0}), "0000-01-01T00:00:00.000000000Z");
  EXPECT_EQ(ToIsoText({-62'167'219'201, 0}), "-0001-12-31T23:59:59.000000000Z");
  EXPECT_EQ(ToIsoText({kMax, 999'999'999}), "+292277026596-12-04T15:30:07.999999999Z");
  EXPECT_EQ(ToIsoText({kMin, 0}), "-292277022657-01-27T08:29:52.000000000Z");
}

TEST(IsoText, NormalisesWhatIsOutOfRange) {
  EXPECT_EQ(ToIsoText({0, -1}), "1969-12-31T23:59:59.999999999Z");
}

TEST(ParseTime, TakesSecondsSinceTheEpoch) {
  EXPECT_EQ(ParseTime("@1700000000"), (Timestamp{1700000000, 0}));
  EXPECT_EQ(ParseTime("@1700000000.5"), (Timestamp{1700000000, 500'000'000}));
  EXPECT_EQ(ParseTime("@-0.5"), (Timestamp{-1, 500'000'000}));
}

TEST(ParseTime, TakesIso8601) {
  const Timestamp time{1700000000, 0};
  EXPECT_EQ(ParseTime("2023-11-14T22:13:20Z"), time);
  EXPECT_EQ(ParseTime("2023-11-14T22:13:20"), time);
  EXPECT_EQ(ParseTime("2023-11-14 22:13:20"), time);
  EXPECT_EQ(ParseTime("2023-11-14T22:13:20.5Z"), time + 500'000'000);
  EXPECT_EQ(ParseTime("2023-11-14"), (Timestamp{1699920000, 0}));
}

TEST(ParseTime, TakesOffsetsFromUtc) {
  EXPECT_EQ(ParseTime("2023-11-14T23:13:20+01:00"), (Timestamp{1700000000, 0}));
  EXPECT_EQ(ParseTime("2023-11-14T16:43:20-05:30"), (Timestamp{1700000000, 0}));
}

TEST(ParseTime, RefusesWhatIsNoTime) {
  for (const char* text : {"",
                           "@",
                           "@x",
                           "@1x",
                           "@1.",
                           "@.5",
                           "@1.0000000001",
                           "@+1",
                           "@ 1",
                           "@--1",
                           "yesterday",
                           "2023",
                           "2023-11",
                           "2023-11-14T",
                           "2023-11-14T22",
                           "2023-11-14T22:13",
                           "2023-11-14Z",
                           "2023-11-14T22:13:20.",
                           "2023-11-14T22:13:20z",
                           "2023-11-14T22:13:20+0100",
                           "2023-11-14T22:13:20+01:00Z",
                           "2023-11-14T22:13:20 ",
                           " 2023-11-14",
                           "23-11-14",
                           "2023-1-1",
                           "+2023-11-14",
                           "-0000-01-01",
                           "10000-01-01",
                           "+010000-01-01"}) {
    EXPECT_EQ(ParseTime(text), std::nullopt) << text;
  }
}

TEST(ParseTime, RefusesDaysAndHoursThatAreNotInTheCalendar) {
  for (const char* text : {"2023-00-14", "2023-13-14", "2023-11-00", "2023-11-31", "2023-02-29",
                           "1900-02-29", "2023-11-14T24:00:00", "2023-11-14T22:60:00",
                           "2023-11-14T22:13:60", "2023-11-14T22:13:20+24:00"}) {
    EXPECT_EQ(ParseTime(text), std::nullopt) << text;
  }
  EXPECT_TRUE(ParseTime("2000-02-29"));
  EXPECT_TRUE(ParseTime("2024-02-29"));
}

TEST(ParseTime, RefusesWhatIsOutOfRange) {
  for (const char* text :
       {"@9223372036854775808", "@-9223372036854775809", "@99999999999999999999999",
        "+292277026596-12-05", "+9223372036854775807-01-01", "+99999999999999999999-01-01"}) {
    EXPECT_EQ(ParseTime(text), std::nullopt) << text;
  }
}

RC_GTEST_PROP(ParseTime, ReadsEveryEpochText, ()) {
  const Timestamp time = *NormalisedTime();
  RC_ASSERT(ParseTime("@" + ToEpochText(time)) == time);
}

RC_GTEST_PROP(ParseTime, ReadsEveryIsoText, ()) {
  const Timestamp time = *NormalisedTime();
  RC_ASSERT(ParseTime(ToIsoText(time)) == time);
}

RC_GTEST_PROP(ParseTime, ReadsEveryIsoTextOfOurAge, ()) {
  const Timestamp time{*rc::gen::inRange<std::int64_t>(-100'000'000'000, 300'000'000'000), 0};
  RC_ASSERT(ParseTime(ToIsoText(time)) == time);
}

RC_GTEST_PROP(ParseTime, NeverFailsOnOtherText, (std::string text)) {
  ParseTime(text);
  ParseTime("@" + text);
  ParseTime("2023-11-14T" + text);
}

}  // namespace
}  // namespace pmproof

// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/bounds.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pmproof::replay {
namespace {

Moment At(double seconds, std::uint64_t record) {
  return {seconds, {static_cast<std::int64_t>(seconds), 0}, record};
}
Observation Seen(double seconds, std::uint64_t record, std::uint32_t value) {
  return {At(seconds, record), Value::Of(value)};
}

// "10@1.5", "mark@2", "none".
std::string Text(const Bound& bound) {
  if (bound.kind == Bound::Kind::kNone) return "none";
  const std::string when = "@" + std::to_string(static_cast<int>(bound.moment.at));
  return (bound.IsValue() ? std::to_string(bound.value.AsU32()) : "mark") + when;
}
std::string Text(const Bounds& bounds) { return Text(bounds.prior) + " " + Text(bounds.next); }

const std::vector<Barrier> kNoMarks;

Barrier Mark(double seconds, std::uint64_t record) {
  return {At(seconds, record), Bound::Kind::kMark};
}

TEST(Bounds, AreTheNeighboursInTime) {  // INT-302, INT-303
  const std::vector<Observation> seen = {Seen(10, 1, 1), Seen(20, 2, 2)};
  EXPECT_EQ(Text(FindBounds(seen, kNoMarks, 5)), "none 1@10");
  EXPECT_EQ(Text(FindBounds(seen, kNoMarks, 15)), "1@10 2@20");
  EXPECT_EQ(Text(FindBounds(seen, kNoMarks, 25)), "2@20 none");
}

TEST(Bounds, AreBothTheObservationOfThatTime) {  // INT-304
  const std::vector<Observation> seen = {Seen(10, 1, 1), Seen(20, 2, 2)};
  EXPECT_EQ(Text(FindBounds(seen, kNoMarks, 10)), "1@10 1@10");
}

TEST(Bounds, AreMarksToo) {  // INT-301
  const std::vector<Observation> seen = {Seen(10, 1, 1), Seen(40, 4, 4)};
  const std::vector<Barrier> marks = {Mark(20, 2), Mark(30, 3)};
  EXPECT_EQ(Text(FindBounds(seen, marks, 15)), "1@10 mark@20");
  EXPECT_EQ(Text(FindBounds(seen, marks, 20)), "mark@20 mark@20");
  EXPECT_EQ(Text(FindBounds(seen, marks, 25)), "mark@20 mark@30");
  EXPECT_EQ(Text(FindBounds(seen, marks, 35)), "mark@30 4@40");
  EXPECT_EQ(Text(FindBounds(seen, marks, 45)), "4@40 none");
}

TEST(Bounds, GoByRecordOrderWhereTimesAreEqual) {  // INT-302, INT-303, INT-704
  const std::vector<Observation> after = {Seen(10, 2, 1)};
  const std::vector<Barrier> first = {Mark(10, 1)};
  EXPECT_EQ(Text(FindBounds(after, first, 10)), "1@10 1@10");
  EXPECT_EQ(Text(FindBounds(after, first, 9)), "none mark@10");
  EXPECT_EQ(Text(FindBounds(after, first, 11)), "1@10 none");
  const std::vector<Observation> before = {Seen(10, 1, 1)};
  const std::vector<Barrier> then = {Mark(10, 2)};
  EXPECT_EQ(Text(FindBounds(before, then, 10)), "mark@10 mark@10");
  EXPECT_EQ(Text(FindBounds(before, then, 9)), "none 1@10");
  EXPECT_EQ(Text(FindBounds(before, then, 11)), "mark@10 none");
}

TEST(Bounds, TakeTheFirstOfEqualTimesAheadAndTheLastBehind) {  // INT-302, INT-303, INT-310
  const std::vector<Observation> seen = {Seen(10, 1, 10), Seen(10, 2, 11), Seen(10, 3, 12)};
  EXPECT_EQ(Text(FindBounds(seen, kNoMarks, 9)), "none 10@10");
  EXPECT_EQ(Text(FindBounds(seen, kNoMarks, 10)), "12@10 12@10");
  EXPECT_EQ(Text(FindBounds(seen, kNoMarks, 11)), "12@10 none");
}

TEST(Bounds, TakeTheLastValueOfARecord) {  // INT-307
  const std::vector<Observation> seen = {Seen(10, 1, 1), Seen(10, 1, 2), Seen(10, 2, 3)};
  EXPECT_EQ(Text(FindBounds(seen, kNoMarks, 9)), "none 2@10");
}

TEST(Bounds, OfNothingAreNone) { EXPECT_EQ(Text(FindBounds({}, {}, 0)), "none none"); }

}  // namespace
}  // namespace pmproof::replay

// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/time_gate.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace pmproof::validator {
namespace {

using Seconds = std::vector<std::int64_t>;

struct Passed {
  Seconds passed;
  Seconds refused;
  Seconds after_hole;
};

// Records with these seconds; 0 stands for a hole.
Passed Sent(const Seconds& times, std::optional<std::int64_t> start = std::nullopt,
            std::size_t budget = 1 << 20) {
  Passed result;
  std::optional<Timestamp> label;
  if (start) label = Timestamp{*start, 0};
  TimeGate gate(label, budget,
                {.pass =
                     [&](SalvagedRecord record) {
                       result.passed.push_back(record.time.seconds);
                       if (record.after_hole) result.after_hole.push_back(record.time.seconds);
                     },
                 .refuse = [&](const SalvagedRecord& record, Clause,
                               std::string) { result.refused.push_back(record.time.seconds); }});
  for (const std::int64_t time : times) {
    if (time == 0) {
      gate.Hole();
    } else {
      gate.Add({.bytes = archive::Buffer(100), .time = {time, 0}});
    }
  }
  gate.Finish();
  return result;
}

Seconds From(std::int64_t first, std::int64_t count) {
  Seconds seconds;
  for (std::int64_t i = 0; i < count; ++i) seconds.push_back(first + i);
  return seconds;
}

Seconds operator+(Seconds a, const Seconds& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(TimeGate, LetsRecordsInOrderPass) {
  EXPECT_EQ(Sent(From(100, 50)).passed, From(100, 50));
  EXPECT_EQ(Sent({100, 100, 101}).passed, (Seconds{100, 100, 101}));
}

TEST(TimeGate, OneThatIsTooLateIsRefusedAlone) {
  EXPECT_EQ(Sent(From(100, 20) + Seconds{9999} + From(120, 20)).refused, Seconds{9999});
  EXPECT_EQ(Sent(Seconds{9999} + From(100, 20)).refused, Seconds{9999});
}

TEST(TimeGate, OneThatIsTooEarlyIsRefusedAlone) {
  EXPECT_EQ(Sent(From(100, 20) + Seconds{5} + From(120, 20)).refused, Seconds{5});
}

TEST(TimeGate, SeveralThatAreTooLateAreRefused) {
  EXPECT_EQ(Sent(From(100, 20) + Seconds{9999, 9998, 9999} + From(120, 20)).refused,
            (Seconds{9999, 9998, 9999}));
}

TEST(TimeGate, WhereTheClockWasSetBackTheSecondTellingIsRefused) {
  const Passed result = Sent(From(100, 40) + From(120, 60));
  EXPECT_EQ(result.passed, From(100, 40) + From(139, 41));
}

TEST(TimeGate, WhatIsBeforeTheStartIsRefusedUnlessMostIs) {
  EXPECT_EQ(Sent(Seconds{5} + From(100, 20), 100).refused, Seconds{5});
  EXPECT_EQ(Sent(From(100, 20), 5000).refused, Seconds{});
}

TEST(TimeGate, AHoleGoesOverToTheNextThatPasses) {
  EXPECT_EQ(Sent(From(100, 3) + Seconds{0} + From(103, 3)).after_hole, Seconds{103});
  EXPECT_EQ(Sent(From(100, 3) + Seconds{0, 5, 103}).after_hole, Seconds{103});
  EXPECT_EQ(Sent(From(100, 3) + Seconds{5, 103}).after_hole, Seconds{103});
}

TEST(TimeGate, WithLittleMemoryItDecidesSooner) {
  EXPECT_EQ(Sent(From(100, 50), std::nullopt, 250).passed, From(100, 50));
}

}  // namespace
}  // namespace pmproof::validator

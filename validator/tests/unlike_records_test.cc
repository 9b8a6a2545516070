// SPDX-License-Identifier: Apache-2.0
// Records that look like none before them, as those of processes do, are checked set by set: most
// sets have the instances of the one before, and only their values are looked at.

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "validator/tests/many_records.h"

namespace pmproof::validator::testing {
namespace {

using archive::ResultModel;

class UnlikeRecordsTest : public ManyRecords {
 protected:
  // Each record begins with a metric that is in no other.
  UnlikeRecordsTest() {
    for (std::size_t k = 0; k < kRecords; ++k) {
      const Pmid own = Pmid::Of(29, 1, static_cast<std::uint32_t>(k));
      AddMeta(
          archive::DescModel{{own, MetricType::kU32, Indom::Null(), Semantics::kInstant, Units{0}},
                             {"own." + std::string(1, static_cast<char>('a' + k))}});
      Result(k).sets.insert(Result(k).sets.begin(),
                            {own, archive::kInsitu, {{kInstanceNull, 1U}}, 0});
      for (std::uint32_t i = 0; i < 2; ++i)
        Set(k, 6).values[i].value = static_cast<std::uint32_t>(100 + 10 * k + i);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, UnlikeRecordsTest, ::testing::Values(2, 3), VersionName);

TEST_P(UnlikeRecordsTest, AnyByteThatChangesIsSeen) {  // ARC-1701..1717, ARC-1801..1835
  ExpectAnyByteThatChangesIsSeen();
}

TEST_P(UnlikeRecordsTest, EachWordMayBecomeAnyOther) {  // the same
  ExpectEachWordMayBecomeAnyOther();
}

TEST_P(UnlikeRecordsTest, CountersOfInstancesMayDecreaseAfterAMarkAlone) {  // ARC-510, ARC-1825
  std::vector<ResultModel>& records = plan.volumes[0];
  const std::size_t before = Count(Found(), "ARC-1825");
  for (std::size_t k = kLate - 2; k < kRecords; ++k) {
    for (std::uint32_t i = 0; i < 2; ++i)
      Set(k, 6).values[i].value = static_cast<std::uint32_t>(k + i);
  }
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1825"), before + 2);
  records.insert(records.begin() + kLate - 2, {At(kLate - 3, 1), {}});
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1825"), before);
  Set(kLate, 6).values[1].value = 1U;
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1825"), before + 1);
}

TEST_P(UnlikeRecordsTest, AValueBelongsToItsInstance) {  // ARC-1825, ARC-1729
  const std::size_t before = Count(Found(), "ARC-1825");
  std::swap(Set(kLate, 6).values[0], Set(kLate, 6).values[1]);
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1825"), before);
  EXPECT_EQ(Count(Found(), "ARC-1729"), 1U);
  std::swap(Set(kLate, 6).values[0].instance, Set(kLate, 6).values[1].instance);
  Set(kLate, 6).values[1].value = 101U;
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1825"), before + 1);
}

TEST_P(UnlikeRecordsTest, AnInstanceThatWasAwayBeginsAgain) {  // ARC-1825
  const std::size_t before = Count(Found(), "ARC-1825");
  Set(kLate - 1, 6).values.pop_back();
  Set(kLate, 6).values[1].value = 1U;
  Set(kLate + 1, 6).values[1].value = 2U;
  Set(kLate + 2, 6).values[1].value = 1U;
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1825"), before + 1);
}

TEST_P(UnlikeRecordsTest, TwoSetsOfAMetricAreReportedOfEachRecord) {  // ARC-1713
  for (std::size_t k = 0; k < kRecords; ++k) {
    const auto twice = Set(k, 6);
    Result(k).sets.push_back(twice);
    Result(k).sets.push_back(twice);
  }
  options.max_findings = 1000;
  EXPECT_EQ(Count(Found(), "ARC-1713"), 2 * kRecords);
}

// Instances that do not ascend, an unknown error, and the identifier of a derived metric.
TEST_P(UnlikeRecordsTest, WhatEachRecordBreaksIsReportedOfEach) {  // ARC-1715, ARC-1728, ARC-1729
  const Pmid derived = Pmid::Of(511, 0, 1);
  AddMeta(archive::DescModel{
      {derived, MetricType::kU32, Indom::Null(), Semantics::kInstant, Units{0}}, {"derived"}});
  for (std::size_t k = 0; k < kRecords; ++k) {
    std::swap(Set(k, 6).values[0], Set(k, 6).values[1]);
    Set(k, 4) = {Pmid::Of(29, 0, 4), archive::kInsitu, {}, -29999};
    Result(k).sets.push_back({derived, archive::kInsitu, {}, 0});
  }
  options.max_findings = 1000;
  const std::vector<std::string> found = Found();
  for (const char* rule : {"ARC-1715", "ARC-1728", "ARC-1729"})
    EXPECT_EQ(Count(found, rule), kRecords) << rule;
}

TEST_P(UnlikeRecordsTest, AnInstanceThatLeavesItsDomainIsSeen) {  // ARC-1805
  AddMeta(archive::IndomModel{At(kLate), Indom::Of(29, 1), {{0, "a"}, {3, "d"}}, false}, true);
  EXPECT_EQ(Count(Found(), "ARC-1805"), kRecords - kLate);
}

TEST_P(UnlikeRecordsTest, ADomainThatGrowsChangesNothing) {  // ARC-1805
  const std::size_t before = Count(Found(), "ARC-1805");
  Reset();
  AddMeta(archive::IndomModel{At(kLate), Indom::Of(29, 1), {{0, "a"}, {2, "c"}, {3, "d"}}, false},
          true);
  EXPECT_EQ(Count(Found(), "ARC-1805"), before);
}

TEST_P(UnlikeRecordsTest, AFormatThatChangesIsSeenThereAndBack) {  // ARC-1814
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(3.5F);
  Set(kLate, 4) = {Pmid::Of(29, 0, 4), archive::kInsitu, {{kInstanceNull, bits}}, 0};
  EXPECT_EQ(Count(Found(), "ARC-1814"), 2U);
}

// Two that are 64 apart: that one has a descriptor says nothing of the other.
TEST_P(UnlikeRecordsTest, EachParameterOfAnEventIsLookedAt) {  // ARC-1818, ARC-1819
  const std::size_t without = Count(Found(), "ARC-1818");
  const std::size_t other = Count(Found(), "ARC-1819");
  const auto now = static_cast<std::uint32_t>(generators::kBaseTime);
  const std::uint32_t known = Pmid::Of(29, 0, 9).value;
  for (std::size_t k = 0; k < kRecords; ++k) {
    BlockOf(k, 8).payload = generators::BigEndian(
        {1,          now,        5,          1,     6,          known,      0x01000008, 77,
         known + 64, 0x01000008, 77,         known, 0x00000008, 77,         known + 64, 0x01000008,
         77,         known + 64, 0x01000008, 77,    known,      0x01000008, 77});
  }
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1818"), without + 3 * kRecords);
  EXPECT_EQ(Count(Found(), "ARC-1819"), other + kRecords);
}

// The record's time is not known, so its instances are compared with no domain.
TEST_P(UnlikeRecordsTest, ARecordWithoutAKnownTimeIsComparedWithNoDomain) {  // ARC-1718, ARC-1805
  AddMeta(archive::IndomModel{At(kLate), Indom::Of(29, 1), {{0, "a"}, {3, "d"}}, false}, true);
  Result(kLate).time = At(kLate - 3);
  // Of two records, and a line that says that a set was not compared.
  EXPECT_EQ(Count(Found(), "ARC-1805"), 2U + 1U);
}

}  // namespace
}  // namespace pmproof::validator::testing

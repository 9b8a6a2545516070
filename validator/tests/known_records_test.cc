// SPDX-License-Identifier: Apache-2.0
// A record that looks like the ones before it is compared with them as a whole. What is found must
// be what is found in each record on its own: a stretch of one record knows no other.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "validator/tests/many_records.h"

namespace pmproof::validator::testing {
namespace {

using archive::BlockModel;
using archive::ResultModel;
using archive::ValueSetModel;
using generators::ArchiveImage;

class KnownRecordsTest : public ManyRecords {};
INSTANTIATE_TEST_SUITE_P(Versions, KnownRecordsTest, ::testing::Values(2, 3), VersionName);

TEST_P(KnownRecordsTest, AnyByteThatChangesIsSeen) {  // ARC-1701..1717, ARC-1801..1835
  ExpectAnyByteThatChangesIsSeen();
}

TEST_P(KnownRecordsTest, EachWordMayBecomeAnyOther) {  // the same
  ExpectEachWordMayBecomeAnyOther();
}

TEST_P(KnownRecordsTest, StringsThatGrowAndShrinkMoveWhatComesAfterThem) {  // ARC-207, ARC-234
  const std::vector<std::string> sound = Found();
  for (std::size_t k = 8; k < kRecords; ++k)
    BlockOf(k, 3).payload = std::string(k % 5 * 3, 'x') + '\0';
  Reset();
  std::vector<std::string> found = Found();
  EXPECT_EQ(Count(found, "ARC-1825"), Count(sound, "ARC-1825"));
  BlockOf(kLate, 3).payload = std::string("\x1b[2J\0", 5);
  BlockOf(kLate, 2).payload = generators::BigEndian({0, 3});
  Reset();
  found = Found();
  EXPECT_EQ(Count(found, "ARC-1834"), 1U);
  EXPECT_EQ(Count(found, "ARC-1825"), Count(sound, "ARC-1825") + 1);
}

TEST_P(KnownRecordsTest, AnyByteOfARecordWithMovedBlocksIsSeen) {  // the same
  for (std::size_t k = 8; k < kRecords; ++k)
    BlockOf(k, 3).payload = std::string(k % 5 * 3, 'x') + '\0';
  const std::size_t begin = RecordAt("0", kLate + 1);
  const std::size_t end = RecordAt("0", kLate + 2);
  for (std::size_t at = begin; at < end; ++at) {
    for (const int bits : {0x01, 0x80, 0xff}) {
      ArchiveImage damaged = image();
      damaged.files["0"][at] ^= static_cast<std::uint8_t>(bits);
      ASSERT_EQ(Found(damaged, false), Found(damaged, true))
          << "byte " << at - begin << " ^ " << bits;
    }
  }
}

TEST_P(KnownRecordsTest, BytesThatBelongToNoBlockAreSeen) {  // ARC-1708
  const std::size_t begin = RecordAt("0", kLate + 1);
  const std::size_t end = RecordAt("0", kLate + 2);
  image().Insert("0", end - 4, "~~~~");
  image().SetWord("0", begin, static_cast<std::uint32_t>(end + 4 - begin));
  image().SetWord("0", end, static_cast<std::uint32_t>(end + 4 - begin));
  EXPECT_EQ(Count(Found(), "ARC-1708"), 1U);
}

TEST_P(KnownRecordsTest, CountersMayDecreaseAfterAMarkAlone) {  // ARC-510, ARC-1825
  std::vector<ResultModel>& records = plan.volumes[0];
  const std::size_t before = Count(Found(), "ARC-1825");
  for (std::size_t k = kLate - 2; k < kRecords; ++k)
    Set(k, 1).values[0].value = static_cast<std::uint32_t>(k);
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1825"), before + 1);
  records.insert(records.begin() + kLate - 2, {At(kLate - 3, 1), {}});
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1825"), before);
  Set(kLate, 1).values[0].value = 1U;
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1825"), before + 1);
}

TEST_P(KnownRecordsTest, WhatEachRecordBreaksIsReportedOfEach) {  // ARC-1717, ARC-1725, ARC-1729
  for (std::size_t k = 0; k < kRecords; ++k) {
    std::swap(Set(k, 6).values[0], Set(k, 6).values[1]);
    BlockOf(k, 7).padding = "~x~";
    Set(k, 5).format = archive::kStatic;
    Result(k).sets.push_back({Pmid::Of(29, 0, 99), archive::kInsitu, {{kInstanceNull, 1U}}, 0});
  }
  options.max_findings = 1000;
  const std::vector<std::string> found = Found();
  for (const char* rule : {"ARC-1717", "ARC-1725", "ARC-1729", "ARC-1801"})
    EXPECT_EQ(Count(found, rule), kRecords) << rule;
}

TEST_P(KnownRecordsTest, TwoSetsOfAMetricAreReportedOfEachRecord) {  // ARC-1713
  for (std::size_t k = 0; k < kRecords; ++k) {
    Result(k).sets.push_back(Set(k, 1));
    Result(k).sets.push_back({Pmid::Of(29, 0, 6), archive::kInsitu, {}, 0});
  }
  options.max_findings = 1000;
  EXPECT_EQ(Count(Found(), "ARC-1713"), 2 * kRecords);
}

TEST_P(KnownRecordsTest, BlocksInAnotherOrderAreReportedOfEachRecord) {  // ARC-1716
  // The blocks of two numbers of 64 bits change places, and so do the words that refer to them.
  for (std::size_t k = 0; k < kRecords; ++k) {
    std::vector<std::uint8_t>& file = image().files["0"];
    const std::size_t begin = RecordAt("0", k + 1);
    const auto word_of = [&](std::uint32_t item) {
      std::size_t at = begin;
      while (image().Word("0", at) != Pmid::Of(29, 0, item).value) at += 4;
      return at + 16;
    };
    const auto block_of = [&](std::size_t word) {
      return file.begin() +
             static_cast<std::ptrdiff_t>(begin + std::size_t{4} * (image().Word("0", word) - 2));
    };
    const std::size_t a = word_of(2);
    const std::size_t b = word_of(5);
    std::swap_ranges(block_of(a), block_of(a) + 12, block_of(b));
    std::swap_ranges(file.begin() + static_cast<std::ptrdiff_t>(a),
                     file.begin() + static_cast<std::ptrdiff_t>(a + 4),
                     file.begin() + static_cast<std::ptrdiff_t>(b));
  }
  options.max_findings = 1000;
  const std::vector<std::string> found = Found();
  EXPECT_EQ(Count(found, "ARC-1716"), kRecords);
  EXPECT_EQ(Count(found, "ARC-1810"), 0U);
}

TEST_P(KnownRecordsTest, AnInstanceThatLeavesItsDomainIsSeen) {  // ARC-1805
  const Timestamp change = At(kLate);
  AddMeta(archive::IndomModel{change, Indom::Of(29, 1), {{0, "a"}, {3, "d"}}, false}, true);
  const std::vector<std::string> found = Found();
  EXPECT_EQ(Count(found, "ARC-1805"), kRecords - kLate);
}

TEST_P(KnownRecordsTest, ADomainThatGrowsChangesNothing) {  // ARC-1805
  const std::vector<std::string> sound = Found();
  Reset();
  AddMeta(archive::IndomModel{At(kLate), Indom::Of(29, 1), {{0, "a"}, {2, "c"}, {3, "d"}}, false},
          true);
  EXPECT_EQ(Count(Found(), "ARC-1805"), Count(sound, "ARC-1805"));
}

TEST_P(KnownRecordsTest, RecordsWithoutCountersAreKnownToo) {  // ARC-1828
  Desc("m.flt").descriptor.semantics = Semantics::kInstant;
  for (std::size_t k = 0; k < kRecords; ++k) {
    const ValueSetModel set = Set(k, 4);
    Result(k).sets.assign(1, set);
  }
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1828"), 0U);
  std::get<BlockModel>(Result(kLate).sets[0].values[0].value).payload =
      generators::BigEndian({0x7fc00000});
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1828"), 1U);
}

TEST_P(KnownRecordsTest, AMetricInTwoKindsOfRecordsIsOneSeries) {  // ARC-1825
  const std::size_t before = Count(Found(), "ARC-1825");
  for (std::size_t k = 7; k < kRecords; k += 2) Result(k).sets.resize(2);
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1825"), before);
  Set(kLate, 2).values[0].value = BlockOf(2, 2);
  Reset();
  EXPECT_EQ(Count(Found(), "ARC-1825"), before + 1);
}

}  // namespace
}  // namespace pmproof::validator::testing

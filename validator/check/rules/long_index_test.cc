// SPDX-License-Identifier: Apache-2.0
// Indexes of long volumes: how far apart their entries are, and how long it takes to judge them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validator/check/rules/testing/order_walk.h"

namespace pmproof::validator {
namespace {

using archive::Gravity;
using archive::IndexView;
using archive::testing::RecordingReporter;
using testing::At;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Counts only, as `check` does with what it folds.
class CountingReporter final : public archive::Reporter {
 public:
  std::map<std::string, std::size_t> counts;

 protected:
  bool Count(Clause rule, const archive::Location&, Gravity) override {
    if (rule != last_) count_ = &counts[rule.ToString()];
    last_ = rule;
    ++*count_;
    return false;
  }
  void Keep(Clause, const archive::Location&, Gravity, archive::Details) override {}

 private:
  Clause last_;
  std::size_t* count_ = nullptr;
};

// One volume of records of equal size, one a second, with index entries for the records given.
class LongIndexTest : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kRecord = 1000;
  static constexpr std::uint64_t kFirst = 132;

  static void Judge(const std::vector<std::size_t>& entries, std::size_t records,
                    std::uint32_t record, archive::Reporter* reporter) {
    archive::Buffer bytes;
    for (const std::size_t k : entries) {
      archive::AppendIndexEntry({At(static_cast<std::int64_t>(k)), 0, kFirst, kFirst + k * record},
                                2, &bytes);
    }
    IndexRules rules(IndexView(bytes, 2), {2, At(0), {0}}, *reporter);
    DataEvent event{0, kFirst, record, 1, At(0), 0, 1};
    for (std::size_t k = 0; k < records; ++k) {
      rules.OnRecord(event);
      event.offset += record;
      ++event.ordinal;
      ++event.time.seconds;
    }
    rules.OnVolumeEnd(0, {event.offset, event.offset});
    rules.OnEnd({}, {kFirst, kFirst}, true);
  }

  static RecordingReporter Judge(const std::vector<std::size_t>& entries, std::size_t records,
                                 std::uint32_t record = kRecord) {
    RecordingReporter reporter;
    Judge(entries, records, record, &reporter);
    return reporter;
  }
};

TEST_F(LongIndexTest, EntriesEvery100000BytesAreClean) {
  EXPECT_THAT(Judge({0, 101, 202, 303, 399}, 400).Rules(), IsEmpty());
}

TEST_F(LongIndexTest, AStretchWithoutEntriesIsCounted) {
  const RecordingReporter reporter = Judge({0, 250, 300}, 301);
  EXPECT_THAT(reporter.Rules(), ElementsAre("ARC-1925"));
  EXPECT_EQ(reporter.violations[0].where.part, 0);
  EXPECT_EQ(reporter.violations[0].where.offset, kFirst);
  EXPECT_EQ(reporter.violations[0].where.length, 250'000u);
}

TEST_F(LongIndexTest, TheStretchBehindTheLastEntryCountsToo) {
  EXPECT_THAT(Judge({0}, 400).Rules(), ElementsAre("ARC-1925", "ARC-1922"));
}

TEST_F(LongIndexTest, LargeRecordsMakeLongDistances) {
  EXPECT_THAT(Judge({0, 1, 2}, 3, 600'000).Rules(), IsEmpty());
}

TEST_F(LongIndexTest, AMillionEntriesAreJudgedInOnePass) {
  std::vector<std::size_t> entries(1'000'000);
  std::iota(entries.begin(), entries.end(), 0U);
  CountingReporter reporter;
  Judge(entries, entries.size(), 100, &reporter);
  EXPECT_THAT(reporter.counts, IsEmpty());
}

TEST_F(LongIndexTest, AMillionEntriesInReverseAreJudgedToo) {
  std::vector<std::size_t> entries(1'000'000);
  std::iota(entries.rbegin(), entries.rend(), 0U);
  CountingReporter reporter;
  Judge(entries, entries.size(), 100, &reporter);
  EXPECT_THAT(reporter.counts, ElementsAre(std::pair("ARC-1908", 999'999U)));
}

TEST_F(LongIndexTest, AMillionEntriesThatWaitForALaterRecordAreJudgedToo) {
  // Each entry is for a record 500000 records after the one it points to.
  archive::Buffer bytes;
  for (std::size_t k = 0; k < 1'000'000; ++k) {
    archive::AppendIndexEntry(
        {At(static_cast<std::int64_t>(k + 500'000)), 0, kFirst, kFirst + k * 100}, 2, &bytes);
  }
  CountingReporter reporter;
  IndexRules rules(IndexView(bytes, 2), {2, At(0), {0}}, reporter);
  for (std::size_t k = 0; k < 1'000'000; ++k) {
    rules.OnRecord({0, kFirst + k * 100, 100, k + 1, At(static_cast<std::int64_t>(k)), 0, 1});
  }
  rules.OnVolumeEnd(0, {kFirst + 100'000'000, kFirst + 100'000'000});
  rules.OnEnd({}, {kFirst, kFirst}, true);
  EXPECT_EQ(reporter.counts["ARC-1918"] + reporter.counts["ARC-1924"], 1'000'000U);
}

// Entries for the records 0, 1, ... of a volume, `zeros` entries of zeros after `before` of them.
archive::Buffer WithZeros(std::size_t entries, std::size_t before, std::size_t zeros) {
  archive::Buffer bytes;
  for (std::size_t k = 0; k < entries; ++k) {
    if (k == before) bytes.resize(bytes.size() + 20 * zeros);
    archive::AppendIndexEntry({At(static_cast<std::int64_t>(k)), 0, 132, 132 + k * 1000}, 2,
                              &bytes);
  }
  if (before >= entries) bytes.resize(bytes.size() + 20 * zeros);
  return bytes;
}

// Judges the index of a volume of ten records; `memory` bytes are allowed.
std::optional<Status> JudgeTen(const archive::Buffer& bytes, std::size_t memory,
                               archive::Reporter* reporter) {
  IndexRules rules(IndexView(bytes, 2), {2, At(0), {0}, false, memory}, *reporter);
  DataEvent event{0, 132, 1000, 1, At(0), 0, 1};
  for (std::size_t k = 0; k < 10; ++k) {
    rules.OnRecord(event);
    event.offset += 1000;
    ++event.ordinal;
    ++event.time.seconds;
  }
  rules.OnVolumeEnd(0, {event.offset, event.offset});
  rules.OnEnd({}, {132, 132}, true);
  return rules.failure();
}

TEST(IndexOfZeros, AMillionZeroEntriesAreOneFindingAndTakeNoMemory) {  // ARC-1926
  for (const std::size_t before : {0U, 4U, 10U}) {
    RecordingReporter reporter;
    EXPECT_FALSE(JudgeTen(WithZeros(10, before, 1'000'000), 100, &reporter));
    EXPECT_THAT(reporter.Rules(), ElementsAre("ARC-1926"));
    EXPECT_EQ(reporter.violations[0].where.offset, 132 + before * 20);
    EXPECT_EQ(reporter.violations[0].where.length, 20'000'000U);
    EXPECT_EQ(reporter.violations[0].where.record, before + 1);
  }
}

TEST(IndexOfZeros, EachStretchOfZerosIsAFinding) {
  archive::Buffer bytes;
  for (int i = 0; i < 3; ++i) {
    const archive::Buffer more = WithZeros(10, 5, 3);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  CountingReporter reporter;
  EXPECT_FALSE(JudgeTen(bytes, 4096, &reporter));
  EXPECT_EQ(reporter.counts["ARC-1926"], 3U);
  EXPECT_EQ(reporter.counts["ARC-1908"], 2U) << "the other entries keep their places";
}

TEST(IndexOfZeros, NothingButZerosIsOneFinding) {
  CountingReporter reporter;
  EXPECT_FALSE(JudgeTen(archive::Buffer(std::size_t{20} * 1000), 0, &reporter));
  EXPECT_EQ(reporter.counts["ARC-1926"], 1U);
}

TEST(IndexBeyondTheBudget, ThereIsNoVerdict) {
  archive::Buffer ordered = WithZeros(1000, 1000, 0);
  archive::Buffer disordered = ordered;
  for (std::size_t k = 0; k + 1 < 1000; k += 2) {
    std::swap_ranges(disordered.begin() + static_cast<std::ptrdiff_t>(20 * k),
                     disordered.begin() + static_cast<std::ptrdiff_t>(20 * k + 20),
                     disordered.begin() + static_cast<std::ptrdiff_t>(20 * k + 20));
  }
  archive::Buffer stretches;
  for (int i = 0; i < 1000; ++i) {
    const archive::Buffer more = WithZeros(1, 1, 1);
    stretches.insert(stretches.end(), more.begin(), more.end());
  }
  CountingReporter reporter;
  EXPECT_FALSE(JudgeTen(ordered, 1100, &reporter));
  EXPECT_TRUE(JudgeTen(ordered, 900, &reporter));
  EXPECT_FALSE(JudgeTen(disordered, 5100, &reporter));
  const std::optional<Status> failure = JudgeTen(disordered, 2000, &reporter);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, Status::Kind::kBudget);
  EXPECT_FALSE(JudgeTen(stretches, 30'000, &reporter));
  EXPECT_TRUE(JudgeTen(stretches, 10'000, &reporter));
}

}  // namespace
}  // namespace pmproof::validator

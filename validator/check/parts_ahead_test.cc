// SPDX-License-Identifier: Apache-2.0
#include "validator/check/parts_ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <vector>

namespace pmproof::validator {
namespace {

constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

class Looked final : public WorkPool::Job {
 public:
  Looked(FilePart where, bool has_memory) : where_(where), has_memory_(has_memory) {}
  void Run() override {
    if (!has_memory_) throw std::bad_alloc();
    ran = true;
  }
  FilePart part() const { return where_; }
  bool ran = false;

 private:
  FilePart where_;
  bool has_memory_;
};

class PartsAheadTest : public ::testing::Test {
 protected:
  std::unique_ptr<Looked> Take(PartsAhead<Looked>& parts, std::uint64_t position) {
    return parts.Take(
        position,
        [&](FilePart where) {
          planned_.push_back(where);
          return std::make_unique<Looked>(where, has_memory_);
        },
        [&](const Looked&) { return counts_; });
  }

  WorkPool pool_{1};
  std::vector<FilePart> planned_;
  bool has_memory_ = true;
  bool counts_ = true;
};

TEST_F(PartsAheadTest, PartsFollowEachOtherAndGetShorter) {
  PartsAhead<Looked> parts(pool_, 100'000'000, {100'000, 20'000'000});
  std::uint64_t position = 100;
  while (const auto part = Take(parts, position)) {
    EXPECT_TRUE(part->ran);
    EXPECT_EQ(part->part().begin, position);
    position = part->part().end;
  }
  EXPECT_EQ(position, 100'000'000U);
  EXPECT_EQ(parts.next(), kNowhere);
  EXPECT_TRUE(planned_.front().exact);
  for (std::size_t i = 1; i < planned_.size(); ++i) {
    EXPECT_FALSE(planned_[i].exact);
    EXPECT_EQ(planned_[i].begin, planned_[i - 1].end);
    EXPECT_EQ(planned_[i].begin % 4096, 0U);
    EXPECT_LE(planned_[i].end - planned_[i].begin, 20'000'000U);
    if (i + 1 < planned_.size()) {
      EXPECT_GE(planned_[i].end - planned_[i].begin, 100'000U - 4096);
    }
  }
  EXPECT_LT(planned_.size(), 30U);
}

// One thread may begin its first part late: the other one is not to be left with the last large
// one.
TEST_F(PartsAheadTest, AfterTheFirstRoundTheRestIsNotTakenAtOnce) {
  PartsAhead<Looked> parts(pool_, 100'000'000, {100'000, 100'000'000});
  std::uint64_t position = 0;
  while (const auto part = Take(parts, position)) position = part->part().end;
  ASSERT_GT(planned_.size(), 5U);
  EXPECT_GT(planned_[1].end, 80'000'000U);
  for (const std::size_t round : {2, 4}) {
    const std::uint64_t rest = 100'000'000 - planned_[round].begin;
    EXPECT_LE(planned_[round].end - planned_[round].begin, rest / 3);
    EXPECT_GE(planned_[round].end - planned_[round].begin, rest / 4);
  }
}

TEST_F(PartsAheadTest, WhatIsLeftOverIsNoPart) {
  for (const std::uint64_t size : {2'000'000, 2'004'097, 2'345'678, 2'999'999, 100'000'001}) {
    planned_.clear();
    PartsAhead<Looked> parts(pool_, size, {1'000'000, 30'000'000});
    std::uint64_t position = 100;
    while (const auto part = Take(parts, position)) position = part->part().end;
    EXPECT_EQ(position, size);
    for (const FilePart& part : planned_) {
      EXPECT_GE(part.end - part.begin, 500'000U - 4096) << size;
      EXPECT_LE(part.end - part.begin, 30'000'000U) << size;
    }
  }
}

TEST_F(PartsAheadTest, AShortFileIsForOneThread) {
  PartsAhead<Looked> parts(pool_, 100'000, {100'000, 20'000'000});
  EXPECT_FALSE(parts.any());
  EXPECT_FALSE(Take(parts, 100));
  EXPECT_EQ(parts.next(), kNowhere);
  EXPECT_TRUE(parts.all_planned());
}

TEST_F(PartsAheadTest, PartsDoNotGetShorterInFrontOfOtherFiles) {
  PartsAhead<Looked> parts(pool_, 100'000'000, {100'000, 20'000'000, 200'000'000});
  std::uint64_t position = 0;
  while (const auto part = Take(parts, position)) position = part->part().end;
  EXPECT_EQ(position, 100'000'000U);
  EXPECT_LE(planned_.size(), 6U);
}

TEST_F(PartsAheadTest, AFileIsBegunBeforeItsTurn) {
  PartsAhead<Looked> parts(pool_, 100'000'000, {100'000, 10'000'000});
  const auto make = [&](FilePart where) {
    planned_.push_back(where);
    return std::make_unique<Looked>(where, true);
  };
  parts.Begin(100, make, 3);
  EXPECT_EQ(parts.waiting(), 3U);
  EXPECT_EQ(planned_.size(), 3U);
  EXPECT_TRUE(planned_.front().exact);
  EXPECT_FALSE(parts.all_planned());
  const auto first = Take(parts, 100);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->ran);
  EXPECT_EQ(first->part().begin, 100U);
}

TEST_F(PartsAheadTest, AShortFileIsBegunBeforeItsTurnAsAWhole) {
  PartsAhead<Looked> parts(pool_, 50'000, {100'000, 20'000'000});
  parts.Begin(
      100, [](FilePart where) { return std::make_unique<Looked>(where, true); }, 8);
  EXPECT_TRUE(parts.all_planned());
  const auto all = Take(parts, 100);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->part().end, 50'000U);
}

TEST_F(PartsAheadTest, WithoutOtherThreadsThereAreNoParts) {
  WorkPool alone(0);
  PartsAhead<Looked> parts(alone, 100'000'000, {100'000, 20'000'000});
  EXPECT_FALSE(parts.any());
  EXPECT_FALSE(Take(parts, 100));
  EXPECT_EQ(parts.next(), kNowhere);
}

TEST_F(PartsAheadTest, WhatDoesNotCountIsForTheCaller) {
  PartsAhead<Looked> parts(pool_, 100'000'000, {100'000, 20'000'000});
  counts_ = false;
  EXPECT_FALSE(Take(parts, 100));
  EXPECT_EQ(parts.next(), planned_[0].end);
  counts_ = true;
  EXPECT_TRUE(Take(parts, planned_[0].end + 50));
}

TEST_F(PartsAheadTest, WhereThereIsNoMemoryForOneTheOthersAreGivenUp) {
  has_memory_ = false;
  PartsAhead<Looked> parts(pool_, 100'000'000, {100'000, 20'000'000});
  EXPECT_FALSE(Take(parts, 100));
  EXPECT_EQ(parts.next(), kNowhere);
  EXPECT_TRUE(parts.given_up());
  has_memory_ = true;
  EXPECT_FALSE(Take(parts, 50'000'000));
}

TEST_F(PartsAheadTest, ALimitHoldsForThoseThatAreNotPlannedYet) {
  PartsAhead<Looked> parts(pool_, 100'000'000, {100'000, 20'000'000});
  parts.LimitTo(50'000);
  EXPECT_TRUE(Take(parts, 4096));
  for (const FilePart& part : planned_) EXPECT_LE(part.end - part.begin, 50'000U);
}

}  // namespace
}  // namespace pmproof::validator

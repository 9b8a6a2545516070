// SPDX-License-Identifier: Apache-2.0
#include "validator/check/record_digest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace pmproof::validator {
namespace {

constexpr std::size_t kRun = RecordDigest::kRun;

// Records a second apart, the k-th of 100 + k bytes.
class RecordDigestTest : public ::testing::TestWithParam<int> {
 protected:
  RecordDigestTest() {
    for (std::size_t k = 0; k < 3 * kRun + 10; ++k) {
      notes.push_back(
          {static_cast<std::int64_t>(1'000 + k), 0, static_cast<std::uint32_t>(100 + k), 1, 29});
    }
  }

  RecordDigest Digest(std::size_t logue = ~std::size_t{0}) const {
    RecordDigest digest(0, GetParam());
    std::uint64_t offset = 0;
    for (std::size_t k = 0; k < notes.size(); ++k) {
      digest.Add(notes[k], offset, k == logue);
      offset += notes[k].length;
    }
    return digest;
  }

  std::vector<RecordNote> notes;
};
INSTANTIATE_TEST_SUITE_P(Versions, RecordDigestTest, ::testing::Values(2, 3));

TEST_P(RecordDigestTest, OfWholeRuns) {
  const RecordDigest digest = Digest();
  EXPECT_TRUE(digest.sound());
  EXPECT_EQ(digest.first(), 0U);
  ASSERT_EQ(digest.runs().size(), 3U);
  EXPECT_EQ(digest.runs()[1].length, kRun * (100 + kRun) + kRun * (kRun - 1) / 2);
  EXPECT_EQ(digest.runs()[1].longest, 100 + 2 * kRun - 1);
}

TEST_P(RecordDigestTest, ARunWithAMarkOrALogueIsNone) {
  notes[0].set_count = notes[kRun - 1].set_count = 0;
  const RecordDigest digest = Digest(kRun);
  EXPECT_TRUE(digest.sound());
  EXPECT_EQ(digest.first(), 1U);
  EXPECT_EQ(digest.runs()[0].length, 0U);
  EXPECT_EQ(digest.runs()[1].length, 0U);
  EXPECT_NE(digest.runs()[2].length, 0U);
}

TEST_P(RecordDigestTest, OfMarksAloneThereIsNoFirst) {
  for (RecordNote& note : notes) note.set_count = 0;
  EXPECT_FALSE(Digest().first());
}

TEST_P(RecordDigestTest, TimesThatDoNotRiseAreNotSound) {
  notes[kRun + 5].seconds = notes[kRun + 4].seconds;
  EXPECT_FALSE(Digest().sound());
}

TEST_P(RecordDigestTest, NeitherOverAMark) {
  notes[kRun + 5].set_count = 0;
  notes[kRun + 6].seconds = notes[kRun + 4].seconds;
  EXPECT_FALSE(Digest().sound());
}

TEST_P(RecordDigestTest, ATimeThatCannotBeIsNotSound) {
  for (const std::int64_t seconds : {std::int64_t{-1}, std::int64_t{1} << 31}) {
    notes.back().seconds = seconds;
    EXPECT_FALSE(Digest().sound()) << seconds;
  }
  notes.back().seconds = 2'000;
  EXPECT_TRUE(Digest().sound());
  notes.back().fraction = 1'000'000'000;
  EXPECT_FALSE(Digest().sound());
}

TEST_P(RecordDigestTest, ARecordWithoutATimeIsNotSound) {
  notes[5].length = 12;
  EXPECT_FALSE(Digest().sound());
}

}  // namespace
}  // namespace pmproof::validator

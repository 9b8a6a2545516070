// SPDX-License-Identifier: Apache-2.0
#include "validator/check/stretches_ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/metadata.h"

namespace pmproof::validator {
namespace {

using archive::ResultModel;

constexpr std::size_t kRecords = 400;
constexpr std::size_t kStretch = 4000;
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

// A volume whose records are a second apart, each a little more than 500 bytes long.
class StretchesAheadTest : public ::testing::TestWithParam<int> {
 protected:
  StretchesAheadTest() : plan_(generators::BaseArchive(GetParam())) {
    std::vector<ResultModel>& records = plan_.volumes.at(0);
    while (records.size() < kRecords) {
      records.push_back(records.back());
      ++records.back().time.seconds;
    }
    plan_.index.clear();
  }

  void Store() {
    image_ = generators::Encode(plan_);
    storage_.files["volume"] = image_.files.at("0");
    file_ = std::move(*storage_.Open("volume"));
    records_ = image_.Records("0");
    records_.push_back(image_.files.at("0").size());
  }

  Timestamp TimeOf(std::size_t record) const { return plan_.volumes.at(0).at(record).time; }

  std::unique_ptr<StretchesAhead> Ahead() {
    return std::make_unique<StretchesAhead>(
        pool_, metrics_, collector_,
        StretchesAhead::Volume{file_.get(), 0, GetParam(), {generators::kBaseTime, 0}}, kStretch,
        buffers_);
  }

  generators::ArchivePlan plan_;
  generators::ArchiveImage image_;
  archive::MemoryStorage storage_;
  std::unique_ptr<archive::StoredFile> file_;
  std::vector<std::size_t> records_;  // where they begin, the label first, and where the last ends

  const Catalogue catalogue_ = Catalogue::Shipped();
  const FindingCollector collector_{catalogue_, Profile::kArchival, {}, 1};
  const archive::Metadata nothing_;
  const MetricTable metrics_{nothing_, false};
  StretchBuffers buffers_;
  WorkPool pool_{1};
};
INSTANTIATE_TEST_SUITE_P(Versions, StretchesAheadTest, ::testing::Values(2, 3));

TEST_P(StretchesAheadTest, OfASoundVolumeAllStretchesCount) {
  Store();
  const auto ahead = Ahead();
  std::size_t record = 1;  // of records_
  std::optional<Timestamp> latest;
  std::size_t stretches = 0;
  while (record < kRecords + 1) {
    const auto stretch = ahead->Take(records_[record], latest);
    ASSERT_TRUE(stretch) << "record " << record;
    ++stretches;
    ASSERT_GT(stretch->notes.size(), 0U);
    for (const RecordNote& note : stretch->notes) {
      ASSERT_EQ(note.length, records_[record + 1] - records_[record]);
      ASSERT_EQ(pmproof::validator::TimeOf(note, GetParam()), TimeOf(record - 1));
      ++record;
    }
    latest = TimeOf(record - 2);
    EXPECT_EQ(stretch->stretch.refused, 0U);
  }
  EXPECT_EQ(record, kRecords + 1);
  EXPECT_GE(stretches, records_.back() / kStretch);
  EXPECT_FALSE(ahead->Take(records_.back(), latest));
}

TEST_P(StretchesAheadTest, AStretchDoesNotCountIfItsFirstRecordBeginsElsewhere) {
  Store();
  const auto ahead = Ahead();
  ASSERT_TRUE(ahead->Take(records_[1], {}));
  const std::uint64_t next = ahead->next();
  const auto after = *std::lower_bound(records_.begin(), records_.end(), next);
  EXPECT_FALSE(ahead->Take(after + 4, TimeOf(0)));
  EXPECT_GT(ahead->next(), next);
}

TEST_P(StretchesAheadTest, AStretchDoesNotCountIfALaterTimeCameBefore) {
  Store();
  const auto ahead = Ahead();
  ASSERT_TRUE(ahead->Take(records_[1], {}));
  const auto after = *std::lower_bound(records_.begin(), records_.end(), ahead->next());
  EXPECT_FALSE(ahead->Take(after, TimeOf(kRecords - 1)));
}

TEST_P(StretchesAheadTest, ALaterTimeThatWasKnownBeforeIsNoMatter) {
  Store();
  const auto ahead = Ahead();
  const Timestamp later = TimeOf(kRecords - 1);
  ASSERT_TRUE(ahead->Take(records_[1], later));
  const auto after = *std::lower_bound(records_.begin(), records_.end(), ahead->next());
  EXPECT_TRUE(ahead->Take(after, later));
}

TEST_P(StretchesAheadTest, BeforeTheNextStretchThereIsNone) {
  Store();
  const auto ahead = Ahead();
  ASSERT_TRUE(ahead->Take(records_[1], {}));
  const std::uint64_t next = ahead->next();
  EXPECT_FALSE(ahead->Take(next - 4, TimeOf(0)));
  EXPECT_EQ(ahead->next(), next);
}

TEST_P(StretchesAheadTest, ARecordMayBeLongerThanAStretch) {
  Store();
  const auto ahead = Ahead();
  ASSERT_TRUE(ahead->Take(records_[1], {}));
  const std::uint64_t far = ahead->next() + 10 * kStretch;
  const auto after = *std::lower_bound(records_.begin(), records_.end(), far);
  EXPECT_TRUE(ahead->Take(after, TimeOf(0)));
}

TEST_P(StretchesAheadTest, AStretchEndsWhereAFrameIsReported) {
  Store();
  storage_.files["volume"][records_[4] - 1] ^= 1;  // the trailing word of the third record
  const auto ahead = Ahead();
  const auto first = ahead->Take(records_[1], {});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->notes.size(), 2U);
  EXPECT_GT(ahead->next(), records_[4]);
}

TEST_P(StretchesAheadTest, WhereNothingCountsItIsGivenUp) {
  Store();
  const auto ahead = Ahead();
  std::size_t tried = 0;
  for (std::uint64_t position = 2; ahead->next() != ~std::uint64_t{0} || tried == 0; ++tried) {
    ahead->Take(position, {});
    position = ahead->next() + 2;  // no record begins there
  }
  EXPECT_LT(tried, 16U);
}

TEST_P(StretchesAheadTest, ALogueIsNoted) {
  plan_.volumes.at(0).front().sets.clear();
  for (const Pmid pmid : {Pmid::Of(2, 3, 3), Pmid::Of(2, 3, 0), Pmid::Of(2, 3, 2)})
    plan_.volumes.at(0).front().sets.push_back({pmid, archive::kInsitu, {}, 0});
  Store();
  const auto first = Ahead()->Take(records_[1], {});
  ASSERT_TRUE(first);
  ASSERT_EQ(first->logues.size(), 1U);
  EXPECT_EQ(first->logues.front().first, 0U);
}

TEST_P(StretchesAheadTest, AVolumeIsBegunWhenAllOfTheOneBeforeIs) {
  Store();
  const auto before = Ahead();
  const auto after = Ahead();
  before->Plan(records_[1], {});
  after->BeginAfter(*before, records_[1], {});
  EXPECT_EQ(after->next(), kNowhere);
  std::optional<Timestamp> latest;
  std::size_t record = 1;
  while (after->next() == kNowhere) {
    const auto stretch = before->Take(records_[record], latest);
    ASSERT_TRUE(stretch);
    record += stretch->notes.size();
    latest = TimeOf(record - 2);
    after->BeginAfter(*before, records_[1], latest);
  }
  EXPECT_NE(before->next(), kNowhere);
  EXPECT_EQ(after->next(), records_[1]);
  const auto first = after->Take(records_[1], {});
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->part().exact);
}

TEST_P(StretchesAheadTest, AShortVolumeIsBegunAfterAnotherAsAWhole) {
  Store();
  const StretchesAhead::Volume all{file_.get(), 0, GetParam(), {generators::kBaseTime, 0}};
  StretchesAhead alone(pool_, metrics_, collector_, all, 1'000'000, buffers_);
  EXPECT_FALSE(alone.Take(records_[1], {}));
  StretchesAhead after(pool_, metrics_, collector_, all, 1'000'000, buffers_);
  const StretchesAhead none(pool_, metrics_, collector_, {nullptr, 0, GetParam()}, kStretch,
                            buffers_);
  after.BeginAfter(none, records_[1], {});
  const auto stretch = after.Take(records_[1], {});
  ASSERT_TRUE(stretch);
  EXPECT_EQ(stretch->notes.size(), kRecords);
}

TEST_P(StretchesAheadTest, AVolumeIsBegunAfterOneThatTheCallerHasAsAWhole) {
  Store();
  const StretchesAhead::Volume all{file_.get(), 0, GetParam(), {generators::kBaseTime, 0}};
  StretchesAhead before(pool_, metrics_, collector_, all, 1'000'000, buffers_);
  before.Plan(records_[1], {});
  EXPECT_EQ(before.next(), kNowhere);
  const auto after = Ahead();
  after->BeginAfter(before, records_[1], {});
  EXPECT_EQ(after->next(), records_[1]);
}

TEST_P(StretchesAheadTest, WithoutAFileOrOtherThreadsNothingIsAhead) {
  Store();
  StretchesAhead none(pool_, metrics_, collector_,
                      {nullptr, 0, GetParam(), {generators::kBaseTime, 0}}, kStretch, buffers_);
  EXPECT_FALSE(none.Take(records_[1], {}));
  EXPECT_EQ(none.next(), ~std::uint64_t{0});
  WorkPool alone(0);
  StretchesAhead serial(alone, metrics_, collector_,
                        {file_.get(), 0, GetParam(), {generators::kBaseTime, 0}}, kStretch,
                        buffers_);
  EXPECT_FALSE(serial.Take(records_[1], {}));
  EXPECT_EQ(serial.next(), ~std::uint64_t{0});
}

}  // namespace
}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/record_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/archive_image.h"
#include "reference/archive/testing/compress.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive {
namespace {

using generators::ArchiveImage;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::RecordingReporter;

class File final : public StoredFile {
 public:
  explicit File(std::vector<std::uint8_t> content) : content_(std::move(content)) {}
  Bytes bytes() const override { return content_; }

 private:
  std::vector<std::uint8_t> content_;
};

// What a walk over one file of the base archive, from after its label on, finds. Damage comes
// first.
class RecordReaderTest : public ::testing::Test {
 protected:
  // Offset of a record of .0; the label is 0.
  std::size_t At(std::size_t record) const { return image_.Records("0")[record]; }
  std::size_t Length(std::size_t record) const { return image_.Word("0", At(record)); }
  std::size_t Size() const { return image_.files.at("0").size(); }

  void Walk(Compression compression = Compression::kNone, const SourceLimits& limits = {}) {
    const File file(testing::Compress(image_.files.at("0"), compression));
    const auto source = MakeSource(file, "base.0", compression, limits);
    ASSERT_TRUE(source->Window(kLayoutV2.label));
    source->Skip(kLayoutV2.label);
    RecordReader reader(*source, 0, 2, reporter_);
    while (true) {
      const auto record = reader.Next();
      if (!record) {
        error_ = record.error();
        EXPECT_FALSE(reader.Next()) << "an error stays";
        break;
      }
      if (!*record) break;
      EXPECT_EQ((*record)->part, 0);
      EXPECT_EQ((*record)->ordinal, offsets_.size() + 1);
      EXPECT_EQ((*record)->bytes.size(), LoadU32((*record)->bytes.data()));
      const auto* stored = image_.files.at("0").data() + (*record)->offset;
      EXPECT_TRUE(std::equal((*record)->bytes.begin(), (*record)->bytes.end(), stored));
      offsets_.push_back((*record)->offset);
      EXPECT_EQ(reader.position(), (*record)->offset + (*record)->bytes.size());
    }
    if (!error_) {
      EXPECT_FALSE(*reader.Next()) << "the end stays";
    }
    lost_ = reader.lost();
    ended_inside_ = reader.ended_inside_record();
    position_ = reader.position();
  }

  ArchiveImage image_ = Encode(generators::BaseArchive(2));
  RecordingReporter reporter_;
  std::vector<std::uint64_t> offsets_;
  std::optional<Status> error_;
  std::optional<std::uint64_t> lost_;
  bool ended_inside_ = false;
  std::uint64_t position_ = 0;
};

TEST_F(RecordReaderTest, AllRecordsAreGivenInOrder) {
  Walk();
  EXPECT_THAT(offsets_, ElementsAre(At(1), At(2), At(3), At(4), At(5), At(6)));
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
  EXPECT_EQ(lost_, std::nullopt);
  EXPECT_FALSE(ended_inside_);
  EXPECT_EQ(position_, Size());
}

TEST_F(RecordReaderTest, ALabelAloneHasNoRecords) {
  image_.Truncate("0", kLayoutV2.label);
  Walk();
  EXPECT_THAT(offsets_, IsEmpty());
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

TEST_F(RecordReaderTest, ALengthBelow8IsARC1101) {
  const ArchiveImage whole = image_;
  const std::size_t third = At(3);
  for (const std::uint32_t length : {4U, 0U, 7U, static_cast<std::uint32_t>(-20), 0x80000000U}) {
    reporter_.violations.clear();
    image_.SetWord("0", third, length);
    Walk();
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1101")) << length;
    EXPECT_EQ(reporter_.violations[0].where.offset, third) << length;
    image_ = whole;
    offsets_.clear();
  }
}

TEST_F(RecordReaderTest, AWrongLengthEndsTheWalkThere) {
  const std::size_t third = At(3);
  image_.SetWord("0", third, 4);
  Walk();
  EXPECT_EQ(offsets_.size(), 2U);
  EXPECT_EQ(lost_, third);
  EXPECT_EQ(position_, third);
  EXPECT_EQ(reporter_.violations[0].where.record, 3U);
  EXPECT_EQ(reporter_.violations[0].where.length, 4U);
  EXPECT_EQ(reporter_.violations[0].details.actual, "4");
  EXPECT_FALSE(ended_inside_);
}

TEST_F(RecordReaderTest, ANegativeLengthIsShownAsStored) {
  image_.SetWord("0", At(3), static_cast<std::uint32_t>(-20));
  Walk();
  EXPECT_EQ(reporter_.violations[0].details.actual, "-20");
}

TEST_F(RecordReaderTest, ALengthThatLeadsBeyondTheEndIsARC1102AndFatalInEveryProfile) {
  const std::size_t second = At(2);
  image_.SetWord("0", second, 0x00ffffff);
  Walk();
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1102"));
  EXPECT_EQ(reporter_.violations[0].gravity, Gravity::kFatal);
  EXPECT_EQ(reporter_.violations[0].where.offset, second);
  EXPECT_EQ(reporter_.violations[0].where.length, Size() - second);
  EXPECT_EQ(lost_, second);
}

TEST_F(RecordReaderTest, AFileCutInTheBodyIsARC1102AndTheArchiveIsNotFinished) {
  const std::size_t last = At(6);
  image_.Truncate("0", Size() - 10);
  Walk();
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1102", "ARC-1111"));
  EXPECT_EQ(reporter_.violations[0].gravity, Gravity::kAsCatalogued);
  EXPECT_EQ(reporter_.violations[0].where.offset, last);
  EXPECT_EQ(offsets_.size(), 5U);
  EXPECT_TRUE(ended_inside_);
}

TEST_F(RecordReaderTest, AFileCutInTheTrailerIsARC1103) {
  const std::size_t size = Size();
  for (std::size_t missing = 1; missing <= 4; ++missing) {
    reporter_.violations.clear();
    image_.Truncate("0", size - missing);
    Walk();
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1103", "ARC-1111")) << missing;
    EXPECT_TRUE(ended_inside_);
    offsets_.clear();
  }
}

TEST_F(RecordReaderTest, AFileCutJustBehindALengthWordIsARC1102) {
  image_.Truncate("0", At(6) + 4);
  Walk();
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1102", "ARC-1111"));
}

TEST_F(RecordReaderTest, ADifferentTrailerIsARC1104AndTheWalkGoesOn) {
  const std::size_t trailer = At(3) - 4;
  image_.SetWord("0", trailer, image_.Word("0", trailer) + 4);
  Walk();
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1104"));
  EXPECT_EQ(reporter_.violations[0].where.offset, trailer);
  EXPECT_EQ(reporter_.violations[0].where.record, 2U);
  EXPECT_EQ(offsets_.size(), 6U);
  EXPECT_EQ(lost_, std::nullopt);
}

TEST_F(RecordReaderTest, ATrailerThatDiffersInAnyOfItsBytesIsARC1104) {
  const std::size_t trailer = At(3) - 4;
  const std::uint32_t right = image_.Word("0", trailer);
  for (const unsigned shift : {0U, 8U, 16U, 24U}) {
    reporter_.violations.clear();
    offsets_.clear();
    image_.SetWord("0", trailer, right ^ 1U << shift);
    Walk();
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1104")) << shift;
  }
}

TEST_F(RecordReaderTest, ADifferentTrailerOfTheLastRecordIsARC1104) {
  image_.SetWord("0", Size() - 4, 4);
  Walk();
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1104"));
  EXPECT_EQ(offsets_.size(), 6U);
  EXPECT_EQ(lost_, std::nullopt);
}

TEST_F(RecordReaderTest, EachDifferentTrailerIsReported) {
  // The record after must be whole, so neighbours cannot both be wrong.
  for (const std::size_t record : {2U, 4U, 6U}) image_.SetWord("0", At(record) - 4, 12);
  Walk();
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1104", "ARC-1104", "ARC-1104"));
  EXPECT_EQ(offsets_.size(), 6U);
}

TEST_F(RecordReaderTest, AWrongLeadingLengthIsARC1104AndFramingIsLost) {
  const std::size_t second = At(2);
  image_.SetWord("0", second, image_.Word("0", second) + 8);
  Walk();
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1104"));
  EXPECT_EQ(offsets_.size(), 1U);
  EXPECT_EQ(lost_, second);
}

TEST_F(RecordReaderTest, StrayBytesAreARC1105) {
  for (std::size_t stray = 1; stray <= 3; ++stray) {
    reporter_.violations.clear();
    offsets_.clear();
    const std::size_t size = Size();
    image_.Append("0", std::string(stray, '\0'));
    Walk();
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1105")) << stray;
    EXPECT_EQ(reporter_.violations[0].where.offset, size);
    EXPECT_EQ(reporter_.violations[0].where.length, stray);
    EXPECT_EQ(offsets_.size(), 6U);
    EXPECT_TRUE(ended_inside_);
    image_.Truncate("0", size);
  }
}

TEST_F(RecordReaderTest, ZerosToTheEndAreARC1107) {
  const std::size_t size = Size();
  for (const std::size_t zeros : {4U, 7U, 8U, 64U, 5'000'000U}) {
    for (const Compression compression : {Compression::kNone, Compression::kGzip}) {
      reporter_.violations.clear();
      offsets_.clear();
      image_.Append("0", std::string(zeros, '\0'));
      Walk(compression);
      EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1107")) << zeros;
      EXPECT_EQ(reporter_.violations[0].where.offset, size);
      EXPECT_EQ(reporter_.violations[0].where.length, zeros);
      EXPECT_EQ(lost_, std::nullopt);
      image_.Truncate("0", size);
    }
  }
}

TEST_F(RecordReaderTest, ZerosWithSomethingBehindAreARC1101) {
  for (const Compression compression : {Compression::kNone, Compression::kGzip}) {
    reporter_.violations.clear();
    offsets_.clear();
    const std::size_t size = Size();
    image_.Append("0", std::string(3'000'000, '\0') + "x");
    Walk(compression);
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1101"));
    EXPECT_EQ(lost_, size);
    image_.Truncate("0", size);
  }
}

TEST_F(RecordReaderTest, CompressedFilesGiveTheSame) {
  image_.SetWord("0", At(3) - 4, 12);
  image_.Append("0", "\1");
  Walk(Compression::kXz, {.window = 1024});
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1104", "ARC-1105"));
  EXPECT_THAT(offsets_, ElementsAre(At(1), At(2), At(3), At(4), At(5), At(6)));
}

TEST_F(RecordReaderTest, AnAbsurdLengthInACompressedFileIsNoMatterOfTheBudget) {
  image_.SetWord("0", At(2), 0x7fffffff);
  Walk(Compression::kGzip);
  EXPECT_FALSE(error_);
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1102"));
}

TEST_F(RecordReaderTest, ARecordTooLargeForTheWindowOfACompressedFileExceedsTheBudget) {
  Walk(Compression::kGzip, {.window = 200});
  ASSERT_TRUE(error_);
  EXPECT_EQ(error_->kind, Status::Kind::kBudget);
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

TEST_F(RecordReaderTest, ALengthThatCannotBeConfirmedWithinTheBudgetIsWrong) {
  const std::size_t second = At(2);
  image_.SetWord("0", second - 4, 12);
  image_.SetWord("0", second, 100'000'000);
  image_.Append("0", std::string(5000, '\1'));
  Walk(Compression::kGzip, {.window = 2000});
  EXPECT_FALSE(error_);
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1104"));
  EXPECT_EQ(lost_, kLayoutV2.label);
}

TEST_F(RecordReaderTest, ACorruptCompressedFileGivesItsRecordsFirst) {
  for (int copies = 0; copies < 5; ++copies) {
    const std::vector<std::uint8_t> content = image_.files["0"];
    image_.Append("0", AsText(content).substr(kLayoutV2.label));
  }
  std::vector<std::uint8_t> stored = testing::Compress(image_.files["0"], Compression::kGzip);
  stored.resize(stored.size() - 12);
  const File file(stored);
  const auto source = MakeSource(file, "base.0.gz", Compression::kGzip);
  ASSERT_TRUE(source->Window(kLayoutV2.label));
  source->Skip(kLayoutV2.label);
  RecordReader reader(*source, 0, 2, reporter_);
  std::size_t records = 0;
  auto record = reader.Next();
  for (; record && *record; record = reader.Next()) ++records;
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().clause, "ARC-1009"_clause);
  EXPECT_GT(records, 100U);
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

TEST_F(RecordReaderTest, AFileCutAnywhereIsReadToItsLastWholeRecord) {
  const std::vector<std::uint8_t> whole = image_.files["0"];
  const std::vector<std::size_t> records = image_.Records("0");
  for (std::size_t size = kLayoutV2.label; size < whole.size(); ++size) {
    reporter_.violations.clear();
    offsets_.clear();
    image_.Truncate("0", size);
    Walk();
    const bool at_a_record = std::find(records.begin(), records.end(), size) != records.end();
    EXPECT_EQ(reporter_.violations.empty(), at_a_record) << size;
    EXPECT_EQ(ended_inside_, !at_a_record) << size;
    EXPECT_EQ(offsets_.size(), image_.Records("0").size() - 1) << size;
    image_.files["0"] = whole;
  }
}

RC_GTEST_FIXTURE_PROP(RecordReaderTest, WindowsDoNotMatterToWhatIsFound, ()) {
  for (int i = 0; i < 3; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(kLayoutV2.label, Size());
    image_.SetByte("0", at, *rc::gen::arbitrary<std::uint8_t>());
  }
  reporter_.violations.clear();
  Walk();
  const auto rules = reporter_.Rules();
  const auto offsets = offsets_;
  const auto lost = lost_;
  reporter_.violations.clear();
  offsets_.clear();
  Walk(Compression::kZstd, {.window = 1000 + *rc::gen::inRange<std::size_t>(0, 2000)});
  RC_PRE(!error_);  // a damaged length can exceed the window
  RC_ASSERT(reporter_.Rules() == rules);
  RC_ASSERT(offsets_ == offsets);
  RC_ASSERT(lost_ == lost);
}

}  // namespace
}  // namespace pmproof::archive

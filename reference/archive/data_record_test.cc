// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/data_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "reference/archive/encode.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

BlockModel Block(MetricType type, std::string payload) {
  return {static_cast<std::uint8_t>(type), std::move(payload), std::nullopt};
}

// A record with an insitu value, two strings and an error code: in version 2 the sets begin at 16,
// 36, 64 and end at 72, the blocks begin at 72 and 84, the record has 96 + 4 bytes.
ResultModel SampleResult() {
  ResultModel result;
  result.time = {1700000000, 0};
  result.sets.push_back({Pmid::Of(29, 0, 1), kInsitu, {{kInstanceNull, std::uint32_t{7}}}, 0});
  result.sets.push_back({Pmid::Of(29, 0, 2),
                         kDynamic,
                         {{0, Block(MetricType::kString, std::string("hello\0", 6))},
                          {1, Block(MetricType::kU64, std::string(8, '\0'))}},
                         0});
  result.sets.push_back({Pmid::Of(29, 0, 3), 0, {}, -12350});
  return result;
}

// One encoded record that can be damaged byte by byte.
class DataRecordTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kNumpmid = 12;
  static constexpr std::size_t kSecondSet = 36;
  static constexpr std::size_t kFirstIndex = 52;  // the index word of the first block
  static constexpr std::size_t kSecondIndex = 60;
  static constexpr std::size_t kFirstBlock = 72;
  static constexpr std::size_t kSecondBlock = 84;

  void Encode(const ResultModel& result, int version = 2) {
    version_ = version;
    bytes_.clear();
    AppendResult(result, version, &bytes_);
  }
  void SetUp() override { Encode(SampleResult()); }

  void SetWord(std::size_t offset, std::uint32_t value) { StoreU32(bytes_.data() + offset, value); }

  // Puts bytes into the payload; both length words follow.
  void Insert(std::size_t offset, const std::string& text) {
    bytes_.insert(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), text.begin(), text.end());
    SetWord(0, static_cast<std::uint32_t>(bytes_.size()));
    SetWord(bytes_.size() - 4, static_cast<std::uint32_t>(bytes_.size()));
  }

  bool Decode() {
    reporter_.violations.clear();
    decoded_ = DecodeDataRecord({bytes_, 132, 1, 0}, version_, reporter_);
    return decoded_.has_value();
  }
  std::vector<std::string> Rules() const { return reporter_.Rules(); }
  std::uint64_t Place() const { return reporter_.violations.at(0).where.offset - 132; }

  int version_ = 2;
  Buffer bytes_;
  testing::RecordingReporter reporter_;
  std::optional<DataRecord> decoded_;
};

TEST_F(DataRecordTest, ACanonicalRecordIsDecodedWithoutAWord) {
  ASSERT_TRUE(Decode());
  EXPECT_THAT(Rules(), IsEmpty());
  EXPECT_EQ(decoded_->set_count, 3U);
  EXPECT_EQ(decoded_->sets_end, kFirstBlock);
  EXPECT_EQ(decoded_->time, (Timestamp{1700000000, 0}));
}

TEST_F(DataRecordTest, ValuesAreReadWhereTheyLie) {  // ARC-200, ARC-205, ARC-207, ARC-203
  ASSERT_TRUE(Decode());
  std::vector<ValueSet> sets;
  decoded_->ForEachSet([&](const ValueSet& set) { sets.push_back(set); });
  ASSERT_EQ(sets.size(), 3U);
  EXPECT_EQ(sets[0].pmid(), Pmid::Of(29, 0, 1));
  EXPECT_EQ(sets[0].Word(0), 7U);
  EXPECT_EQ(sets[0].Instance(0), kInstanceNull);
  EXPECT_EQ(AsText(sets[1].Block(0).payload), std::string_view("hello\0", 6));
  EXPECT_EQ(sets[1].Block(1).type, MetricType::kU64);
  EXPECT_EQ(sets[2].numval(), -12350);
  EXPECT_EQ(sets[2].size(), 8U);
}

TEST_F(DataRecordTest, Version3DiffersInTheTimeOnly) {  // ARC-150
  Encode(SampleResult(), 3);
  ASSERT_TRUE(Decode());
  EXPECT_EQ(decoded_->sets, 24U - 4U);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(DataRecordTest, AMarkHasNoSets) {  // ARC-151
  Encode({{1700000000, 0}, {}});
  ASSERT_TRUE(Decode());
  EXPECT_TRUE(decoded_->IsMark());
}

TEST_F(DataRecordTest, ALengthThatIsNoMultipleOfFourIsRefused) {
  Insert(96, "xx");
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1106"));
}

TEST_F(DataRecordTest, ARecordWithoutRoomForItsFixedFieldsIsRefused) {
  bytes_.assign(12, 0);
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1108"));
}

TEST_F(DataRecordTest, ANegativeNumberOfSetsIsRefused) {
  SetWord(kNumpmid, 0xffffffff);
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1701"));
  EXPECT_EQ(Place(), kNumpmid);
}

TEST_F(DataRecordTest, MoreSetsThanTheRecordHasRoomForAreRefused) {
  SetWord(kNumpmid, 1000);
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1702"));
}

TEST_F(DataRecordTest, OneSetMoreThanThereAreIsAWrongCount) {
  SetWord(kNumpmid, 4);
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1703"));
  EXPECT_EQ(reporter_.violations[0].details.expected, "3");
}

TEST_F(DataRecordTest, OneSetLessThanThereAreIsAWrongCount) {
  SetWord(kNumpmid, 2);
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1703"));
  EXPECT_EQ(reporter_.violations[0].details.expected, "3");
}

TEST_F(DataRecordTest, ValuesThatDoNotFitAreRefused) {
  SetWord(kSecondSet + 4, 50);
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1704"));
  EXPECT_EQ(Place(), kSecondSet + 4);
}

TEST_F(DataRecordTest, AnUnknownFormatIsRefused) {
  for (const std::uint32_t format : {3U, 0xffffffffU}) {
    SetWord(kSecondSet + 8, format);
    EXPECT_FALSE(Decode());
    EXPECT_THAT(Rules(), ElementsAre("ARC-1705"));
  }
}

TEST_F(DataRecordTest, AnIndexOutsideTheRecordOrInItsSetsIsRefused) {
  constexpr std::int32_t kTrailer = 96 / 4 + 2;
  for (const std::int32_t index : {500, kTrailer, -5, 4, 1, 0}) {
    SetWord(kSecondIndex, static_cast<std::uint32_t>(index));
    EXPECT_FALSE(Decode());
    EXPECT_THAT(Rules(), ElementsAre("ARC-1706")) << index;
    EXPECT_EQ(Place(), kSecondIndex);
  }
}

TEST_F(DataRecordTest, ABlockThatBeginsInsideAnotherOneIsRefused) {
  SetWord(kSecondIndex, kFirstBlock / 4 + 3);
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1707"));
}

TEST_F(DataRecordTest, BytesBehindTheLastBlockAreRefused) {
  Insert(96, "8 bytes.");
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1708"));
  EXPECT_EQ(Place(), 96U);
}

TEST_F(DataRecordTest, BytesBeforeTheFirstBlockAreRefused) {
  SetWord(kFirstIndex, LoadU32(bytes_.data() + kFirstIndex) + 2);
  SetWord(kSecondIndex, LoadU32(bytes_.data() + kSecondIndex) + 2);
  Insert(kFirstBlock, "\x7f\xff\xff\xff\x7f\xff\xff\xff");
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1708"));
  EXPECT_EQ(Place(), kFirstBlock);
}

TEST_F(DataRecordTest, ABlockLengthWithoutRoomForItsHeaderIsRefused) {
  SetWord(kSecondBlock, 0x03000003);
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1709"));
}

TEST_F(DataRecordTest, ABlockThatRunsPastTheRecordIsRefused) {
  SetWord(kSecondBlock, 0x03000320);
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1710"));
}

TEST_F(DataRecordTest, TwoValuesWithOneBlockAreRefused) {
  SetWord(kSecondIndex, kFirstBlock / 4 + 2);
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1711"));
}

TEST_F(DataRecordTest, AMarkWithAPayloadIsRefused) {
  Encode({{1700000000, 0}, {}});
  Insert(16, "more");
  EXPECT_FALSE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1712"));
}

TEST_F(DataRecordTest, BlocksInAnotherOrderAreReadAndNoted) {
  Buffer swapped = bytes_;
  std::copy(bytes_.begin() + kSecondBlock, bytes_.begin() + 96, swapped.begin() + kFirstBlock);
  std::copy(bytes_.begin() + kFirstBlock, bytes_.begin() + kSecondBlock,
            swapped.begin() + kFirstBlock + 12);
  bytes_ = swapped;
  SetWord(kFirstIndex, (kFirstBlock + 12) / 4 + 2);
  SetWord(kSecondIndex, kFirstBlock / 4 + 2);
  ASSERT_TRUE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1716"));
}

TEST_F(DataRecordTest, OtherPaddingIsReadAndNoted) {
  bytes_[kFirstBlock + 10] = 0xee;
  ASSERT_TRUE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1717"));
}

TEST_F(DataRecordTest, FormatTwoIsReadAndNoted) {
  SetWord(kSecondSet + 8, 2);
  ASSERT_TRUE(Decode());
  EXPECT_THAT(Rules(), ElementsAre("ARC-1725"));
}

TEST_F(DataRecordTest, ABlockWithoutPayloadIsRead) {  // ARC-230: len 4 is accepted
  ResultModel result = SampleResult();
  result.sets[1].values[0].value = Block(MetricType::kString, "");
  Encode(result);
  ASSERT_TRUE(Decode());
  EXPECT_THAT(Rules(), IsEmpty());
}

// Whatever single words are overwritten with, decoding stays inside the record, and what it accepts
// can be walked.
RC_GTEST_FIXTURE_PROP(DataRecordTest, DamageIsRefusedOrCanBeWalked, ()) {
  SetUp();
  const auto edits = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint32_t>>>(
      rc::gen::pair(rc::gen::inRange<std::uint8_t>(1, 24),
                    rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, 40),
                                   rc::gen::arbitrary<std::uint32_t>())));
  for (const auto& [word, value] : edits) SetWord(4 * std::size_t{word}, value);
  const std::vector<std::uint8_t> exact(bytes_.begin(),
                                        bytes_.end());  // so that sanitizers see its end
  testing::RecordingReporter reporter;
  const auto decoded = DecodeDataRecord({exact, 132, 1, 0}, 2, reporter);
  RC_ASSERT(decoded.has_value() || reporter.violations.size() == 1);
  if (!decoded) return;
  std::uint64_t sum = 0;
  decoded->ForEachSet([&](const ValueSet& set) {
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      if (set.format() == kInsitu) continue;
      for (const std::uint8_t byte : set.Block(i).payload) sum += byte;
    }
  });
  RC_ASSERT(sum < 255 * exact.size() * exact.size());
}

}  // namespace
}  // namespace pmproof::archive

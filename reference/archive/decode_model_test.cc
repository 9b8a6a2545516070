// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/decode_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <variant>

#include "generators/archive_image.h"
#include "reference/archive/archive_model.h"
#include "reference/archive/encode.h"
#include "reference/archive/testing/arbitrary_model.h"

namespace pmproof::archive {
namespace {

RecordView View(const Buffer& bytes, Part part) { return {Bytes(bytes), 132, 1, part}; }

Result<MetaRecordModel> DecodeMeta(const Buffer& bytes, int version, bool last = false) {
  return RecordDecoder(version, "base.meta").DecodeMeta(View(bytes, kMetaPart), last);
}

Result<ResultModel> DecodeResult(const Buffer& bytes, int version) {
  return RecordDecoder(version, "base.0").DecodeResult(View(bytes, 0));
}

Buffer Encoded(const MetaRecordModel& record, int version) {
  Buffer bytes;
  AppendMetaRecord(record, version, &bytes);
  return bytes;
}

Buffer Encoded(const ResultModel& result, int version) {
  Buffer bytes;
  AppendResult(result, version, &bytes);
  return bytes;
}

RC_GTEST_PROP(DecodeModelTest, AMetadataRecordComesBackAsItWasEncoded, ()) {
  const int version = testing::AnyVersion();
  const MetaRecordModel record = testing::AnyMetaRecord(version);
  const auto decoded = DecodeMeta(Encoded(record, version), version);
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(*decoded == record);
}

RC_GTEST_PROP(DecodeModelTest, ADataRecordComesBackAsItWasEncoded,
              ()) {  // ARC-015, ARC-208, ARC-232
  const int version = testing::AnyVersion();
  const ResultModel result = testing::AnyResult(version);
  const auto decoded = DecodeResult(Encoded(result, version), version);
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(*decoded == result);
}

RC_GTEST_PROP(DecodeModelTest, ALabelComesBackWithTheRemnantsInItsFields, ()) {  // ARC-102
  const LabelModel label = testing::AnyLabel(testing::AnyVersion());
  MemoryStorage storage;
  AppendLabel(label, &storage.files["a.0"]);
  const auto file = storage.Open("a.0");
  const auto source = MakeSource(**file, "a.0", Compression::kNone);
  const auto decoded = DecodeLabel(*source, 0, "a.0");
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(*decoded == label);
}

RC_GTEST_PROP(DecodeModelTest, AnIndexEntryComesBackAsItWasEncoded, ()) {
  const int version = testing::AnyVersion();
  const IndexEntryModel entry = testing::AnyIndexEntry(version);
  Buffer bytes;
  AppendIndexEntry(entry, version, &bytes);
  RC_ASSERT(DecodeIndexEntry(bytes, version) == entry);
}

// Whatever is done to the bytes of a record: it is refused, or comes out as it went in.
RC_GTEST_PROP(DecodeModelTest, ADamagedMetadataRecordIsRefusedOrReproduced, ()) {
  const int version = testing::AnyVersion();
  Buffer bytes = Encoded(testing::AnyMetaRecord(version), version);
  bytes[*rc::gen::inRange<std::size_t>(kLengthWord, bytes.size() - kLengthWord)] =
      *rc::gen::arbitrary<std::uint8_t>();
  const auto decoded = DecodeMeta(bytes, version);
  if (decoded) RC_ASSERT(Encoded(*decoded, version) == bytes);
  RC_TAG(decoded.has_value());
}

RC_GTEST_PROP(DecodeModelTest, ADamagedDataRecordIsRefusedOrReproduced, ()) {
  const int version = testing::AnyVersion();
  Buffer bytes = Encoded(testing::AnyResult(version), version);
  bytes[*rc::gen::inRange<std::size_t>(kLengthWord, bytes.size() - kLengthWord)] =
      *rc::gen::arbitrary<std::uint8_t>();
  const auto decoded = DecodeResult(bytes, version);
  if (decoded) RC_ASSERT(Encoded(*decoded, version) == bytes);
  RC_TAG(decoded.has_value());
}

TEST(DecodeModelTest, SharedInstanceNamesAreKeptAsTheyLie) {  // ARC-342
  // Two instances, both with the name at offset 0.
  const std::string payload =
      generators::BigEndian({2, 1, 0, Indom::Of(29, 1).value, 2, 0, 1, 0, 0}) +
      std::string("a\0", 2);
  const Buffer bytes = Encoded(RawRecordModel{payload}, 2);
  const auto decoded = DecodeMeta(bytes, 2);
  ASSERT_TRUE(decoded) << decoded.error().ToText();
  EXPECT_EQ(*decoded, MetaRecordModel(RawRecordModel{payload}));
}

TEST(DecodeModelTest, ATextWithoutItsNulIsKeptAsItLies) {  // ARC-434
  const std::string payload = generators::BigEndian({4, 5, 1}) + "abc";
  const auto decoded = DecodeMeta(Encoded(RawRecordModel{payload}, 3), 3);
  ASSERT_TRUE(decoded) << decoded.error().ToText();
  EXPECT_EQ(*decoded, MetaRecordModel(RawRecordModel{payload}));
}

TEST(DecodeModelTest, ARecordOfTheOtherVersionIsKeptAsItLies) {  // ARC-301
  const Buffer bytes = Encoded(IndomModel{{1, 0}, Indom::Of(29, 1), {{0, "a"}}, false}, 2);
  const auto decoded = DecodeMeta(bytes, 3);
  ASSERT_TRUE(decoded) << decoded.error().ToText();
  EXPECT_TRUE(std::holds_alternative<RawRecordModel>(*decoded));
  EXPECT_EQ(Encoded(*decoded, 3), bytes);
}

TEST(DecodeModelTest, AnUnknownTypeIsRefusedWithItsPlaceAndRule) {
  const auto decoded = DecodeMeta(Encoded(RawRecordModel{generators::BigEndian({9, 0})}, 2), 2);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().ToText(),
            "base.meta: offset 136: no metadata record has this type (type 9) [ARC-1301]");
}

TEST(DecodeModelTest, ABlockIndexOutsideTheRecordIsRefusedWithItsPlaceAndRule) {
  ResultModel result{
      {1, 0},
      {{Pmid::Of(29, 0, 1), 1, {{-1, BlockModel{6, std::string("hi\0", 3), std::nullopt}}}, 0}}};
  Buffer bytes = Encoded(result, 2);
  StoreU32(bytes.data() + 32, 99);
  const auto decoded = DecodeResult(bytes, 2);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().clause, "ARC-1706"_clause);
  EXPECT_EQ(decoded.error().offset, 132U + 32U);
}

TEST(DecodeModelTest, ATrailingLengthWordThatDiffersIsRefused) {  // ARC-083
  Buffer bytes = Encoded(ResultModel{{1, 0}, {}}, 2);
  bytes.back() ^= 1;
  const auto decoded = DecodeResult(bytes, 2);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().clause, "ARC-1104"_clause);
}

class WholeArchiveTest : public ::testing::TestWithParam<int> {};

TEST_P(WholeArchiveTest, DecodesToAModelThatEncodesToTheSameBytes) {  // ARC-600
  generators::ArchiveImage image = generators::Encode(generators::BaseArchive(GetParam()));
  image.SetByte("0", 60, 'r');                     // a remnant in the hostname
  image.Append("index", "tail");                   // part of an entry
  image.Append("meta", std::string("\0\0\1", 3));  // too few bytes for a length word
  MemoryStorage storage;
  image.Store("dir/base", &storage);
  IgnoringReporter ignore;
  const auto files = FindArchive(storage, "dir/base", ignore);
  ASSERT_TRUE(files);
  const auto model = DecodeArchive(storage, *files);
  ASSERT_TRUE(model) << model.error().ToText();
  EXPECT_EQ(model->volumes.at(0).records.size(), 6U);
  EXPECT_EQ(model->index->rest, "tail");
  for (const auto& [part, bytes] : EncodeArchive(*model))
    EXPECT_EQ(bytes, image.files.at(PartSuffix(part))) << part;
}

TEST_P(WholeArchiveTest, ATailOfZerosIsRefused) {  // ARC-085
  generators::ArchiveImage image = generators::Encode(generators::BaseArchive(GetParam()));
  image.Append("0", std::string(8, '\0'));
  MemoryStorage storage;
  image.Store("base", &storage);
  IgnoringReporter ignore;
  const auto model = DecodeArchive(storage, *FindArchive(storage, "base", ignore));
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().clause, "ARC-1107"_clause);
}

INSTANTIATE_TEST_SUITE_P(Versions, WholeArchiveTest, ::testing::Values(2, 3));

}  // namespace
}  // namespace pmproof::archive

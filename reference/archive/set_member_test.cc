// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/set_member.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "generators/archive_image.h"
#include "reference/archive/testing/compress.h"

namespace pmproof::archive {
namespace {

using generators::ArchiveImage;
using generators::ArchivePlan;
using generators::BaseArchive;

class SetMemberTest : public ::testing::TestWithParam<int> {
 protected:
  OpenedMember Open(const ArchiveImage& image) {
    storage_.files.clear();
    image.Store("d/a", &storage_);
    return OpenMember(storage_, FoundArchive(storage_, "d/a"));
  }
  OpenedMember Open() { return Open(image_); }

  // What opening the image gives; kOk if it can be opened.
  ErrorCode Answer() {
    const OpenedMember member = Open();
    return member.error ? member.error->code : ErrorCode::kOk;
  }

  std::size_t LabelSize() const { return LayoutOf(GetParam()).label; }

  MemoryStorage storage_;
  ArchiveImage image_ = Encode(BaseArchive(GetParam()));
};

TEST_P(SetMemberTest, TheBaseArchiveIsOpened) {
  const OpenedMember member = Open();
  EXPECT_FALSE(member.error);
  ASSERT_TRUE(member.label);
  EXPECT_EQ(member.label->host, "testhost");
  EXPECT_EQ(member.metadata.descs.size(), 10U);
}

TEST_P(SetMemberTest, CompressedMetadataAreOpened) {
  storage_.files.clear();
  image_.Store("d/a", &storage_);
  const auto plain = storage_.files.extract("d/a.meta");
  storage_.files["d/a.meta.xz"] = testing::Compress(plain.mapped(), Compression::kXz);
  const OpenedMember member = OpenMember(storage_, FoundArchive(storage_, "d/a"));
  EXPECT_FALSE(member.error);
  EXPECT_EQ(member.metadata.descs.size(), 10U);
}

TEST_P(SetMemberTest, NoSuchArchiveIsEnoent) {
  const OpenedMember member = OpenMember(storage_, FoundArchive(storage_, "d/none"));
  ASSERT_TRUE(member.error);
  EXPECT_EQ(member.error->code, ErrorCode::kNoEntry);
}

TEST_P(SetMemberTest, WithoutMetaItIsLogFile) {
  image_.files.erase("meta");
  EXPECT_EQ(Answer(), ErrorCode::kLogFile);
}

TEST_P(SetMemberTest, WithoutVolumeItIsLogFile) {
  image_.files.erase("0");
  EXPECT_EQ(Answer(), ErrorCode::kLogFile);
}

// Test idea 30.
TEST_P(SetMemberTest, WithoutIndexItIsOpened) {
  image_.files.erase("index");
  EXPECT_EQ(Answer(), ErrorCode::kOk);
}

// Test idea 30.
TEST_P(SetMemberTest, AnIndexOfNothingButItsLabelIsNoData) {
  image_.Truncate("index", LabelSize());
  EXPECT_EQ(Answer(), ErrorCode::kNoData);
}

TEST_P(SetMemberTest, AVolumeOfNothingButItsLabelIsNoData) {
  image_.Truncate("0", LabelSize());
  EXPECT_EQ(Answer(), ErrorCode::kNoData);
}

TEST_P(SetMemberTest, AnEmptyFileIsNoData) {
  image_.Truncate("meta", 0);
  EXPECT_EQ(Answer(), ErrorCode::kNoData);
}

TEST_P(SetMemberTest, AnotherMagicIsLabel) {
  image_.SetByte("meta", 4, 0x51);
  EXPECT_EQ(Answer(), ErrorCode::kLabel);
}

TEST_P(SetMemberTest, AnotherHostInMetaIsLabel) {
  image_.SetByte("meta", LayoutOf(GetParam()).host_field, 'X');
  EXPECT_EQ(Answer(), ErrorCode::kLabel);
}

TEST_P(SetMemberTest, AnotherTimezoneInMetaIsOpened) {
  image_.SetByte("meta", LayoutOf(GetParam()).timezone_field, 'X');
  EXPECT_EQ(Answer(), ErrorCode::kOk);
}

TEST_P(SetMemberTest, CutMetadataAreLogRecord) {
  image_.Truncate("meta", image_.files["meta"].size() - 10);
  const OpenedMember member = Open();
  ASSERT_TRUE(member.error);
  EXPECT_EQ(member.error->code, ErrorCode::kLogRecord);
  EXPECT_EQ(member.error->file, "a.meta");
  EXPECT_EQ(member.error->clause, "ARC-1102"_clause);
}

// Test idea 34.
TEST_P(SetMemberTest, StrayBytesBehindMetadataAreIgnored) {
  image_.Append("meta", std::string(2, '\0'));
  EXPECT_EQ(Answer(), ErrorCode::kOk);
}

TEST_P(SetMemberTest, AnUnknownRecordTypeIsRecordType) {
  image_.SetWord("meta", image_.Records("meta")[1] + 4, 8);
  EXPECT_EQ(Answer(), ErrorCode::kRecordType);
}

// Test idea 26.
TEST_P(SetMemberTest, ATextWithoutClassIsRecordType) {
  ArchivePlan plan = BaseArchive(GetParam());
  plan.meta.insert(plan.meta.begin() + 3, TextModel{4, Pmid::Of(29, 0, 1).value, "x"});
  image_ = Encode(plan);
  EXPECT_EQ(Answer(), ErrorCode::kRecordType);
}

// Test idea 26.
TEST_P(SetMemberTest, ATextWithoutClassAtTheEndIsOpened) {
  ArchivePlan plan = BaseArchive(GetParam());
  plan.meta.emplace_back(TextModel{4, Pmid::Of(29, 0, 1).value, "x"});
  image_ = Encode(plan);
  EXPECT_EQ(Answer(), ErrorCode::kOk);
}

TEST_P(SetMemberTest, ADescriptorThatContradictsAnEarlierOneIsLogChange) {
  ArchivePlan plan = BaseArchive(GetParam());
  DescModel again = std::get<DescModel>(plan.meta[0]);
  again.descriptor.type = MetricType::kU64;
  plan.meta.emplace_back(again);
  image_ = Encode(plan);
  EXPECT_EQ(Answer(), ErrorCode::kLogChangeType);
}

TEST_P(SetMemberTest, DamageInTheDataDoesNotKeepItFromBeingOpened) {
  image_.Truncate("0", image_.files["0"].size() - 10);
  EXPECT_EQ(Answer(), ErrorCode::kOk);
}

INSTANTIATE_TEST_SUITE_P(Versions, SetMemberTest, ::testing::Values(2, 3),
                         [](const auto& instance) { return "V" + std::to_string(instance.param); });

}  // namespace
}  // namespace pmproof::archive

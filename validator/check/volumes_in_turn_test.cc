// SPDX-License-Identifier: Apache-2.0
#include "validator/check/volumes_in_turn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "generators/archive_image.h"
#include "reference/archive/file_set.h"
#include "reference/archive/testing/compress.h"

namespace pmproof::validator {
namespace {

class VolumesInTurnTest : public ::testing::TestWithParam<int> {
 protected:
  VolumesInTurnTest() {
    generators::ArchivePlan plan = generators::BaseArchive(GetParam());
    for (const int volume : {1, 2, 3}) {
      plan.volumes[volume] = plan.volumes[0];
      if (volume == 2) plan.volumes[volume].resize(2);
    }
    image_ = generators::Encode(plan);
  }

  VolumesInTurn& Volumes(std::uint64_t least = 1) {
    image_.Store("base", &storage_);
    found_.emplace(storage_, "base");
    shortfall_.emplace(found_->files(), collector_);
    files_.emplace(storage_, found_->files(), options_, *shortfall_);
    ArchiveReport report;
    files_->Open(&report);
    files_->ReadLabels(collector_, &report);
    volumes_.emplace(*files_, found_->files(), least);
    return *volumes_;
  }

  std::uint64_t SizeOf(const std::string& file) const { return image_.files.at(file).size(); }
  std::uint64_t LabelSize() const { return GetParam() == 3 ? 808 : 132; }

  const Catalogue catalogue_ = Catalogue::Shipped();
  CheckOptions options_;
  generators::ArchiveImage image_;
  archive::MemoryStorage storage_;
  FindingCollector collector_{catalogue_, Profile::kArchival, {}, 10};
  std::optional<archive::FoundArchive> found_;
  std::optional<Shortfall> shortfall_;
  std::optional<CheckedFiles> files_;
  std::optional<VolumesInTurn> volumes_;
};
INSTANTIATE_TEST_SUITE_P(Versions, VolumesInTurnTest, ::testing::Values(2, 3));

TEST_P(VolumesInTurnTest, AVolumeIsOpenAfterItsLabel) {
  const DataWalk::Volume* volume = Volumes().Open(0);
  ASSERT_TRUE(volume);
  EXPECT_EQ(volume->part, 0);
  EXPECT_EQ(volume->version, GetParam());
  EXPECT_EQ(volume->source->position(), LabelSize());
  ASSERT_TRUE(volume->file);
  EXPECT_EQ(volume->file->bytes().size(), SizeOf("0"));
  EXPECT_EQ(volume->after, SizeOf("1"));
}

TEST_P(VolumesInTurnTest, TheNextOneStaysOpenUntilItsTurn) {
  VolumesInTurn& volumes = Volumes();
  ASSERT_TRUE(volumes.Open(0));
  const DataWalk::Volume* next = volumes.OpenNext();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->part, 1);
  EXPECT_EQ(next->source->position(), LabelSize());
  EXPECT_EQ(next->after, SizeOf("2"));
  storage_.files.clear();
  EXPECT_EQ(volumes.Open(1), next);
  EXPECT_EQ(next->file->bytes().size(), SizeOf("1"));
}

TEST_P(VolumesInTurnTest, AShortOneIsNotOpenedEarly) {
  VolumesInTurn& volumes = Volumes(SizeOf("2") + 1);
  const DataWalk::Volume* volume = volumes.Open(1);
  ASSERT_TRUE(volume);
  EXPECT_EQ(volume->after, 0U);
  EXPECT_FALSE(volumes.OpenNext());
  ASSERT_TRUE(volumes.Open(2));
  EXPECT_TRUE(volumes.OpenNext());
}

TEST_P(VolumesInTurnTest, OneThatIsLongEnoughIs) {
  VolumesInTurn& volumes = Volumes(SizeOf("2"));
  ASSERT_TRUE(volumes.Open(1));
  EXPECT_TRUE(volumes.OpenNext());
}

TEST_P(VolumesInTurnTest, AfterTheLastOneThereIsNone) {
  VolumesInTurn& volumes = Volumes();
  ASSERT_TRUE(volumes.Open(3));
  EXPECT_FALSE(volumes.OpenNext());
}

TEST_P(VolumesInTurnTest, ThatTheNextOneCannotBeOpenedIsSaidInItsTurn) {
  VolumesInTurn& volumes = Volumes();
  ASSERT_TRUE(volumes.Open(0));
  storage_.files.erase("base.1");
  EXPECT_FALSE(volumes.OpenNext());
  EXPECT_FALSE(shortfall_->failure());
  EXPECT_FALSE(volumes.Open(1));
  EXPECT_TRUE(shortfall_->failure());
  EXPECT_TRUE(volumes.Open(2));
}

TEST_P(VolumesInTurnTest, ACompressedOneIsOpenedInItsTurn) {
  image_.files["1.zst"] =
      archive::testing::Compress(image_.files.at("1"), archive::Compression::kZstd);
  image_.files.erase("1");
  VolumesInTurn& volumes = Volumes();
  ASSERT_TRUE(volumes.Open(0));
  EXPECT_FALSE(volumes.OpenNext());
  const DataWalk::Volume* compressed = volumes.Open(1);
  ASSERT_TRUE(compressed);
  EXPECT_FALSE(compressed->file);
  EXPECT_EQ(compressed->source->position(), LabelSize());
}

TEST_P(VolumesInTurnTest, OneWithoutALabelIsPassedOver) {
  image_.SetWord("1", 4, 99);
  VolumesInTurn& volumes = Volumes();
  ASSERT_TRUE(volumes.Open(0));
  EXPECT_FALSE(volumes.OpenNext());
  EXPECT_FALSE(volumes.Open(1));
  EXPECT_TRUE(volumes.Open(2));
}

}  // namespace
}  // namespace pmproof::validator

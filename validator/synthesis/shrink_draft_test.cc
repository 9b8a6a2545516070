// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/shrink_draft.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "generators/archive_image.h"
#include "generators/random.h"
#include "reference/archive/decode_model.h"
#include "reference/archive/testing/compress.h"

namespace pmproof::validator {
namespace {

using archive::Buffer;

class ShrinkDraftTest : public ::testing::TestWithParam<int> {
 protected:
  ShrinkDraftTest() : image(generators::Encode(generators::BaseArchive(GetParam()))) {}

  generators::ArchiveImage image;

  const Draft& Read() {
    storage_.files.clear();
    image.Store("in", &storage_);
    auto input = ShrinkInput::Read(storage_, {"in"}, 1 << 20);
    EXPECT_TRUE(input) << input.error().ToText();
    input_ = *std::move(input);
    return input_->draft();
  }

  static DraftFile& FileOf(Draft& draft, const std::string& suffix) {
    return *std::ranges::find(draft.files, suffix, &DraftFile::suffix);
  }

  // The files that come out, by suffix.
  static std::map<std::string, Buffer> Files(const Draft& draft) {
    auto named = Render(draft, "out");
    EXPECT_TRUE(named);
    std::map<std::string, Buffer> files;
    for (auto& [name, content] : named->files) files[name.substr(4)] = std::move(content);
    return files;
  }

  std::vector<archive::IndexEntryModel> Entries(const Draft& draft) {
    const Buffer index = Files(draft).at("index");
    const archive::Layout& layout = archive::LayoutOf(GetParam());
    std::vector<archive::IndexEntryModel> entries;
    for (std::size_t at = layout.label; at < index.size(); at += layout.index_entry)
      entries.push_back(
          archive::DecodeIndexEntry(Bytes(index).subspan(at, layout.index_entry), GetParam()));
    return entries;
  }

 private:
  archive::MemoryStorage storage_;
  std::unique_ptr<ShrinkInput> input_;
};
INSTANTIATE_TEST_SUITE_P(Versions, ShrinkDraftTest, ::testing::Values(2, 3));

TEST_P(ShrinkDraftTest, WhatIsNotShrunkComesBackByteForByteWhateverTheDamage) {
  const generators::ArchiveImage sound = image;
  generators::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    image = sound;
    for (auto& [suffix, content] : image.files) {
      if (random.Chance(1, 2)) content.resize(random.Below(content.size() + 1));
      for (std::uint64_t flips = random.Below(4); flips > 0 && !content.empty(); --flips)
        content[random.Below(content.size())] = static_cast<std::uint8_t>(random.Next());
    }
    ASSERT_EQ(Files(Read()), image.files) << i;
  }
}

TEST_P(ShrinkDraftTest, RecordsThatNobodyFramesRightAreOneChunkUpToTheNextThatIsSound) {
  const std::vector<std::size_t> records = image.Records("0");
  image.SetWord("0", records[2], 0xffffffff);
  Draft draft = Read();
  const auto& chunks = FileOf(draft, "0").chunks;
  ASSERT_EQ(chunks.size(), records.size());
  EXPECT_EQ(chunks[2]->kind, Chunk::Kind::kBytes);
  EXPECT_EQ(chunks[3]->kind, Chunk::Kind::kRecord);
  EXPECT_EQ(chunks[3]->begin, records[3]);
}

TEST_P(ShrinkDraftTest, TheEntryOfARecordThatIsLeftOutGoesAndTheOthersFollow) {
  Draft draft = Read();
  const auto before = Entries(draft);
  const std::vector<std::size_t> records = image.Records("0");
  ASSERT_EQ(before[1].data_offset, records[4]);
  auto& chunks = FileOf(draft, "0").chunks;
  chunks.erase(chunks.begin() + 4);
  auto after = Entries(draft);
  ASSERT_EQ(after.size(), before.size() - 1);
  EXPECT_EQ(after[0], before[0]);
  EXPECT_EQ(after[1].data_offset, before[2].data_offset - (records[5] - records[4]));

  draft = Read();
  FileOf(draft, "0").chunks.erase(FileOf(draft, "0").chunks.begin() + 2);
  after = Entries(draft);
  EXPECT_EQ(after[1].data_offset, before[1].data_offset - (records[3] - records[2]));
}

TEST_P(ShrinkDraftTest, AnEntryThatPointsWrongKeepsItsDistance) {
  const archive::Layout& layout = archive::LayoutOf(GetParam());
  const std::vector<std::size_t> records = image.Records("0");
  const std::size_t low_word = layout.label + layout.index_entry - 4;
  image.SetWord("index", low_word, static_cast<std::uint32_t>(records[3] + 5));
  image.SetWord("index", low_word + layout.index_entry,
                static_cast<std::uint32_t>(image.files.at("0").size() + 100));
  Draft draft = Read();
  auto& chunks = FileOf(draft, "0").chunks;
  chunks.erase(chunks.begin() + 1);
  const std::size_t gone = records[2] - records[1];
  const auto after = Entries(draft);
  EXPECT_EQ(after[0].data_offset, records[3] + 5 - gone);
  EXPECT_EQ(after[1].data_offset, image.files.at("0").size() + 100 - gone);
}

TEST_P(ShrinkDraftTest, MetadataThatAnEntryBeginsWithMayGo) {
  Draft draft = Read();
  const auto before = Entries(draft);
  auto& chunks = FileOf(draft, "meta").chunks;
  const auto pointed = std::ranges::find(chunks, before[1].meta_offset, &Chunk::begin);
  ASSERT_NE(pointed, chunks.end());
  chunks.erase(pointed);
  const auto after = Entries(draft);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(after[1].meta_offset, before[1].meta_offset);
}

TEST_P(ShrinkDraftTest, TheEntriesOfAVolumeThatIsLeftOutGo) {
  Draft draft = Read();
  FileOf(draft, "0").present = false;
  EXPECT_TRUE(Entries(draft).empty());
  EXPECT_FALSE(Files(draft).contains("0"));
}

TEST_P(ShrinkDraftTest, ACompressedFileCanBePlainCompressedAnewOrAsItIsStored) {
  const Buffer plain = image.files.at("0");
  image.files["0.xz"] = archive::testing::Compress(plain, archive::Compression::kXz, 9);
  image.files.erase("0");
  Draft draft = Read();
  EXPECT_EQ(Files(draft).at("0.xz"), image.files.at("0.xz"));
  FileOf(draft, "0.xz").form = Form::kPlain;
  EXPECT_EQ(Files(draft).at("0.xz"), plain);
  FileOf(draft, "0.xz").form = Form::kCompressed;
  EXPECT_EQ(Files(draft).at("0.xz").front(), 0xfd);
  EXPECT_EQ(draft.bytes(),
            plain.size() + image.files.at("meta").size() + image.files.at("index").size());
}

TEST_P(ShrinkDraftTest, AnArchiveBeyondTheLimitIsABudgetExceeded) {
  archive::MemoryStorage storage;
  image.files["0.xz"] = archive::testing::Compress(Buffer(10'000'000), archive::Compression::kXz);
  image.files.erase("0");
  image.Store("in", &storage);
  const auto input = ShrinkInput::Read(storage, {"in"}, 1'000'000);
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().kind, Status::Kind::kBudget);
  EXPECT_EQ(input.error().file, "in.0.xz");
}

}  // namespace
}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
// Digest and verdict are about the same content, whatever others do to the files meanwhile.

#include "validator/custody/examine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/testing/compress.h"

namespace pmproof::validator {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

using Data = std::vector<std::uint8_t>;

class Copied final : public archive::StoredFile {
 public:
  explicit Copied(Data content) : content_(std::move(content)) {}
  Bytes bytes() const override { return content_; }

 private:
  Data content_;
};

// Files in memory. One of them gets another content when it is opened for the n-th time.
class ChangingStorage final : public archive::Storage {
 public:
  archive::MemoryStorage memory;
  std::string victim;
  std::map<int, Data> changes;

  Result<std::vector<archive::DirectoryEntry>> List(const std::string& path) const override {
    return memory.List(path);
  }
  Result<archive::DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    return memory.KindOf(path);
  }
  Result<std::unique_ptr<archive::StoredFile>> Open(const std::string& path) const override {
    if (path == victim) {
      const auto change = changes.find(++opened_);
      if (change != changes.end()) {
        current_ = change->second;
        ++written_;
      }
      if (current_) return std::make_unique<Copied>(*current_);
    }
    const auto file = memory.Open(path);
    if (!file) return tl::unexpected(file.error());
    const Bytes bytes = (*file)->bytes();
    return std::make_unique<Copied>(Data(bytes.begin(), bytes.end()));
  }

  int opened() const { return opened_; }
  std::string Stamp() const { return std::to_string(written_); }

 private:
  mutable int opened_ = 0;
  mutable int written_ = 0;
  mutable std::optional<Data> current_;
};

class ExamineTest : public ::testing::Test {
 protected:
  ExamineTest() : catalogue_(Catalogue::Shipped()) {
    generators::Encode(generators::BaseArchive(3)).Store("root/d/a", &storage_.memory);
    storage_.victim = "root/d/a.0";
    options_.now = {generators::kBaseTime + 100'000, 0};
  }

  ExaminedArchive Run(const std::string& name = "d/a") const {
    const Tree tree(storage_, "root", [this](const std::string&) { return storage_.Stamp(); });
    archive::Listings listings;
    if (auto entries = tree.List(DirectoryOf(name))) listings[DirectoryOf(name)] = *entries;
    return Examine(tree, name, listings, catalogue_, options_,
                   [](const std::vector<CertifiedFile>&) { return true; });
  }

  const Data& volume() { return storage_.memory.files["root/d/a.0"]; }
  Data Damaged() {
    Data damaged = volume();
    damaged[LoadU32(damaged.data()) - 1] ^= 1;  // ARC-1202
    return damaged;
  }

  ChangingStorage storage_;
  Catalogue catalogue_;
  CheckOptions options_;
};

TEST_F(ExamineTest, GivesDigestsAndVerdict) {
  const ExaminedArchive examined = Run();
  ASSERT_THAT(examined.files, SizeIs(3));
  EXPECT_EQ(examined.files[0].name, "a.0");
  EXPECT_EQ(examined.files[0].stored.sha256, Sha256Of(volume()));
  EXPECT_EQ(examined.files[0].content, examined.files[0].stored);
  EXPECT_EQ(VerdictOf(*examined.report), Verdict::kConformant);
  EXPECT_EQ(examined.report->archive, "d/a");
}

// Each time that the volume is opened between its first hash and its last one.
TEST_F(ExamineTest, AFileThatIsChangedMeanwhileIsNotCertified) {
  Run();
  const int opened = storage_.opened();
  ASSERT_GT(opened, 4);
  int changed = 0;
  for (int at = 1; at <= opened; ++at) {
    storage_ = {};
    generators::Encode(generators::BaseArchive(3)).Store("root/d/a", &storage_.memory);
    storage_.victim = "root/d/a.0";
    storage_.changes[at] = Damaged();
    const ExaminedArchive examined = Run();
    ASSERT_TRUE(examined.report);
    if (VerdictOf(*examined.report) == Verdict::kNone) {
      ++changed;
      EXPECT_EQ(examined.report->failure->file, "d/a.0");
      EXPECT_THAT(examined.files, IsEmpty());
    } else {
      // It was changed before anybody had looked at it.
      EXPECT_EQ(examined.files[0].stored.sha256, Sha256Of(Damaged())) << at;
      EXPECT_EQ(VerdictOf(*examined.report), Verdict::kNotReadable) << at;
    }
  }
  EXPECT_GE(changed, opened - 2);
}

TEST_F(ExamineTest, AChangeThatIsTakenBackIsSeenByTheTimeOfTheFile) {
  const Data sound = volume();
  storage_.changes = {{4, Damaged()}, {5, sound}};
  const ExaminedArchive examined = Run();
  ASSERT_TRUE(examined.report->failure);
  EXPECT_EQ(examined.report->failure->file, "d/a.0");
}

TEST_F(ExamineTest, CompressedContentHasItsOwnDigest) {
  const Data plain = volume();
  auto& files = storage_.memory.files;
  files["root/d/a.0.xz"] = archive::testing::Compress(plain, archive::Compression::kXz);
  files.erase("root/d/a.0");
  const ExaminedArchive examined = Run();
  EXPECT_EQ(examined.files[0].name, "a.0.xz");
  EXPECT_EQ(examined.files[0].stored.sha256, Sha256Of(files["root/d/a.0.xz"]));
  EXPECT_EQ(examined.files[0].content->sha256, Sha256Of(plain));
  EXPECT_EQ(examined.files[0].content->size, plain.size());
}

TEST_F(ExamineTest, WhatDoesNotDecompressHasNoContent) {
  auto& files = storage_.memory.files;
  files["root/d/a.0.xz"] = archive::testing::Compress(volume(), archive::Compression::kXz);
  files["root/d/a.0.xz"].resize(100);
  files.erase("root/d/a.0");
  const ExaminedArchive examined = Run();
  EXPECT_EQ(examined.files[0].content, std::nullopt);
  EXPECT_EQ(VerdictOf(*examined.report), Verdict::kNotReadable);
}

TEST_F(ExamineTest, AnArchiveWithTheNameOfAFileOfAnotherIsItself) {  // ARC-038
  generators::Encode(generators::BaseArchive(3)).Store("root/d/a.0", &storage_.memory);
  const ExaminedArchive other = Run("d/a.0");
  ASSERT_THAT(other.files, SizeIs(3));
  EXPECT_EQ(other.files[0].name, "a.0.0");
  EXPECT_THAT(Run().files, SizeIs(3));
}

TEST_F(ExamineTest, WhatIsNotThereHasNeitherFilesNorReport) {
  for (const char* name : {"d/b", "e/a"}) {
    EXPECT_THAT(Run(name).files, IsEmpty());
    EXPECT_FALSE(Run(name).report);
  }
}

}  // namespace
}  // namespace pmproof::validator

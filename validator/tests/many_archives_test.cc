// SPDX-License-Identifier: Apache-2.0
// Thousands of archives in one directory, and of volumes in one archive, take time in proportion to
// their number, and no memory for each.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "generators/archive_image.h"
#include "reference/archive/storage.h"
#include "validator/check/check.h"

namespace pmproof::validator {
namespace {

// Counts how often a directory is listed.
class CountingStorage final : public archive::Storage {
 public:
  archive::MemoryStorage memory{};
  mutable int lists = 0;

  Result<std::vector<archive::DirectoryEntry>> List(const std::string& path) const override {
    ++lists;
    return memory.List(path);
  }
  Result<archive::DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    return memory.KindOf(path);
  }
  Result<std::unique_ptr<archive::StoredFile>> Open(const std::string& path) const override {
    return memory.Open(path);
  }
};

// Counts how many files are open at a time.
class OpenFilesStorage final : public archive::Storage {
 public:
  archive::MemoryStorage memory{};
  mutable std::atomic<int> open = 0;
  mutable std::atomic<int> most = 0;

  Result<std::vector<archive::DirectoryEntry>> List(const std::string& path) const override {
    return memory.List(path);
  }
  Result<archive::DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    return memory.KindOf(path);
  }
  Result<std::unique_ptr<archive::StoredFile>> Open(const std::string& path) const override {
    auto file = memory.Open(path);
    if (!file) return file;
    return std::make_unique<File>(*std::move(file), *this);
  }

 private:
  class File final : public archive::StoredFile {
   public:
    File(std::unique_ptr<archive::StoredFile> file, const OpenFilesStorage& storage)
        : file_(std::move(file)), storage_(storage) {
      storage_.most = std::max<int>(storage_.most, ++storage_.open);
    }
    ~File() override { --storage_.open; }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    Bytes bytes() const override { return file_->bytes(); }

   private:
    std::unique_ptr<archive::StoredFile> file_;
    const OpenFilesStorage& storage_;
  };
};

class ManyVolumesTest : public ::testing::TestWithParam<unsigned> {};

TEST_P(ManyVolumesTest, AFewAreOpenAtATime) {
  constexpr int kVolumes = 100;
  OpenFilesStorage storage;
  generators::ArchivePlan plan = generators::BaseArchive(2);
  const auto records = plan.volumes.at(0);
  for (int part = 1; part < kVolumes; ++part) plan.volumes[part] = records;
  generators::ArchiveImage image = Encode(plan);
  image.files.at("50").back() ^= 1;  // damage: they are read a second time
  image.Store("a", &storage.memory);
  const Catalogue catalogue = Catalogue::Shipped();
  CheckOptions options;
  options.jobs = GetParam();
  const ArchiveReport report = CheckArchive(storage, "a", catalogue, options);
  EXPECT_EQ(report.summary.volumes, static_cast<std::uint64_t>(kVolumes));
  EXPECT_FALSE(report.readable);
  EXPECT_TRUE(report.survival);
  // .meta and .index, one volume, and those that wait for a thread.
  EXPECT_LE(storage.most, 3 + 2 * static_cast<int>(GetParam()) + 2);
  EXPECT_EQ(storage.open, 0);
}

INSTANTIATE_TEST_SUITE_P(Threads, ManyVolumesTest, ::testing::Values(1U, 4U));

TEST(ManyArchivesTest, TheirDirectoryIsListedOnce) {
  CountingStorage storage;
  for (int i = 0; i < 50; ++i) {
    for (const char* const suffix : {".meta", ".index", ".0"}) {
      storage.memory.files["all/" + std::to_string(i) + suffix] = {};
    }
  }
  const Catalogue catalogue = Catalogue::Shipped();
  const Report report = CheckAll(storage, {"all"}, catalogue, {}, nullptr);
  EXPECT_EQ(report.archives.size(), 50U);
  EXPECT_EQ(storage.lists, 1);
}

}  // namespace
}  // namespace pmproof::validator

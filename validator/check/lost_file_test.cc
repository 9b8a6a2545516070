// SPDX-License-Identifier: Apache-2.0
// Archives whose files are cut short while they are checked: no verdict on them, and the others get
// theirs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/guarded_mapping.h"
#include "validator/check/check.h"

namespace pmproof::validator {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// The operating system's files. One of them is cut each time it has been opened, and whole again
// when it is opened the next time.
class CuttingStorage final : public archive::Storage {
 public:
  CuttingStorage(std::string victim, std::string content, std::size_t size)
      : victim_(std::move(victim)), content_(std::move(content)), size_(size) {}

  Result<std::vector<archive::DirectoryEntry>> List(const std::string& path) const override {
    return files_->List(path);
  }
  Result<archive::DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    return files_->KindOf(path);
  }
  Result<std::unique_ptr<archive::StoredFile>> Open(const std::string& path) const override {
    if (path != victim_) return files_->Open(path);
    std::ofstream(path, std::ios::binary | std::ios::in) << content_;
    auto file = files_->Open(path);
    std::filesystem::resize_file(path, size_);
    return file;
  }

 private:
  std::unique_ptr<archive::Storage> files_ = archive::MakePosixStorage({.copy_up_to = 0});
  std::string victim_;
  std::string content_;
  std::size_t size_;
};

struct Cut {
  std::string file;
  std::size_t size;
  unsigned jobs;
};

class LostFileTest : public ::testing::TestWithParam<Cut> {
 public:
  ~LostFileTest() override { std::filesystem::remove_all(root_); }

 protected:
  LostFileTest() : catalogue_(Catalogue::Shipped()) {
    archive::HandleLostPages();
    root_ = ::testing::TempDir() + "/lost_file";
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
    generators::ArchivePlan plan = generators::BaseArchive(3);
    auto& results = plan.volumes.begin()->second;
    for (int i = 0; i < 2000; ++i) {
      results.push_back(results.back());
      ++results.back().time.seconds;
    }
    for (int i = 0; i < 500; ++i) plan.index.push_back(plan.index.back());
    plan.label.timezone = "UTC";
    for (const char* base : {"a", "b", "c", "d"}) {
      for (const auto& [suffix, bytes] : generators::Encode(plan).files) {
        std::ofstream(root_ + "/" + base + "." + suffix, std::ios::binary) << AsText(bytes);
      }
    }
    options_.now = {generators::kBaseTime + 100'000, 0};
    options_.jobs = GetParam().jobs;
    options_.stretch = 10'000;
    options_.max_findings = 2;
  }

  std::string victim() const { return root_ + "/b." + GetParam().file; }
  CuttingStorage Storage() const {
    std::ifstream in(victim(), std::ios::binary);
    return {victim(), std::string(std::istreambuf_iterator<char>(in), {}), GetParam().size};
  }

  Catalogue catalogue_;
  CheckOptions options_;
  std::string root_;
};

TEST_P(LostFileTest, ThereIsNoVerdictOnTheArchive) {
  const ArchiveReport report = CheckArchive(Storage(), root_ + "/b", catalogue_, options_);
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->kind, Status::Kind::kUnreadable);
  EXPECT_EQ(report.failure->file, victim());
  EXPECT_EQ(report.failure->offset, GetParam().size);
  EXPECT_FALSE(report.readable);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.not_checked, SizeIs(1));
}

TEST_P(LostFileTest, TheOtherArchivesGetTheirs) {
  const Report whole =
      CheckAll(*archive::MakePosixStorage(), {root_}, catalogue_, options_, nullptr);
  options_.sets = true;
  const Report report = CheckAll(Storage(), {root_}, catalogue_, options_, nullptr);
  ASSERT_THAT(report.archives, SizeIs(5));
  for (const std::size_t i : {0U, 2U, 3U}) {
    EXPECT_FALSE(report.archives[i].failure);
    EXPECT_EQ(report.archives[i].summary.records, 2006U);
    EXPECT_EQ(report.archives[i].findings.size(), whole.archives[i].findings.size());
  }
  EXPECT_EQ(report.archives[1].archive, root_ + "/b");
  EXPECT_TRUE(report.archives[1].failure);
  EXPECT_TRUE(report.archives[4].failure) << "the set";
  EXPECT_EQ(ExitStatusOf(report, Severity::kFatal), ExitStatus::kUnreadable);
}

INSTANTIATE_TEST_SUITE_P(Files, LostFileTest,
                         ::testing::Values(Cut{"0", 4096, 1}, Cut{"0", 4096, 4},
                                           Cut{"0", 50'000, 4}, Cut{"0", 0, 1}, Cut{"meta", 900, 4},
                                           Cut{"index", 8192, 4}, Cut{"index", 9000, 1}));

}  // namespace
}  // namespace pmproof::validator

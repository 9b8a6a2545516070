// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "validator/tests/checked_archive.h"

namespace pmproof::validator {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A file whose first bytes can be read; reading what follows them ends the test.
class GuardedFile final : public archive::StoredFile {
 public:
  GuardedFile(Bytes content, std::size_t readable) : size_(content.size()) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t before = (readable + page - 1) / page * page;
    mapped_ = before + (size_ + page - 1) / page * page;
    memory_ = static_cast<std::uint8_t*>(
        mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    begin_ = memory_ + before - readable;
    std::copy(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(readable), begin_);
    EXPECT_EQ(mprotect(memory_ + before, mapped_ - before, PROT_NONE), 0);
  }
  GuardedFile(const GuardedFile&) = delete;
  GuardedFile& operator=(const GuardedFile&) = delete;
  ~GuardedFile() override { munmap(memory_, mapped_); }

  Bytes bytes() const override { return {begin_, size_}; }

 private:
  std::size_t size_;
  std::size_t mapped_ = 0;
  std::uint8_t* memory_ = nullptr;
  std::uint8_t* begin_ = nullptr;
};

// Guards the volumes of another storage.
class GuardedVolumes final : public archive::Storage {
 public:
  GuardedVolumes(const archive::MemoryStorage& storage, std::size_t readable)
      : storage_(storage), readable_(readable) {}

  Result<std::vector<archive::DirectoryEntry>> List(const std::string& path) const override {
    return storage_.List(path);
  }
  Result<archive::DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    return storage_.KindOf(path);
  }
  Result<std::unique_ptr<archive::StoredFile>> Open(const std::string& path) const override {
    auto file = storage_.Open(path);
    if (!file || path.ends_with(".meta") || path.ends_with(".index")) return file;
    return std::make_unique<GuardedFile>((*file)->bytes(), readable_);
  }

 private:
  const archive::MemoryStorage& storage_;
  std::size_t readable_;
};

class UnreadVolumes : public testing::CheckedArchive {
 protected:
  // `readable` bytes of each volume.
  ArchiveReport CheckOnly(std::vector<RulePart> only, std::size_t readable) {
    for (const auto& [suffix, content] : image().files) storage.files["base." + suffix] = content;
    options.rules.only = std::move(only);
    return CheckArchive(GuardedVolumes(storage, readable), "base", catalogue(), options);
  }
};

TEST_P(UnreadVolumes, WithoutDataNothingAfterTheLabelOfAVolumeIsRead) {
  const ArchiveReport report =
      CheckOnly({RulePart::kLabel, RulePart::kIndex, RulePart::kMetadata}, LabelSize());
  EXPECT_EQ(report.failure, std::nullopt);
  EXPECT_TRUE(report.conformant);
  EXPECT_EQ(report.summary.records, 0U);
  EXPECT_GT(report.summary.metrics, 0U);
  EXPECT_THAT(report.not_checked, Contains(Field(&NotChecked::what, HasSubstr("data volumes"))));
}

TEST_P(UnreadVolumes, WithoutDataAndLabelsNothingOfAVolumeIsRead) {
  const ArchiveReport report = CheckOnly({RulePart::kIndex, RulePart::kMetadata}, 0);
  EXPECT_EQ(report.failure, std::nullopt);
  EXPECT_TRUE(report.conformant);
  EXPECT_GT(report.summary.metrics, 0U);
}

TEST_P(UnreadVolumes, TheIndexAndTheMetadataAreCheckedAllTheSame) {
  std::swap(plan.index.at(0), plan.index.at(1));
  const ArchiveReport report = CheckOnly({RulePart::kIndex}, 0);
  EXPECT_THAT(report.findings, Not(IsEmpty()));
}

using UnreadVolumesDeathTest = UnreadVolumes;

TEST_P(UnreadVolumesDeathTest, TheGuardIsMetWhereDataIsChecked) {
  EXPECT_DEATH(CheckOnly({RulePart::kData}, LabelSize()), "");
}

INSTANTIATE_TEST_SUITE_P(Versions, UnreadVolumes, ::testing::Values(2, 3));
INSTANTIATE_TEST_SUITE_P(Versions, UnreadVolumesDeathTest, ::testing::Values(2, 3));

}  // namespace
}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
// Files that somebody else cuts short while they are read.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>
#include <vector>

#include "reference/archive/guarded_mapping.h"
#include "reference/archive/loss_watch.h"
#include "reference/archive/storage.h"

namespace pmproof::archive {
namespace {

using ::testing::HasSubstr;
using ::testing::KilledBySignal;

const std::size_t kPage = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

std::uint64_t Sum(Bytes bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

class LostFileTest : public ::testing::Test {
 public:
  ~LostFileTest() override {
    std::signal(SIGBUS, SIG_DFL);
    std::filesystem::remove_all(root_);
  }

 protected:
  LostFileTest() {
    HandleLostPages();
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = ::testing::TempDir() + "/" + test->name();
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }

  std::string Path(const std::string& name) const { return root_ + "/" + name; }
  std::unique_ptr<StoredFile> Open(const Storage& storage, const std::string& name) const {
    std::ofstream(Path(name), std::ios::binary) << std::string(64 * kPage, '\1');
    return std::move(*storage.Open(Path(name)));
  }
  void Cut(const std::string& name, std::size_t size) const {
    std::filesystem::resize_file(Path(name), size);
  }

  std::unique_ptr<Storage> storage_ = MakePosixStorage({.copy_up_to = 0});
  std::string root_;
};

TEST_F(LostFileTest, WhatIsCutOffTurnsToZeros) {
  const auto file = Open(*storage_, "a");
  const auto other = Open(*storage_, "b");
  Cut("a", 5 * kPage + 100);
  EXPECT_EQ(Sum(file->bytes()), 5 * kPage + 100);
  ASSERT_TRUE(file->lost());
  EXPECT_EQ(file->lost()->kind, Status::Kind::kUnreadable);
  EXPECT_EQ(file->lost()->file, Path("a"));
  EXPECT_EQ(file->lost()->offset, 5 * kPage + 100);
  EXPECT_THAT(file->lost()->message, HasSubstr("was cut short here"));
  EXPECT_EQ(Sum(other->bytes()), 64 * kPage);
  EXPECT_FALSE(other->lost());
}

TEST_F(LostFileTest, BytesReadFromTheBackAreLostTillTheCut) {
  const auto file = Open(*storage_, "a");
  Cut("a", 5 * kPage);
  std::uint64_t sum = 0;
  for (std::size_t i = file->bytes().size(); i-- > 0;) sum += file->bytes()[i];
  EXPECT_EQ(sum, 5 * kPage);
  EXPECT_EQ(file->lost()->offset, 5 * kPage);
}

TEST_F(LostFileTest, ACutThatRaisesNoSignalIsSeenToo) {
  const auto file = Open(*storage_, "a");
  Cut("a", 64 * kPage - 10);
  EXPECT_EQ(Sum(file->bytes()), 64 * kPage - 10);
  EXPECT_EQ(file->lost()->offset, 64 * kPage - 10);
}

TEST_F(LostFileTest, WhatIsCopiedIsWhatTheMappingShows) {
  std::string content;
  for (std::size_t i = 0; content.size() < 64 * kPage; ++i) content += std::to_string(i);
  std::ofstream(Path("a"), std::ios::binary) << content;
  const auto file = std::move(*storage_->Open(Path("a")));
  std::vector<std::uint8_t> copy(3 * kPage + 5);
  const auto is_shown = [&](std::size_t offset) {
    file->Read(offset, copy);
    return std::ranges::equal(copy, file->bytes().subspan(offset, copy.size()));
  };
  EXPECT_TRUE(is_shown(0));
  EXPECT_TRUE(is_shown(kPage - 3));
  EXPECT_TRUE(is_shown(file->bytes().size() - copy.size()));
  EXPECT_FALSE(file->lost());
  std::filesystem::rename(Path("a"), Path("b"));
  std::ofstream(Path("a"), std::ios::binary) << std::string(content.size(), '\2');
  EXPECT_TRUE(is_shown(20 * kPage));
}

TEST_F(LostFileTest, OfAnotherFileWithItsNameNothingIsCopied) {
  const auto file = Open(*storage_, "a");
  std::filesystem::remove(Path("a"));
  std::ofstream(Path("a"), std::ios::binary) << std::string(64 * kPage, '\2');
  std::vector<std::uint8_t> copy(2 * kPage, 7);
  file->Read(kPage, copy);
  EXPECT_EQ(Sum(copy), copy.size());
  EXPECT_FALSE(file->lost());
}

TEST_F(LostFileTest, WhatIsInMemoryIsReadWithoutWaiting) {
  std::string content;
  for (std::size_t i = 0; content.size() < 64 * kPage; ++i) content += std::to_string(i);
  std::ofstream(Path("a"), std::ios::binary) << content;
  const auto file = std::move(*storage_->Open(Path("a")));
  std::vector<std::uint8_t> copy(3 * kPage + 5);
  for (const std::size_t offset : {std::size_t{0}, kPage - 3, content.size() - copy.size()}) {
    ASSERT_TRUE(file->TryRead(offset, copy));
    EXPECT_TRUE(std::ranges::equal(copy, file->bytes().subspan(offset, copy.size())));
  }
}

TEST_F(LostFileTest, WhatIsCutOffOrOfAnotherFileIsNotReadWithoutWaiting) {
  const auto cut = Open(*storage_, "a");
  const auto other = Open(*storage_, "b");
  Cut("a", 5 * kPage + 100);
  std::filesystem::remove(Path("b"));
  std::ofstream(Path("b"), std::ios::binary) << std::string(64 * kPage, '\2');
  std::vector<std::uint8_t> copy(2 * kPage);
  EXPECT_TRUE(cut->TryRead(3 * kPage + 100, copy));
  EXPECT_FALSE(cut->TryRead(4 * kPage, copy));
  EXPECT_FALSE(cut->TryRead(10 * kPage, copy));
  EXPECT_FALSE(other->TryRead(0, copy));
}

TEST_F(LostFileTest, WhatIsMappedAlreadyIsNotDear) {
  constexpr std::size_t kSize = std::size_t{3} << 20;
  std::ofstream(Path("a"), std::ios::binary) << std::string(kSize, '\1');
  const auto file = std::move(*storage_->Open(Path("a")));
  EXPECT_EQ(Sum(file->bytes()), kSize);
  for (std::size_t offset = 0; offset < kSize; offset += kPage) {
    EXPECT_FALSE(file->IsDearToMap(offset)) << offset;
  }
}

TEST_F(LostFileTest, WhatIsCutOffIsCopiedAsZeros) {
  const auto file = Open(*storage_, "a");
  Cut("a", 5 * kPage + 100);
  std::vector<std::uint8_t> copy(4 * kPage, 7);
  file->Read(3 * kPage, copy);
  EXPECT_EQ(Sum(copy), 2 * kPage + 100);
  Cut("a", 64 * kPage);  // it is as long as before, and holds zeros there
  ASSERT_TRUE(file->lost());
  EXPECT_EQ(file->lost()->offset, 5 * kPage + 100);
}

TEST_F(LostFileTest, AFileThatGrowsOrIsRemovedIsNotLost) {
  const auto grown = Open(*storage_, "a");
  const auto removed = Open(*storage_, "b");
  Cut("a", 100 * kPage);
  std::filesystem::remove(Path("b"));
  EXPECT_EQ(Sum(grown->bytes()) + Sum(removed->bytes()), 128 * kPage);
  EXPECT_FALSE(grown->lost());
  EXPECT_FALSE(removed->lost());
}

TEST_F(LostFileTest, ManyThreadsReadOneFileThatIsCut) {
  for (int round = 0; round < 50; ++round) {
    const auto file = Open(*storage_, "a");
    {
      std::vector<std::jthread> readers;
      readers.reserve(4);
      for (int i = 0; i < 4; ++i) {
        readers.emplace_back([&file, this] {
          const auto own = storage_->Open(Path("a"));  // while the others read
          const std::uint64_t sum = Sum(file->bytes());
          EXPECT_LE(sum, 64 * kPage);
          EXPECT_GE(sum, 3 * kPage);
        });
      }
      Cut("a", 3 * kPage);
    }
    EXPECT_EQ(Sum(file->bytes()), 3 * kPage);
    EXPECT_EQ(file->lost()->offset, 3 * kPage);
  }
}

TEST_F(LostFileTest, PlacesOfMappingsAreUsedAgain) {
  for (int round = 0; round < 500; ++round) {
    const auto file = Open(*storage_, "a");
    EXPECT_FALSE(file->lost());
    if (round % 50 != 0) continue;
    Cut("a", kPage);
    EXPECT_EQ(Sum(file->bytes()), kPage);
    EXPECT_TRUE(file->lost());
  }
}

// Notes what is asked of its only file.
class NotingStorage final : public Storage {
 public:
  struct Asked {
    std::uint64_t read_at = 0;
    std::uint64_t tried_at = 0;
  };
  mutable Asked asked;

  Result<std::vector<DirectoryEntry>> List(const std::string&) const override { return {}; }
  Result<DirectoryEntry::Kind> KindOf(const std::string&) const override {
    return DirectoryEntry::Kind::kFile;
  }
  Result<std::unique_ptr<StoredFile>> Open(const std::string&) const override {
    return std::make_unique<File>(asked);
  }

 private:
  class File final : public StoredFile {
   public:
    explicit File(Asked& asked) : asked_(asked) {}
    Bytes bytes() const override { return content_; }
    void Read(std::uint64_t offset, std::span<std::uint8_t> into) const override {
      asked_.read_at = offset;
      StoredFile::Read(offset, into);
    }
    bool IsDearToMap(std::uint64_t offset) const override { return offset == 77; }
    bool TryRead(std::uint64_t offset, std::span<std::uint8_t> into) const override {
      asked_.tried_at = offset;
      StoredFile::Read(offset, into);
      return true;
    }

   private:
    Asked& asked_;
    std::vector<std::uint8_t> content_ = std::vector<std::uint8_t>(100, 5);
  };
};

TEST_F(LostFileTest, TheWatchHandsOnWhatIsRead) {
  const NotingStorage storage;
  const LossWatch watch(storage);
  const auto file = std::move(*watch.Open("a"));
  std::vector<std::uint8_t> copy(3);
  file->Read(42, copy);
  EXPECT_EQ(storage.asked.read_at, 42U);
  EXPECT_EQ(Sum(copy), 15U);
  EXPECT_TRUE(file->TryRead(43, copy));
  EXPECT_EQ(storage.asked.tried_at, 43U);
  EXPECT_TRUE(file->IsDearToMap(77));
  EXPECT_FALSE(file->IsDearToMap(78));
}

TEST_F(LostFileTest, TheWatchRemembersAFileThatWasClosed) {
  LossWatch watch(*storage_);
  {
    const auto sound = Open(watch, "a");
    const auto file = Open(watch, "b");
    Cut("b", kPage);
    EXPECT_EQ(Sum(file->bytes()), kPage);
  }
  ASSERT_TRUE(watch.loss());
  EXPECT_EQ(watch.loss()->file, Path("b"));
  watch.Forget();
  EXPECT_FALSE(watch.loss());
}

TEST_F(LostFileTest, TheWatchSeesAFileThatIsOpen) {
  const LossWatch watch(*storage_);
  const auto file = Open(watch, "a");
  EXPECT_FALSE(watch.loss());
  Cut("a", kPage);
  EXPECT_TRUE(watch.loss());
}

using LostFileDeathTest = LostFileTest;

TEST_F(LostFileDeathTest, OfOtherMemoryTheSignalEndsTheProcess) {
  std::ofstream(Path("a"), std::ios::binary) << std::string(2 * kPage, '\1');
  const int file = open(Path("a").c_str(), O_RDONLY);
  const auto* const bytes =
      static_cast<const volatile char*>(mmap(nullptr, 2 * kPage, PROT_READ, MAP_PRIVATE, file, 0));
  Cut("a", 0);
  EXPECT_EXIT(std::exit(bytes[kPage]), KilledBySignal(SIGBUS), "");
  EXPECT_EXIT(raise(SIGBUS), KilledBySignal(SIGBUS), "");
  close(file);
}

}  // namespace
}  // namespace pmproof::archive

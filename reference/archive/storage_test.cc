// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/storage.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = DirectoryEntry::Kind;

// A folder of its own for each test.
class PosixStorageTest : public ::testing::Test {
 public:
  ~PosixStorageTest() override { std::filesystem::remove_all(root_); }

 protected:
  PosixStorageTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = ::testing::TempDir() + "/" + test->name();
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }

  std::string Path(const std::string& name) const { return root_ + "/" + name; }
  void Write(const std::string& name, std::size_t size, char fill) const {
    std::ofstream(Path(name), std::ios::binary) << std::string(size, fill);
  }

  std::unique_ptr<Storage> storage_ = MakePosixStorage();
  std::string root_;
};

std::vector<std::string> Names(const std::vector<DirectoryEntry>& entries) {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const DirectoryEntry& entry : entries) names.push_back(entry.name);
  return names;
}

Kind KindIn(const std::vector<DirectoryEntry>& entries, const std::string& name) {
  for (const DirectoryEntry& entry : entries) {
    if (entry.name == name) return entry.kind;
  }
  ADD_FAILURE() << name << " is not listed";
  return Kind::kOther;
}

TEST_F(PosixStorageTest, ASparseFileIsReadWhole) {
  // Holes in front, between and after, of which none begins or ends at a page; more than are
  // mapped for themselves.
  std::string content;
  for (int i = 0; i < 20; ++i) {
    content += std::string((std::size_t{3} << 20) + 100 * static_cast<std::size_t>(i), '\0');
    content += "data " + std::to_string(i);
  }
  content += std::string((std::size_t{2} << 20) + 7, '\0');
  {
    std::ofstream file(Path("a"), std::ios::binary);
    for (std::size_t at = content.find('d'); at != std::string::npos;) {
      const std::size_t end = content.find('\0', at);
      file.seekp(static_cast<std::streamoff>(at))
          .write(&content[at], static_cast<std::streamsize>(end - at));
      at = content.find('d', end);
    }
  }
  std::filesystem::resize_file(Path("a"), content.size());
  const auto file = storage_->Open(Path("a"));
  ASSERT_TRUE(file) << file.error().ToText();
  EXPECT_TRUE(AsText((*file)->bytes()) == content);
  EXPECT_FALSE((*file)->lost());
}

TEST_F(PosixStorageTest, AFileIsReadWhole) {
  for (const std::size_t size : {0UL, 1UL, 65536UL, 65537UL, 3000000UL}) {
    Write("a", size, 'x');
    const auto file = storage_->Open(Path("a"));
    ASSERT_TRUE(file) << file.error().ToText();
    EXPECT_EQ(AsText((*file)->bytes()), std::string(size, 'x'));
  }
}

// The number of pages that files show in the memory of this process.
std::size_t SharedPages() {
  std::ifstream statm("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  std::size_t shared = 0;
  statm >> size >> resident >> shared;
  return shared;
}

TEST_F(PosixStorageTest, AFileThatIsLetGoTakesNoMemoryAndIsThere) {
  constexpr std::size_t kSize = 40'000'001;
  Write("a", kSize, 'x');
  const auto file = storage_->Open(Path("a"));
  ASSERT_TRUE(file) << file.error().ToText();
  EXPECT_EQ(std::ranges::count(AsText((*file)->bytes()), 'x'), kSize);
  const std::size_t before = SharedPages();
  (*file)->LetGo(1, kSize);
  EXPECT_LT(SharedPages() + kSize / 4096 / 2, before);
  EXPECT_EQ(std::ranges::count(AsText((*file)->bytes()), 'x'), kSize);
  EXPECT_FALSE((*file)->lost());
}

TEST_F(PosixStorageTest, ACopiedFileStaysWhenItIsCut) {
  Write("a", 100000, 'x');
  const auto storage = MakePosixStorage({.copy_up_to = 100000});
  const auto file = storage->Open(Path("a"));
  ASSERT_TRUE(file);
  std::filesystem::resize_file(Path("a"), 0);
  EXPECT_EQ(AsText((*file)->bytes()), std::string(100000, 'x'));
}

TEST_F(PosixStorageTest, AMappedFileShowsItsSizeWhenOpened) {
  Write("a", 100000, 'x');
  const auto file = storage_->Open(Path("a"));
  ASSERT_TRUE(file);
  std::ofstream(Path("a"), std::ios::app) << "more";
  EXPECT_EQ((*file)->bytes().size(), 100000);
}

TEST_F(PosixStorageTest, AnAbsentFileIsNotFound) {
  const auto file = storage_->Open(Path("a"));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, Status::Kind::kNotFound);
  EXPECT_EQ(file.error().ToText(), Path("a") + ": No such file or directory");
  EXPECT_EQ(storage_->KindOf(Path("a")).error().kind, Status::Kind::kNotFound);
  EXPECT_EQ(storage_->List(Path("a")).error().kind, Status::Kind::kNotFound);
}

TEST_F(PosixStorageTest, ADirectoryIsNoFile) {
  const auto file = storage_->Open(root_);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, Status::Kind::kUnreadable);
}

TEST_F(PosixStorageTest, AFileBelowAFileIsNotFound) {
  Write("a", 1, 'x');
  EXPECT_EQ(storage_->Open(Path("a/b")).error().kind, Status::Kind::kNotFound);
}

TEST_F(PosixStorageTest, APipeIsNotWaitedFor) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  const auto file = storage_->Open(Path("pipe"));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, Status::Kind::kUnreadable);
  EXPECT_THAT(file.error().message, ::testing::HasSubstr("regular"));
  EXPECT_EQ(*storage_->KindOf(Path("pipe")), Kind::kOther);
}

TEST_F(PosixStorageTest, AFileWithoutPermissionIsUnreadable) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  Write("a", 1, 'x');
  std::filesystem::permissions(Path("a"), std::filesystem::perms::none);
  EXPECT_EQ(storage_->Open(Path("a")).error().kind, Status::Kind::kUnreadable);
}

TEST_F(PosixStorageTest, ADirectoryIsListedInTheOrderOfBytes) {
  for (const char* name : {"b", "a.10", "a.2", "B", "\xc3\xa4"}) Write(name, 1, 'x');
  EXPECT_THAT(Names(*storage_->List(root_)), ElementsAre("B", "a.10", "a.2", "b", "\xc3\xa4"));
}

TEST_F(PosixStorageTest, AnEmptyDirectoryIsNoError) {
  EXPECT_THAT(*storage_->List(root_), IsEmpty());
}

TEST_F(PosixStorageTest, LinksToFilesAreFilesAndLinksToDirectoriesAreNot) {
  Write("file", 1, 'x');
  std::filesystem::create_directory(Path("directory"));
  std::filesystem::create_symlink("file", Path("to_file"));
  std::filesystem::create_directory_symlink(".", Path("to_directory"));
  std::filesystem::create_symlink("nothing", Path("to_nothing"));
  std::filesystem::create_symlink("to_itself", Path("to_itself"));
  const auto entries = storage_->List(root_);
  ASSERT_TRUE(entries);
  EXPECT_EQ(KindIn(*entries, "file"), Kind::kFile);
  EXPECT_EQ(KindIn(*entries, "directory"), Kind::kDirectory);
  EXPECT_EQ(KindIn(*entries, "to_file"), Kind::kFile);
  EXPECT_EQ(KindIn(*entries, "to_directory"), Kind::kOther);
  EXPECT_EQ(KindIn(*entries, "to_nothing"), Kind::kOther);
  EXPECT_EQ(KindIn(*entries, "to_itself"), Kind::kOther);
}

TEST_F(PosixStorageTest, ALinkToADirectoryIsListedWhereItIsNamed) {
  std::filesystem::create_directory(Path("directory"));
  Write("directory/a", 1, 'x');
  std::filesystem::create_directory_symlink("directory", Path("link"));
  EXPECT_EQ(*storage_->KindOf(Path("link")), Kind::kDirectory);
  EXPECT_THAT(Names(*storage_->List(Path("link"))), ElementsAre("a"));
}

TEST(MemoryStorage, DirectoriesAreWherePathsHaveThem) {
  MemoryStorage storage;
  storage.files["d/e/a"] = {1};
  storage.files["d/b"] = {2};
  storage.files["d.x"] = {3};
  EXPECT_THAT(Names(*storage.List(".")), ElementsAre("d", "d.x"));
  EXPECT_THAT(Names(*storage.List("d/")), ElementsAre("b", "e"));
  EXPECT_EQ(KindIn(*storage.List("d"), "e"), Kind::kDirectory);
  EXPECT_EQ(*storage.KindOf("d/e"), Kind::kDirectory);
  EXPECT_EQ(*storage.KindOf("d/b"), Kind::kFile);
  EXPECT_EQ(storage.KindOf("d/c").error().kind, Status::Kind::kNotFound);
  EXPECT_EQ(storage.List("x").error().kind, Status::Kind::kNotFound);
  EXPECT_EQ(storage.Open("d").error().kind, Status::Kind::kNotFound);
  EXPECT_EQ((*storage.Open("d/b"))->bytes()[0], 2);
}

}  // namespace
}  // namespace pmproof::archive

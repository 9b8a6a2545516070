// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/reference_agents/watched_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace pmproof::pmda {
namespace {

namespace fs = std::filesystem;

// PMD-224: every change is to be seen by the next look. Times are set, for those that a file gets
// by being written differ after milliseconds only.
class WatchedFileTest : public testing::Test {
 public:
  ~WatchedFileTest() override { fs::remove_all(root_); }

 protected:
  WatchedFileTest() {
    fs::remove_all(root_);
    fs::create_directories(root_ / "folder");
  }

  static void Write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

  static void SetTime(const fs::path& path, std::int64_t seconds) {
    const timespec times[2] = {{.tv_sec = seconds, .tv_nsec = 7},
                               {.tv_sec = seconds, .tv_nsec = 7}};
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }

  static void Make(const fs::path& path, std::int64_t seconds) {
    Write(path, "sec\n");
    SetTime(path, seconds);
  }

  static std::optional<std::int64_t> At(std::int64_t seconds) {
    return seconds * 1'000'000'000 + 7;
  }

  // More than kLongest of a clock that goes on in steps.
  static void WaitForTheLongest() { std::this_thread::sleep_for(3 * WatchedFile::kLongest); }

  const fs::path root_ = fs::path(testing::TempDir()) / "watched_file_test";
  const fs::path path_ = root_ / "folder" / "simple.conf";
  WatchedFile file_{path_.string()};
};

TEST_F(WatchedFileTest, AFileThatIsNotThereHasNoTime) {
  EXPECT_EQ(file_.ChangeTime(), std::nullopt);
  EXPECT_EQ(file_.ChangeTime(), std::nullopt);
}

TEST_F(WatchedFileTest, ANewTimeIsSeenByTheNextLook) {
  Make(path_, 1000);
  for (std::int64_t seconds = 1000; seconds < 2000; ++seconds) {
    SetTime(path_, seconds);
    ASSERT_EQ(file_.ChangeTime(), At(seconds));
    ASSERT_EQ(file_.ChangeTime(), At(seconds));
  }
}

TEST_F(WatchedFileTest, WhatIsWrittenIsSeenByTheNextLook) {
  Make(path_, 1000);
  ASSERT_EQ(file_.ChangeTime(), At(1000));
  Write(path_, "min\n");
  EXPECT_GT(file_.ChangeTime(), At(1000));
}

TEST_F(WatchedFileTest, FilesThatComeAndGoAreSeenByTheNextLook) {
  ASSERT_EQ(file_.ChangeTime(), std::nullopt);
  for (std::int64_t seconds = 1000; seconds < 1100; ++seconds) {
    Make(path_, seconds);
    ASSERT_EQ(file_.ChangeTime(), At(seconds));
    fs::remove(path_);
    ASSERT_EQ(file_.ChangeTime(), std::nullopt);
  }
}

TEST_F(WatchedFileTest, AFileThatTakesItsPlaceIsSeenByTheNextLook) {
  const fs::path other = root_ / "folder" / "other";
  Make(path_, 1000);
  ASSERT_EQ(file_.ChangeTime(), At(1000));
  for (std::int64_t seconds = 1001; seconds < 1100; ++seconds) {
    Make(other, seconds);
    fs::rename(other, path_);
    ASSERT_EQ(file_.ChangeTime(), At(seconds));
  }
}

TEST_F(WatchedFileTest, AFolderThatTakesItsFoldersPlaceIsSeenByTheNextLook) {
  Make(path_, 1000);
  ASSERT_EQ(file_.ChangeTime(), At(1000));
  for (std::int64_t seconds = 1001; seconds < 1010; ++seconds) {
    fs::rename(root_ / "folder", root_ / ("before " + std::to_string(seconds)));
    ASSERT_EQ(file_.ChangeTime(), std::nullopt);
    fs::create_directory(root_ / "folder");
    Make(path_, seconds);
    ASSERT_EQ(file_.ChangeTime(), At(seconds));
    SetTime(path_, 2 * seconds);
    ASSERT_EQ(file_.ChangeTime(), At(2 * seconds));
  }
}

TEST_F(WatchedFileTest, WhatALinkNamesIsSeenByTheNextLook) {
  const fs::path target = root_ / "target";
  Make(target, 1000);
  fs::create_symlink(target, path_);
  ASSERT_EQ(file_.ChangeTime(), At(1000));
  SetTime(target, 1001);
  EXPECT_EQ(file_.ChangeTime(), At(1001));
}

TEST_F(WatchedFileTest, WhatNothingTellsOfIsSeenSoon) {
  Make(root_ / "target", 1000);
  fs::create_hard_link(root_ / "target", path_);
  ASSERT_EQ(file_.ChangeTime(), At(1000));
  SetTime(root_ / "target", 1001);
  WaitForTheLongest();
  EXPECT_EQ(file_.ChangeTime(), At(1001));
}

TEST_F(WatchedFileTest, AFolderAboveThatIsAnotherIsSeenSoon) {
  const fs::path deep = root_ / "a" / "b" / "simple.conf";
  fs::create_directories(deep.parent_path());
  Make(deep, 1000);
  WatchedFile file(deep.string());
  ASSERT_EQ(file.ChangeTime(), At(1000));
  fs::rename(root_ / "a", root_ / "c");
  WaitForTheLongest();
  EXPECT_EQ(file.ChangeTime(), std::nullopt);
}

TEST_F(WatchedFileTest, AFileOfTheWorkingFolderIsWatchedToo) {
  const fs::path before = fs::current_path();
  fs::current_path(root_ / "folder");
  Make(path_, 1000);
  WatchedFile file("simple.conf");
  ASSERT_EQ(file.ChangeTime(), At(1000));
  SetTime(path_, 1001);
  EXPECT_EQ(file.ChangeTime(), At(1001));
  fs::current_path(before);
}

TEST_F(WatchedFileTest, ManyChangesAtOnceAreOneLook) {
  Make(path_, 1000);
  ASSERT_EQ(file_.ChangeTime(), At(1000));
  for (std::int64_t i = 1; i <= 40'000; ++i) SetTime(path_, 1000 + i);  // more than a queue takes
  EXPECT_EQ(file_.ChangeTime(), At(41'000));
  EXPECT_EQ(file_.ChangeTime(), At(41'000));
}

}  // namespace
}  // namespace pmproof::pmda

// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/write_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace pmproof::validator {
namespace {

namespace fs = std::filesystem;

TEST(WriteFilesTest, FilesAndDirectoriesOfAnyNameAreBesideTheBase) {
  const fs::path folder = fs::path(::testing::TempDir()) / "write_files";
  fs::create_directories(folder);
  const auto output = archive::MakePosixOutput();
  const NamedFiles named{{{"a.meta", {1, 2}}, {"a.00", {3}}, {"other.index", {}}}, {"a.1"}};
  const auto error = WriteFiles(*output, (folder / "a").string(), named, {});
  EXPECT_FALSE(error) << error->ToText();
  EXPECT_EQ(fs::file_size(folder / "a.meta"), 2U);
  EXPECT_EQ(fs::file_size(folder / "a.00"), 1U);
  EXPECT_TRUE(fs::exists(folder / "other.index"));
  EXPECT_TRUE(fs::is_directory(folder / "a.1"));
  fs::remove_all(folder);
}

TEST(WriteFilesTest, WhereOneFileIsInTheWayNothingIsWritten) {
  const fs::path folder = fs::path(::testing::TempDir()) / "write_files_in_the_way";
  fs::create_directories(folder / "a.meta");
  const auto output = archive::MakePosixOutput();
  const auto error =
      WriteFiles(*output, (folder / "a").string(), {{{"a.meta", {1}}, {"a.0", {2}}}, {"a.1"}}, {});
  EXPECT_TRUE(error);
  EXPECT_FALSE(fs::exists(folder / "a.0"));
  EXPECT_FALSE(fs::exists(folder / "a.1"));
  EXPECT_TRUE(fs::is_empty(folder / "a.meta"));
  fs::remove_all(folder);
}

TEST(WriteFilesTest, OnAFullDiskNothingIsWritten) {
  archive::MemoryStorage storage;
  archive::MemoryOutput output(storage);
  output.space = 3;
  const auto error = WriteFiles(output, "a", {{{"a.0", {1, 2}}, {"a.meta", {1, 2}}}, {}}, {});
  EXPECT_TRUE(error);
  EXPECT_TRUE(storage.files.empty());
}

TEST(WriteFilesTest, FilesThatAreReplacedGoOnlyWhereAllIsWritten) {
  archive::MemoryStorage storage;
  storage.files["a.1"] = {9};
  archive::MemoryOutput output(storage);
  EXPECT_FALSE(WriteFiles(output, "a", {{{"a.0", {1}}}, {}}, {"a.1"}));
  EXPECT_TRUE(storage.files.contains("a.0"));
  EXPECT_FALSE(storage.files.contains("a.1"));
}

}  // namespace
}  // namespace pmproof::validator

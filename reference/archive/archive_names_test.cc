// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generators/archive_image.h"
#include "reference/archive/file_set.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::RecordingReporter;

class ListArchivesTest : public ::testing::Test {
 protected:
  void Store(const std::string& path) {
    generators::Encode(generators::BaseArchive(2)).Store(path, &storage_);
  }
  std::vector<std::string> List(const std::vector<std::string>& arguments, bool recursive = true) {
    ArchiveNames found = ListArchives(storage_, arguments, recursive);
    errors_.clear();
    for (const Status& error : found.errors) errors_.push_back(error.file);
    kinds_.clear();
    for (const Status& error : found.errors) kinds_.push_back(error.kind);
    return found.names;
  }

  MemoryStorage storage_;
  std::vector<std::string> errors_;
  std::vector<Status::Kind> kinds_;
};

TEST_F(ListArchivesTest, ADirectoryStandsForItsArchivesSorted) {
  for (const char* path : {"d/b", "d/a", "d/c.10", "d/c.2", "d/e/x", "d/e/f/y"}) Store(path);
  EXPECT_THAT(List({"d"}), ElementsAre("d/a", "d/b", "d/c.10", "d/c.2", "d/e/x", "d/e/f/y"));
  EXPECT_THAT(List({"d/"}, /*recursive=*/false), ElementsAre("d/a", "d/b", "d/c.10", "d/c.2"));
  EXPECT_THAT(errors_, IsEmpty());
}

TEST_F(ListArchivesTest, EachArchiveIsListedOnce) {
  for (const char* path : {"d/a", "d/b"}) Store(path);
  EXPECT_THAT(List({"d/b.0", "d/b", "d", "d//b.meta", "./d/a", "d"}), ElementsAre("d/b", "d/a"));
  EXPECT_THAT(errors_, IsEmpty());
}

TEST_F(ListArchivesTest, TheCurrentDirectoryGivesBareNames) {
  Store("a");
  EXPECT_THAT(List({"."}), ElementsAre("a"));
}

TEST_F(ListArchivesTest, CommasSeparateNames) {
  for (const char* path : {"a", "b", "d/c"}) Store(path);
  EXPECT_THAT(List({"b,,a.meta,d,"}), ElementsAre("b", "a", "d/c"));
  EXPECT_THAT(errors_, IsEmpty());
}

TEST_F(ListArchivesTest, ANameWithACommaIsTakenWholeIfItIsAnArchive) {
  for (const char* path : {"a", "b", "a,b"}) Store(path);
  EXPECT_THAT(List({"a,b"}), ElementsAre("a,b"));
}

TEST_F(ListArchivesTest, WhatDoesNotExistIsAnError) {
  Store("a");
  EXPECT_THAT(List({"a", "nothing", "a,no,a.7"}), ElementsAre("a"));
  EXPECT_THAT(errors_, ElementsAre("nothing", "no", "a.7"));
  EXPECT_THAT(kinds_, ::testing::Each(Status::Kind::kNotFound));
}

TEST_F(ListArchivesTest, AFileOfNoArchiveIsAnError) {
  storage_.files["notes.txt"] = {1};
  EXPECT_THAT(List({"notes.txt"}), IsEmpty());
  EXPECT_THAT(kinds_, ElementsAre(Status::Kind::kNotAnArchive));
}

TEST_F(ListArchivesTest, ADirectoryWithoutArchivesIsAnError) {
  storage_.files["d/notes.txt"] = {1};
  Store("e/f/a");
  EXPECT_THAT(List({"d", "e"}), ElementsAre("e/f/a"));
  EXPECT_THAT(errors_, ElementsAre("d"));
  EXPECT_THAT(List({"e"}, /*recursive=*/false), IsEmpty());
  EXPECT_THAT(errors_, ElementsAre("e"));
}

TEST_F(ListArchivesTest, AnArchiveWithoutMetaIsListedForAValidator) {
  Store("d/a");
  storage_.files.erase("d/a.meta");
  EXPECT_THAT(List({"d"}), ElementsAre("d/a"));
  EXPECT_THAT(List({"d"}, /*recursive=*/false), IsEmpty());
}

TEST_F(ListArchivesTest, AVolumeAloneIsListedIfItBeginsLikeALabel) {
  Store("d/a");
  storage_.files.erase("d/a.meta");
  storage_.files.erase("d/a.index");
  storage_.files["d/ls.1"] = {'.', 'T', 'H', ' ', 'L', 'S', ' ', '1', '\n'};
  storage_.files["d/empty.1"] = {};
  storage_.files["d/cat.1.gz"] = {0x1f, 0x8b, 0x08};
  storage_.files["d/book.index"] = {'a'};
  EXPECT_THAT(List({"d"}), ElementsAre("d/a"));
}

TEST_F(ListArchivesTest, AVolumeThatIsNamedIsListedWhateverItHolds) {
  storage_.files["ls.1"] = {'.'};
  EXPECT_THAT(List({"ls.1"}), ElementsAre("ls"));
}

TEST_F(ListArchivesTest, AnArchiveCalledLikeAVolumeIsNamedByAFile) {
  for (const char* path : {"d/a", "d/a.0"}) Store(path);
  const auto names = List({"d"});
  RecordingReporter reporter;
  std::vector<std::string> bases;
  bases.reserve(names.size());
  for (const std::string& name : names)
    bases.push_back(FindArchive(storage_, name, reporter)->base);
  EXPECT_THAT(bases, ElementsAre("a", "a.0"));
}

// --- groups that are opened together (ARC-550) ---

TEST_F(ListArchivesTest, OneDirectoryAloneGivesItsArchivesAndItsListing) {
  for (const char* path : {"d/b", "d/a", "d/e/x"}) Store(path);
  storage_.files.erase("d/b.meta");
  const ArchiveNames found = ListDirectory(storage_, "d");
  EXPECT_THAT(found.names, ElementsAre("d/a", "d/b"));
  EXPECT_THAT(found.errors, IsEmpty());
  EXPECT_TRUE(found.listings.contains("d"));
  storage_.files["empty/readme.txt"] = {1};
  const ArchiveNames none = ListDirectory(storage_, "empty");
  EXPECT_THAT(none.names, IsEmpty());
  EXPECT_THAT(none.errors, IsEmpty());
  EXPECT_TRUE(none.listings.contains("empty"));
  EXPECT_EQ(ListDirectory(storage_, "gone").errors.size(), 1U);
}

TEST_F(ListArchivesTest, ACommaListIsAGroupInItsOrder) {
  for (const char* path : {"d/a", "d/b", "d/c"}) Store(path);
  const ArchiveNames found =
      ListArchives(storage_, {"d/b", "d/c,d/b,d/a.meta,d/b"}, /*recursive=*/true);
  EXPECT_THAT(found.names, ElementsAre("d/b", "d/c", "d/a"));
  ASSERT_EQ(found.lists.size(), 1U);
  EXPECT_EQ(found.lists[0].name, "d/c,d/b,d/a.meta,d/b");
  EXPECT_THAT(found.lists[0].members, ElementsAre(1, 0, 2));
}

TEST_F(ListArchivesTest, ADirectoryInAListStandsForItsOwnArchives) {
  for (const char* path : {"d/a", "d/e/x", "b"}) Store(path);
  const ArchiveNames found = ListArchives(storage_, {"d,b"}, /*recursive=*/true);
  EXPECT_THAT(found.names, ElementsAre("d/a", "d/e/x", "b"));
  ASSERT_EQ(found.lists.size(), 1U);
  EXPECT_THAT(found.lists[0].members, ElementsAre(0, 2));
}

TEST_F(ListArchivesTest, EachDirectoryIsAGroupOfItsOwn) {
  for (const char* path : {"d/a", "d/b", "d/e/x"}) Store(path);
  const ArchiveNames found = ListArchives(storage_, {"d", "d/e", "./d/"}, /*recursive=*/true);
  ASSERT_EQ(found.directories.size(), 2U);
  EXPECT_EQ(found.directories[0].name, "d");
  EXPECT_THAT(found.directories[0].members, ElementsAre(0, 1));
  EXPECT_EQ(found.directories[1].name, "d/e");
  EXPECT_THAT(found.directories[1].members, ElementsAre(2));
  EXPECT_THAT(found.lists, IsEmpty());
}

TEST_F(ListArchivesTest, AnArchiveWithoutMetaBelongsToNoDirectory) {
  for (const char* path : {"d/a", "d/b"}) Store(path);
  storage_.files.erase("d/b.meta");
  const ArchiveNames found = ListArchives(storage_, {"d"}, /*recursive=*/true);
  EXPECT_THAT(found.names, ElementsAre("d/a", "d/b"));
  ASSERT_EQ(found.directories.size(), 1U);
  EXPECT_THAT(found.directories[0].members, ElementsAre(0));
}

// Counts how often directories are listed.
class CountingStorage final : public Storage {
 public:
  explicit CountingStorage(const Storage& storage) : storage_(storage) {}

  Result<std::vector<DirectoryEntry>> List(const std::string& path) const override {
    ++lists;
    return storage_.List(path);
  }
  Result<DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    return storage_.KindOf(path);
  }
  Result<std::unique_ptr<StoredFile>> Open(const std::string& path) const override {
    return storage_.Open(path);
  }

  mutable int lists = 0;

 private:
  const Storage& storage_;
};

TEST_F(ListArchivesTest, ADirectoryOfManyArchivesIsListedOnce) {
  for (int i = 0; i < 50; ++i) storage_.files["d/" + std::to_string(i) + "x.meta"] = {};
  const CountingStorage storage(storage_);
  const ArchiveNames found = ListArchives(storage, {"d"}, /*recursive=*/true);
  ASSERT_EQ(found.names.size(), 50U);
  RecordingReporter reporter;
  for (const std::string& name : found.names) {
    EXPECT_TRUE(FindArchive(storage, name, reporter, &found.listings));
  }
  EXPECT_EQ(storage.lists, 1);
}

}  // namespace
}  // namespace pmproof::archive

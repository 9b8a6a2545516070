// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/archive_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "generators/archive_image.h"

namespace pmproof::validator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ArchiveWalkTest : public ::testing::Test {
 protected:
  ArchiveWalkTest() {
    const auto image = generators::Encode(generators::BaseArchive(3));
    for (const char* name : {"z", "h1/b", "h1/a", "h1/x/c", "h1-2/d", "h2/e"}) {
      image.Store("root/" + std::string(name), &storage_);
    }
    storage_.files["root/h3/readme.txt"] = {1};
  }

  std::vector<std::string> Walk(const std::vector<std::string>& arguments) {
    const Tree tree(storage_, "root");
    std::vector<std::string> names;
    failures_.clear();
    WalkArchives(
        tree, arguments,
        [&](const WalkedArchive& archive) {
          EXPECT_TRUE(archive.listings->contains(DirectoryOf(archive.name)));
          names.push_back(archive.name);
        },
        [&](const Status& failure) { failures_.push_back(failure.file); });
    for (std::size_t i = 1; i < names.size(); ++i) {
      EXPECT_TRUE(ComesBefore(names[i - 1], names[i])) << names[i];
    }
    return names;
  }

  archive::MemoryStorage storage_;
  std::vector<std::string> failures_;
};

TEST_F(ArchiveWalkTest, ADirectoryStandsForAllBelowIt) {
  EXPECT_THAT(Walk({"."}), ElementsAre("z", "h1/a", "h1/b", "h1/x/c", "h1-2/d", "h2/e"));
  EXPECT_THAT(failures_, IsEmpty());
}

TEST_F(ArchiveWalkTest, ArgumentsInAnyOrderGiveTheOrderOfAWalk) {
  EXPECT_THAT(Walk({"h2", "h1/b", "z.meta", "h1/x"}), ElementsAre("z", "h1/b", "h1/x/c", "h2/e"));
}

TEST_F(ArchiveWalkTest, ArgumentsThatOverlapGiveEachArchiveOnce) {
  EXPECT_THAT(Walk({"h1/x", "h1", "h1/a", "h1/a.0", "h1", "h1-2/d"}),
              ElementsAre("h1/a", "h1/b", "h1/x/c", "h1-2/d"));
  EXPECT_THAT(Walk({"h1/x/c", "."}), ElementsAre("z", "h1/a", "h1/b", "h1/x/c", "h1-2/d", "h2/e"));
}

TEST_F(ArchiveWalkTest, WhatNamesNothingIsToldAndDoesNotHideTheOthers) {
  EXPECT_THAT(Walk({"gone", "h1/gone", "h2"}), ElementsAre("h2/e"));
  EXPECT_THAT(failures_, ElementsAre("gone", "h1/gone"));
  EXPECT_THAT(Walk({"h3", "h2"}), ElementsAre("h2/e"));
  EXPECT_THAT(failures_, ElementsAre("h3"));
}

}  // namespace
}  // namespace pmproof::validator

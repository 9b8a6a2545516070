// SPDX-License-Identifier: Apache-2.0
// Thousands of archives in one directory take time in proportion to their number.

#include <gtest/gtest.h>

#include <string>

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

TEST(ManyArchivesTest, TheirDirectoryIsListedOnce) {
  CountingStorage storage;
  for (int i = 0; i < 50; ++i) {
    for (const char* const suffix : {".meta", ".index", ".0"}) {
      storage.memory.files["all/" + std::to_string(i) + suffix] = {};
    }
  }
  const Result<Catalogue> catalogue = Catalogue::Shipped();
  ASSERT_TRUE(catalogue);
  const Report report = CheckAll(storage, {"all"}, *catalogue, {}, nullptr);
  EXPECT_EQ(report.archives.size(), 50U);
  EXPECT_EQ(storage.lists, 1);
}

}  // namespace
}  // namespace pmproof::validator

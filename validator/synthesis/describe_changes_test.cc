// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/describe_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generators/archive_image.h"
#include "reference/core/bytes.h"

namespace pmproof::validator {
namespace {

using generators::MutatedFiles;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The archive of ARC-1000 in version 2: records of 360 bytes after a label of 132, three index
// entries of 20.
class DescribeChangesTest : public ::testing::Test {
 protected:
  DescribeChangesTest() {
    before.base = "a";
    for (auto& [suffix, content] : Encode(generators::BaseArchive(2)).files)
      before.files["a." + suffix] = std::move(content);
    after = before;
  }
  std::vector<std::string> Lines() const { return DescribeChanges(before, after); }

  MutatedFiles before;
  MutatedFiles after;
};

TEST_F(DescribeChangesTest, NothingIsSaidOfTheSameFiles) { EXPECT_THAT(Lines(), IsEmpty()); }

TEST_F(DescribeChangesTest, AWordIsShownWithItsRecord) {
  StoreU32(after.of("0").data() + 132 + 2 * 360 - 4, 361);
  StoreU32(after.of("index").data() + 132 + 20 + 16, 0x4d4);
  StoreU32(after.of("meta").data() + 8, 99);
  EXPECT_THAT(Lines(), ElementsAre("a.0: offset 848, record 2: 00000169 instead of 00000168",
                                   "a.index: offset 168, entry 2: 000004d4 instead of 000004bc",
                                   "a.meta: offset 8, label: 00000063 instead of 00001092"));
}

TEST_F(DescribeChangesTest, BytesThatAreMoreOrLess) {
  after.of("0").resize(2000);
  after.of("index").insert(after.of("index").begin() + 132, 20, 0xab);
  after.of("meta").insert(after.of("meta").end(), 2, 7);
  EXPECT_THAT(Lines(),
              ElementsAre("a.0: offset 2000, record 6: the file ends here, 292 bytes earlier",
                          "a.index: offset 132, entry 1: 20 bytes put in",
                          "a.meta: offset 920: 2 bytes added at the end"));
}

TEST_F(DescribeChangesTest, FilesThatComeAndGo) {
  after.files.extract("a.meta");
  after.files["a.00"] = after.of("0");
  after.files.erase("a.0");
  after.files["a.1.lz4"] = {1};
  after.files.erase("a.index");
  after.directories = {"a.index"};
  EXPECT_THAT(Lines(), ElementsAre("a.00: was a.0", "a.1.lz4: new, 1 byte", "a.index: a directory",
                                   "a.meta: gone"));
}

TEST_F(DescribeChangesTest, FilesWithoutLabelAreNoneTheWorse) {
  before.files = {{"a.0", {}}, {"a.index", {0, 0, 0, 1}}, {"a.meta", {1, 2, 3, 4, 5, 6, 7, 8, 9}}};
  after.files = {{"a.0", {1}}, {"a.index", {}}, {"a.meta", {1, 2, 3, 4, 5, 6, 7, 8, 0}}};
  EXPECT_THAT(Lines(), ElementsAre("a.0: offset 0: 1 byte added at the end",
                                   "a.index: offset 0: the file ends here, 4 bytes earlier",
                                   "a.meta: offset 8, label: 00 instead of 09"));
}

}  // namespace
}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "qa/dev/bazel/testing/sample_files.h"

namespace pmproof::testing {
namespace {

std::string_view Content(std::string_view path) {
  for (const EmbeddedFile& file : sample_files()) {
    if (file.path == path) return file.content;
  }
  ADD_FAILURE() << "no file " << path;
  return {};
}

TEST(Embed, ListsTheFilesByPathInThePackage) {
  std::vector<std::string_view> paths;
  for (const EmbeddedFile& file : sample_files()) paths.push_back(file.path);
  EXPECT_THAT(paths,
              ::testing::ElementsAre("empty.txt", "every_byte.bin", "large.txt", "sample.txt"));
}

TEST(Embed, KeepsText) {
  EXPECT_EQ(Content("sample.txt"), "A line with \"quotes\" and a \\.\n\nNo newline at the end");
}

TEST(Embed, KeepsEveryByte) {
  std::string expected;
  for (int byte = 0; byte < 256; ++byte) expected.push_back(static_cast<char>(byte));
  expected += "?";
  expected += "?/7";  // in one piece a trigraph
  expected.push_back('\0');
  EXPECT_EQ(Content("every_byte.bin"), expected);
}

TEST(Embed, KeepsAnEmptyFile) { EXPECT_EQ(Content("empty.txt"), ""); }

TEST(Embed, KeepsALargeFile) {
  const std::string_view content = Content("large.txt");
  ASSERT_EQ(content.size(), 375'000u * 7);
  EXPECT_EQ(content.substr(std::size_t{7} * 100'000, 7), "100000\n");
}

}  // namespace
}  // namespace pmproof::testing

// SPDX-License-Identifier: Apache-2.0
// The archives in golden/archive are those of the specification, byte for byte.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "generators/archive_image.h"

namespace pmproof::generators {
namespace {

void ExpectGolden(const ArchivePlan& plan, const std::string& path) {
  for (const auto& [suffix, bytes] : Encode(plan).files) {
    std::ifstream file(path + "." + suffix, std::ios::binary);
    ASSERT_TRUE(file) << path << "." << suffix;
    const std::vector<std::uint8_t> stored{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(stored, bytes) << path << "." << suffix;
  }
}

TEST(GoldenArchivesTest, TheWorkedExamplesAreThere) {  // ARC-680, ARC-681
  ExpectGolden(WorkedExample(2), "golden/archive/worked-v2/worked");
  ExpectGolden(WorkedExample(3), "golden/archive/worked-v3/worked");
}

TEST(GoldenArchivesTest, TheBaseArchivesAreThere) {  // ARC-1000
  ExpectGolden(BaseArchive(2), "golden/archive/base-v2/base");
  ExpectGolden(BaseArchive(3), "golden/archive/base-v3/base");
}

}  // namespace
}  // namespace pmproof::generators

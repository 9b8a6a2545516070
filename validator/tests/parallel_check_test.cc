// SPDX-License-Identifier: Apache-2.0
// Real archives, checked by several threads in short stretches, give what one thread finds.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "validator/check/check.h"
#include "validator/tests/shared_archives.h"
#include "validator/tests/shown_report.h"

namespace pmproof::validator {
namespace {

using testing::Shown;

// Lines of one that the other does not have, for people.
std::vector<std::string> Beyond(std::vector<std::string> lines, std::vector<std::string> known) {
  std::sort(lines.begin(), lines.end());
  std::sort(known.begin(), known.end());
  std::vector<std::string> beyond;
  std::set_difference(lines.begin(), lines.end(), known.begin(), known.end(),
                      std::back_inserter(beyond));
  return beyond;
}

TEST(ParallelCheckTest, ThreadsAndStretchesDoNotMatter) {
  const std::string folder = testing::SharedArchives();
  if (folder.empty()) GTEST_SKIP() << testing::kNoSharedArchives;
  const auto storage = archive::MakePosixStorage();
  const Catalogue catalogue = Catalogue::Shipped();
  const archive::ArchiveNames names = archive::ListArchives(*storage, {folder}, /*recursive=*/true);
  ASSERT_GT(names.names.size(), 100U);
  for (const std::string& name : names.names) {
    CheckOptions options;
    options.now = {1800000000, 0};
    const std::vector<std::string> serial = Shown(CheckArchive(*storage, name, catalogue, options));
    options.jobs = 3;
    for (const std::size_t stretch : {1U, 5000U}) {
      options.stretch = stretch;
      const std::vector<std::string> parallel =
          Shown(CheckArchive(*storage, name, catalogue, options));
      EXPECT_TRUE(parallel == serial)
          << name << " in stretches of " << stretch
          << "\nmore: " << ::testing::PrintToString(Beyond(parallel, serial))
          << "\nless: " << ::testing::PrintToString(Beyond(serial, parallel));
    }
  }
}

}  // namespace
}  // namespace pmproof::validator

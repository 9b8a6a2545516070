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

namespace pmproof::validator {
namespace {

// Everything in a report that a reader sees, as lines.
std::vector<std::string> Shown(const ArchiveReport& report) {
  std::vector<std::string> lines = {
      report.archive,
      report.failure ? report.failure->ToText() : "",
      std::to_string(report.readable),
      std::to_string(report.conformant),
      std::to_string(report.summary.records),
      std::to_string(report.summary.values),
      std::to_string(report.summary.bytes),
      std::to_string(report.counts.fatal) + " " + std::to_string(report.counts.error) + " " +
          std::to_string(report.counts.warning) + " " + std::to_string(report.counts.info)};
  for (const NotChecked& left : report.not_checked)
    lines.push_back(left.what + ": " + left.because);
  for (const std::string& error : report.internal_errors) lines.push_back(error);
  for (const Finding& finding : report.findings) {
    lines.push_back(finding.rule.ToString() + " " + ToText(finding.severity) + " " + finding.file +
                    " " + std::to_string(finding.offset) + " " + std::to_string(finding.length) +
                    " " + std::to_string(finding.record) + " " + finding.field + " " +
                    finding.actual + " " + finding.expected + " " + finding.message + " " +
                    std::to_string(finding.count));
  }
  return lines;
}

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
  const Result<Catalogue> catalogue = Catalogue::Shipped();
  ASSERT_TRUE(catalogue);
  const archive::ArchiveNames names = archive::ListArchives(*storage, {folder}, /*recursive=*/true);
  ASSERT_GT(names.names.size(), 100U);
  for (const std::string& name : names.names) {
    CheckOptions options;
    options.now = {1800000000, 0};
    const std::vector<std::string> serial =
        Shown(CheckArchive(*storage, name, *catalogue, options));
    options.jobs = 3;
    for (const std::size_t stretch : {1U, 5000U}) {
      options.stretch = stretch;
      const std::vector<std::string> parallel =
          Shown(CheckArchive(*storage, name, *catalogue, options));
      EXPECT_TRUE(parallel == serial)
          << name << " in stretches of " << stretch
          << "\nmore: " << ::testing::PrintToString(Beyond(parallel, serial))
          << "\nless: " << ::testing::PrintToString(Beyond(serial, parallel));
    }
  }
}

}  // namespace
}  // namespace pmproof::validator

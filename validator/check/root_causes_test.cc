// SPDX-License-Identifier: Apache-2.0
#include "validator/check/root_causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace pmproof::validator {
namespace {

using ::testing::Optional;

class RootCausesTest : public ::testing::Test {
 protected:
  Finding& Add(Clause rule, Severity severity, archive::Part part, std::uint64_t offset,
               std::uint64_t record = 0) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.severity = severity;
    finding.part = part;
    finding.offset = offset;
    finding.record = record;
    return finding;
  }

  // What the last finding follows from.
  std::optional<std::size_t> Cause(CauseScope scope) {
    static constexpr Clause kCauses[] = {"ARC-1102"_clause, "ARC-1103"_clause};
    const Rule::Cause follows[] = {{kCauses, scope}};
    const Rule rules[] = {{.id = "ARC-1102"_clause},
                          {.id = "ARC-1103"_clause},
                          {.id = "ARC-1915"_clause, .follows = follows}};
    LinkCauses(
        Catalogue(rules, ""),
        [](const Finding& finding) { return std::optional<archive::Part>(finding.record); },
        findings_);
    return findings_.back().follows;
  }

  std::vector<Finding> findings_;
};

TEST_F(RootCausesTest, APlaceIsTheSameOffsetOfTheSameFile) {
  Add("ARC-1102"_clause, Severity::kFatal, 0, 100);
  Add("ARC-1915"_clause, Severity::kError, 0, 100);
  EXPECT_THAT(Cause(CauseScope::kPlace), Optional(0U));
  findings_.back().offset = 104;
  findings_.back().follows.reset();
  EXPECT_EQ(Cause(CauseScope::kPlace), std::nullopt);
}

TEST_F(RootCausesTest, AFileIsLookedThroughUpToTheFinding) {
  Add("ARC-1102"_clause, Severity::kFatal, 0, 100);
  Add("ARC-1102"_clause, Severity::kFatal, 1, 10);
  Add("ARC-1915"_clause, Severity::kError, 0, 500);
  EXPECT_THAT(Cause(CauseScope::kFile), Optional(0U));
  findings_.back().offset = 99;
  findings_.back().follows.reset();
  EXPECT_EQ(Cause(CauseScope::kFile), std::nullopt);
}

TEST_F(RootCausesTest, ARecordIsThatOfTheSameFile) {
  Add("ARC-1102"_clause, Severity::kFatal, 0, 100, 7);
  Add("ARC-1915"_clause, Severity::kError, 0, 140, 7);
  EXPECT_THAT(Cause(CauseScope::kRecord), Optional(0U));
}

TEST_F(RootCausesTest, AnIndexEntryFollowsFromItsVolume) {
  Add("ARC-1102"_clause, Severity::kFatal, 1, 100);
  Add("ARC-1915"_clause, Severity::kError, archive::kIndexPart, 152, /*record: the volume*/ 1);
  EXPECT_THAT(Cause(CauseScope::kEntry), Optional(0U));
  findings_.back().record = 2;
  findings_.back().follows.reset();
  EXPECT_EQ(Cause(CauseScope::kEntry), std::nullopt);
}

TEST_F(RootCausesTest, TheGravestCauseCounts) {
  Add("ARC-1102"_clause, Severity::kError, 0, 100);
  Add("ARC-1103"_clause, Severity::kFatal, 0, 200);
  Add("ARC-1915"_clause, Severity::kError, archive::kIndexPart, 152);
  EXPECT_THAT(Cause(CauseScope::kVolumes), Optional(1U));
}

TEST_F(RootCausesTest, NothingFollowsFromWhatIsLessGrave) {
  Add("ARC-1102"_clause, Severity::kWarning, 0, 100);
  Add("ARC-1915"_clause, Severity::kError, archive::kIndexPart, 152);
  EXPECT_EQ(Cause(CauseScope::kArchive), std::nullopt);
}

}  // namespace
}  // namespace pmproof::validator

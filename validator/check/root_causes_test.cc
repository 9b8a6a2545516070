// SPDX-License-Identifier: Apache-2.0
#include "validator/check/root_causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace pmproof::validator {
namespace {

using ::testing::Optional;

class RootCausesTest : public ::testing::Test {
 protected:
  static Catalogue Rules(const std::string& scope) {
    const auto rule = [](const char* id, const std::string& more) {
      return std::string(R"({"id": ")") + id + R"(", "title": "t", "severity": "error",
          "part": "data", "clauses": ["ARC-082"], "what": "w", "why": "y", "remedy": "r")" +
             more + "}";
    };
    const std::string json =
        R"({"rules": [)" + rule("ARC-1102", "") + "," + rule("ARC-1103", "") + "," +
        rule("ARC-1915",
             R"(, "follows": [{"of": ["ARC-1102", "ARC-1103"], "in": ")" + scope + R"("}])") +
        "]}";
    const std::array files = {Catalogue::File{"rules.json", json}};
    return *Catalogue::FromJson(files);
  }

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
  std::optional<std::size_t> Cause(const std::string& scope) {
    const Catalogue catalogue = Rules(scope);
    LinkCauses(
        catalogue,
        [](const Finding& finding) { return std::optional<archive::Part>(finding.record); },
        findings_);
    return findings_.back().follows;
  }

  std::vector<Finding> findings_;
};

TEST_F(RootCausesTest, APlaceIsTheSameOffsetOfTheSameFile) {
  Add("ARC-1102"_clause, Severity::kFatal, 0, 100);
  Add("ARC-1915"_clause, Severity::kError, 0, 100);
  EXPECT_THAT(Cause("place"), Optional(0U));
  findings_.back().offset = 104;
  findings_.back().follows.reset();
  EXPECT_EQ(Cause("place"), std::nullopt);
}

TEST_F(RootCausesTest, AFileIsLookedThroughUpToTheFinding) {
  Add("ARC-1102"_clause, Severity::kFatal, 0, 100);
  Add("ARC-1102"_clause, Severity::kFatal, 1, 10);
  Add("ARC-1915"_clause, Severity::kError, 0, 500);
  EXPECT_THAT(Cause("file"), Optional(0U));
  findings_.back().offset = 99;
  findings_.back().follows.reset();
  EXPECT_EQ(Cause("file"), std::nullopt);
}

TEST_F(RootCausesTest, ARecordIsThatOfTheSameFile) {
  Add("ARC-1102"_clause, Severity::kFatal, 0, 100, 7);
  Add("ARC-1915"_clause, Severity::kError, 0, 140, 7);
  EXPECT_THAT(Cause("record"), Optional(0U));
}

TEST_F(RootCausesTest, AnIndexEntryFollowsFromItsVolume) {
  Add("ARC-1102"_clause, Severity::kFatal, 1, 100);
  Add("ARC-1915"_clause, Severity::kError, archive::kIndexPart, 152, /*record: the volume*/ 1);
  EXPECT_THAT(Cause("entry"), Optional(0U));
  findings_.back().record = 2;
  findings_.back().follows.reset();
  EXPECT_EQ(Cause("entry"), std::nullopt);
}

TEST_F(RootCausesTest, TheGravestCauseCounts) {
  Add("ARC-1102"_clause, Severity::kError, 0, 100);
  Add("ARC-1103"_clause, Severity::kFatal, 0, 200);
  Add("ARC-1915"_clause, Severity::kError, archive::kIndexPart, 152);
  EXPECT_THAT(Cause("volumes"), Optional(1U));
}

TEST_F(RootCausesTest, NothingFollowsFromWhatIsLessGrave) {
  Add("ARC-1102"_clause, Severity::kWarning, 0, 100);
  Add("ARC-1915"_clause, Severity::kError, archive::kIndexPart, 152);
  EXPECT_EQ(Cause("archive"), std::nullopt);
}

}  // namespace
}  // namespace pmproof::validator

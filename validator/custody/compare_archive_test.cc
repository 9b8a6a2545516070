// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/compare_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pmproof::validator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Content ContentOf(const std::string& text) { return {text.size(), Sha256Of(AsBytes(text))}; }

CertifiedFile Plain(const std::string& name, const std::string& content) {
  return {name, ContentOf(content), ContentOf(content), true};
}
CertifiedFile Packed(const std::string& name, const std::string& stored,
                     const std::string& content) {
  return {name, ContentOf(stored), ContentOf(content), true};
}

std::vector<std::string> Compare(const std::vector<CertifiedFile>& certified,
                                 const std::vector<CertifiedFile>& now) {
  const std::vector<FileComparison> files = CompareFiles(certified, now);
  std::vector<std::string> said;
  said.reserve(files.size());
  for (const FileComparison& file : files) {
    said.push_back(file.name + " " + ToText(file.state) + " " + file.now);
  }
  return said;
}

TEST(CompareFiles, TheSameBytesAreUnchanged) {
  EXPECT_THAT(Compare({Plain("a.0", "x")}, {Plain("a.0", "x")}), ElementsAre("a.0 unchanged a.0"));
}

TEST(CompareFiles, OtherBytesOfTheSameContentAreRecompressed) {
  EXPECT_THAT(Compare({Packed("a.0.xz", "p", "x")}, {Packed("a.0.xz", "q", "x")}),
              ElementsAre("a.0.xz recompressed a.0.xz"));
  EXPECT_THAT(Compare({Packed("a.0.xz", "p", "x")}, {Packed("a.0.zst", "q", "x")}),
              ElementsAre("a.0.xz recompressed a.0.zst"));
  EXPECT_THAT(Compare({Packed("a.0.xz", "p", "x")}, {Plain("a.0", "x")}),
              ElementsAre("a.0.xz recompressed a.0"));
  EXPECT_THAT(Compare({Plain("a.0", "x")}, {Packed("a.0.gz", "p", "x")}),
              ElementsAre("a.0 recompressed a.0.gz"));
}

TEST(CompareFiles, OfSeveralFormsTheOneWithTheContentStandsForTheFile) {
  EXPECT_THAT(
      Compare({Plain("a.0", "x")}, {Packed("a.0.bz2", "p", "y"), Packed("a.0.gz", "p", "x")}),
      ElementsAre("a.0 recompressed a.0.gz", "a.0.bz2 new a.0.bz2"));
}

TEST(CompareFiles, OtherContentIsChanged) {
  EXPECT_THAT(Compare({Plain("a.0", "x")}, {Plain("a.0", "y")}), ElementsAre("a.0 changed a.0"));
  EXPECT_THAT(Compare({Plain("a.0", "x")}, {Packed("a.0.gz", "p", "y")}),
              ElementsAre("a.0 changed a.0.gz"));
}

TEST(CompareFiles, WhatDidNotDecompressIsComparedAsItLies) {
  const CertifiedFile damaged{"a.0.xz", ContentOf("p"), std::nullopt, true};
  const CertifiedFile other{"a.0.xz", ContentOf("q"), std::nullopt, true};
  EXPECT_THAT(Compare({damaged}, {damaged}), ElementsAre("a.0.xz unchanged a.0.xz"));
  EXPECT_THAT(Compare({damaged}, {other}), ElementsAre("a.0.xz changed a.0.xz"));
}

TEST(CompareFiles, FilesAreMissingOrNew) {
  EXPECT_THAT(
      Compare({Plain("a.0", "x"), Plain("a.1", "y")}, {Plain("a.0", "x"), Plain("a.2", "y")}),
      ElementsAre("a.0 unchanged a.0", "a.1 missing ", "a.2 new a.2"));
  EXPECT_THAT(Compare({Plain("a.0", "x")}, {Plain("a.0", "x"), Packed("a.0.xz", "p", "x")}),
              ElementsAre("a.0 unchanged a.0", "a.0.xz new a.0.xz"));
}

TEST(StateOf, IsThatOfTheWorstFile) {
  const auto state = [](const std::vector<CertifiedFile>& certified,
                        const std::vector<CertifiedFile>& now) {
    return StateOf(CompareFiles(certified, now));
  };
  const CertifiedFile a = Plain("a.0", "x");
  const CertifiedFile b = Plain("a.1", "y");
  const CertifiedFile packed = Packed("a.1.xz", "p", "y");
  EXPECT_EQ(state({a, b}, {a, b}), ArchiveState::kUnchanged);
  EXPECT_EQ(state({a, b}, {a, packed}), ArchiveState::kRecompressed);
  EXPECT_EQ(state({a, b}, {a}), ArchiveState::kChanged);
  EXPECT_EQ(state({a}, {a, b}), ArchiveState::kChanged);
  EXPECT_EQ(state({a, b}, {}), ArchiveState::kMissing);
}

Finding At(Clause rule, std::uint64_t offset) {
  Finding finding;
  finding.rule = rule;
  finding.offset = offset;
  return finding;
}

TEST(CompareFindings, WordsAndOrderMakeNoDifference) {
  Finding reworded = At("ARC-1102"_clause, 4);
  reworded.message = "said better";
  reworded.file = "a.0.zst";
  EXPECT_THAT(CompareFindings({At("ARC-1102"_clause, 4), At("ARC-1102"_clause, 8)},
                              {At("ARC-1102"_clause, 8), reworded}),
              IsEmpty());
}

TEST(CompareFindings, WhatOneOfThemHasIsListedByPlace) {
  const auto differences = CompareFindings(
      {At("ARC-1102"_clause, 4), At("ARC-1104"_clause, 9)},
      {At("ARC-1102"_clause, 4), At("ARC-1102"_clause, 4), At("ARC-1103"_clause, 2)});
  std::vector<std::string> said;
  said.reserve(differences.size());
  for (const FindingDifference& one : differences) {
    said.push_back((one.is_new ? "+" : "-") + one.finding.rule.ToString() + " " +
                   std::to_string(one.finding.offset));
  }
  EXPECT_THAT(said, ElementsAre("+ARC-1103 2", "+ARC-1102 4", "-ARC-1104 9"));
}

TEST(CompareFindings, AnotherSeverityIsAnotherFinding) {
  Finding graver = At("ARC-1102"_clause, 4);
  graver.severity = Severity::kFatal;
  EXPECT_EQ(CompareFindings({At("ARC-1102"_clause, 4)}, {graver}).size(), 2U);
}

}  // namespace
}  // namespace pmproof::validator

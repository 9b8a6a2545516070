// SPDX-License-Identifier: Apache-2.0
#include "validator/catalogue/spec_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "validator/catalogue/catalogue.h"

namespace pmproof::validator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kSpec[] =
    "# Chapter\n"
    "\n"
    "## 1. Words\n"
    "\n"
    "ARC-001 First line,\n"
    "second **line**.\n"
    "\n"
    "| bits | field |\n"
    "|---|---|\n"
    "| 31 | flag |\n"
    "| 0 | - |\n"
    "\n"
    "ARC-002 Another.\n"
    "Sources: somewhere\n"
    "\n"
    "Not of ARC-002 any more.\n"
    "\n"
    "- MET-101 An item\n"
    "  that goes on.\n"
    "- MET-102 The next.\n"
    "\n"
    "## 2. Rules\n"
    "\n"
    "| ID | Rule | Effect |\n"
    "|---|---|---|\n"
    "| ARC-1001 | exists | a \\| b |\n"
    "| ARC-1002 | | none |\n"
    "\n"
    "## 3. Corrections\n"
    "\n"
    "| rule | now |\n"
    "|---|---|\n"
    "| ARC-1001 | warning |\n";

class SpecTextTest : public ::testing::Test {
 protected:
  static SpecText Read(std::string_view content) {
    const std::array files = {SpecText::File{"reference/spec/chapter.md", content}};
    return SpecText::FromMarkdown(files);
  }

  const SpecText spec_ = Read(kSpec);
};

TEST_F(SpecTextTest, AParagraphIsOneLineAndOwnsTheTableBehindIt) {
  const auto& excerpts = spec_.Find("ARC-001"_clause);
  ASSERT_THAT(excerpts, SizeIs(1));
  EXPECT_EQ(excerpts[0].file, "chapter.md");
  EXPECT_EQ(excerpts[0].heading, "1. Words");
  EXPECT_THAT(excerpts[0].lines,
              ElementsAre("ARC-001 First line, second **line**.", "", "| bits | field |",
                          "|---|---|", "| 31 | flag |", "| 0 | - |"));
}

TEST_F(SpecTextTest, ForReadingAlignsTablesAndDropsMarks) {
  EXPECT_EQ(ForReading(spec_.Find("ARC-001"_clause)[0], 30, 2),
            "  ARC-001 First line, second\n"
            "  line.\n"
            "\n"
            "  bits  field\n"
            "  ----  -----\n"
            "  31    flag\n"
            "  0     -\n");
}

TEST_F(SpecTextTest, AClauseEndsBeforeItsSources) {
  EXPECT_THAT(spec_.Find("ARC-002"_clause)[0].lines, ElementsAre("ARC-002 Another."));
}

TEST_F(SpecTextTest, AListItemIsAClause) {
  EXPECT_THAT(spec_.Find("MET-101"_clause)[0].lines, ElementsAre("MET-101 An item that goes on."));
  EXPECT_THAT(spec_.Find("MET-102"_clause)[0].lines, ElementsAre("MET-102 The next."));
}

TEST_F(SpecTextTest, ATableRowIsALineForEachCell) {
  const auto& excerpts = spec_.Find("ARC-1001"_clause);
  ASSERT_THAT(excerpts, SizeIs(2));
  EXPECT_THAT(excerpts[0].lines, ElementsAre("Rule: exists", "Effect: a | b"));
  EXPECT_THAT(spec_.Find("ARC-1002"_clause)[0].lines, ElementsAre("Effect: none"));
}

TEST_F(SpecTextTest, ACorrectionIsFoundBesideTheClause) {
  const auto& excerpts = spec_.Find("ARC-1001"_clause);
  ASSERT_THAT(excerpts, SizeIs(2));
  EXPECT_EQ(excerpts[1].heading, "3. Corrections");
  EXPECT_THAT(excerpts[1].lines, ElementsAre("now: warning"));
}

TEST_F(SpecTextTest, AnUnknownClauseHasNoText) {
  EXPECT_THAT(spec_.Find("ARC-777"_clause), IsEmpty());
}

TEST_F(SpecTextTest, AMentionWithinAParagraphIsNoClause) {
  EXPECT_THAT(Read("ARC-001 see\nARC-002 too.\n").Find("ARC-002"_clause), IsEmpty());
}

// What code and catalogue name can be looked up by `explain`.
TEST(ShippedSpecTest, EveryRuleAndEachOfItsClausesIsThere) {
  const SpecText spec = SpecText::Shipped();
  const Catalogue catalogue = Catalogue::Shipped();
  for (const Rule& rule : catalogue.entries()) {
    EXPECT_THAT(spec.Find(rule.id), Not(IsEmpty())) << rule.id.ToString();
    for (const Clause clause : rule.clauses) {
      EXPECT_THAT(spec.Find(clause), Not(IsEmpty()))
          << rule.id.ToString() << " names " << clause.ToString();
    }
  }
}

}  // namespace
}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/catalogue/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "validator/catalogue/rule_selection.h"
#include "validator/check/report/testing/sample_report.h"

namespace pmproof::validator {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Result<Catalogue> FromText(const std::string& json) {
  const std::array files = {Catalogue::File{"rules.json", json}};
  return Catalogue::FromJson(files);
}

// A list of one rule, with `more` among its keys.
std::string RuleWith(const std::string& more) {
  return R"([{"id": "ARC-1001", "title": "t", "part": "files", "clauses": ["ARC-030"], "what": "w", "why": "y",
             "remedy": "r")" +
         more + "}]";
}

TEST(CatalogueTest, TheShippedRulesLoad) {
  const Result<Catalogue> catalogue = Catalogue::Shipped();
  ASSERT_TRUE(catalogue) << catalogue.error().ToText();
  EXPECT_GE(catalogue->entries().size(), 265U);
  EXPECT_THAT(catalogue->digest(), ::testing::MatchesRegex("[0-9a-f]{16}"));
  const Rule* rule = catalogue->Find("ARC-1102"_clause);
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->severity, Severity::kFatal);
  EXPECT_EQ(rule->live, Severity::kInfo);
}

TEST(CatalogueTest, ShippedRulesNameOnlyRulesThatExist) {
  const Result<Catalogue> catalogue = Catalogue::Shipped();
  ASSERT_TRUE(catalogue);
  for (const Rule& rule : catalogue->entries()) {
    for (const auto* list : {&rule.together, &rule.covered_by}) {
      for (const Clause other : *list) {
        EXPECT_NE(catalogue->Find(other), nullptr)
            << rule.id.ToString() << " names " << other.ToString();
      }
    }
  }
}

TEST(CatalogueTest, RulesAreOrderedByIdentifier) {
  const Catalogue catalogue = testing::SmallCatalogue();
  ASSERT_THAT(catalogue.entries(), SizeIs(3));
  EXPECT_EQ(catalogue.entries()[0].id, "ARC-1003"_clause);
  EXPECT_EQ(catalogue.entries()[2].id, "ARC-1303"_clause);
  EXPECT_EQ(catalogue.Find("ARC-1004"_clause), nullptr);
}

TEST(CatalogueTest, ARuleWithoutLiveHasTheSameSeverityInBothProfiles) {
  const Result<Catalogue> catalogue = FromText(RuleWith(R"(, "severity": "info")"));
  ASSERT_TRUE(catalogue) << catalogue.error().ToText();
  EXPECT_EQ(catalogue->entries()[0].In(Profile::kLive), Severity::kInfo);
}

TEST(CatalogueTest, ARuleThatIsOffInLiveHasNoSeverityThere) {
  const Result<Catalogue> catalogue = FromText(RuleWith(R"(, "severity": "info", "live": "off")"));
  ASSERT_TRUE(catalogue);
  EXPECT_EQ(catalogue->entries()[0].In(Profile::kLive), std::nullopt);
  EXPECT_EQ(catalogue->entries()[0].In(Profile::kArchival), Severity::kInfo);
}

TEST(CatalogueTest, ADigestTellsOtherRulesApart) {
  EXPECT_NE(FromText(RuleWith(R"(, "severity": "info")"))->digest(),
            FromText(RuleWith(R"(, "severity": "error")"))->digest());
}

TEST(CatalogueTest, BrokenDataAreAnErrorThatNamesFileAndRule) {
  const struct {
    std::string json;
    const char* message;
  } cases[] = {
      {"{", "not JSON"},
      {"{}", "no \"rules\""},
      {"{\"rules\": 1}", "not a list"},
      {"[1]", "rule 1 is not an object"},
      {RuleWith(""), "\"severity\" is missing"},
      {RuleWith(R"(, "severity": "bad")"), "not a severity: bad"},
      {RuleWith(R"(, "severity": 7)"), "\"severity\" is not a text"},
      {RuleWith(R"(, "severity": "info", "live": "never")"), "\"live\" is not a severity: never"},
      {RuleWith(R"(, "severity": "info", "also": "error")"), "go together"},
      {RuleWith(R"(, "severity": "info", "together": ["x"])"),
       "\"together\" is not an identifier: x"},
      {RuleWith(R"(, "severity": "info", "together": "ARC-1002")"), "\"together\" is not a list"},
      {RuleWith(R"(, "severity": "info", "together": [1])"),
       "\"together\" is not a list of identifiers"},
  };
  for (const auto& broken : cases) {
    const Result<Catalogue> catalogue = FromText(broken.json);
    ASSERT_FALSE(catalogue) << broken.json;
    EXPECT_THAT(catalogue.error().ToText(),
                AllOf(HasSubstr("rules.json"), HasSubstr(broken.message)));
  }
}

TEST(CatalogueTest, AnIdentifierThatOccursTwiceIsAnError) {
  const std::string rules = RuleWith(R"(, "severity": "info")");
  const std::array files = {Catalogue::File{"a.json", rules}, Catalogue::File{"b.json", rules}};
  const Result<Catalogue> catalogue = Catalogue::FromJson(files);
  ASSERT_FALSE(catalogue);
  EXPECT_THAT(catalogue.error().ToText(), HasSubstr("ARC-1001 occurs twice"));
}

class RuleSelectionTest : public ::testing::Test {
 protected:
  std::vector<std::string> Selected(const RuleSelection& selection) const {
    std::vector<std::string> selected;
    for (const Rule& rule : catalogue_.entries()) {
      if (selection.Selects(rule)) selected.push_back(rule.id.ToString());
    }
    return selected;
  }

  const Catalogue catalogue_ = testing::SmallCatalogue();
};

TEST_F(RuleSelectionTest, AllByDefault) {
  EXPECT_THAT(Selected({}), SizeIs(3));
  EXPECT_THAT(LeftOut(catalogue_, {}, Profile::kArchival), IsEmpty());
}

TEST_F(RuleSelectionTest, OnlyKeepsTheRulesAboutFiles) {
  RuleSelection selection;
  selection.only = {RulePart::kLabel};
  EXPECT_THAT(Selected(selection), ElementsAre("ARC-1003", "ARC-1102"));
}

TEST_F(RuleSelectionTest, AddedRulesAloneAreTheWholeSelection) {
  RuleSelection selection;
  selection.added = {"ARC-1303"_clause};
  EXPECT_THAT(Selected(selection), ElementsAre("ARC-1303"));
}

TEST_F(RuleSelectionTest, AddedRulesComeBesideThoseOfOnly) {
  RuleSelection selection;
  selection.only = {RulePart::kLabel};
  selection.added = {"ARC-1303"_clause};
  selection.removed = {"ARC-1003"_clause};
  EXPECT_THAT(Selected(selection), ElementsAre("ARC-1102", "ARC-1303"));
}

TEST_F(RuleSelectionTest, WhatIsLeftOutIsListedWithItsReason) {
  RuleSelection selection;
  selection.removed = {"ARC-1102"_clause};
  const std::vector<NotChecked> left_out = LeftOut(catalogue_, selection, Profile::kLive);
  ASSERT_THAT(left_out, SizeIs(2));
  EXPECT_EQ(left_out[0].what + ": " + left_out[0].because, "ARC-1003: off in profile live");
  EXPECT_EQ(left_out[1].what + ": " + left_out[1].because,
            "ARC-1102: left out by --rule or --only");
}

}  // namespace
}  // namespace pmproof::validator

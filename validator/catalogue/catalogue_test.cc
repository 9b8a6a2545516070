// SPDX-License-Identifier: Apache-2.0
#include "validator/catalogue/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "validator/check/report/testing/sample_report.h"

namespace pmproof::validator {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
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
  EXPECT_GE(catalogue->entries().size(), 275U);
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

}  // namespace
}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/catalogue/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "validator/catalogue/catalogue_files.h"
#include "validator/catalogue/check_catalogue.h"
#include "validator/catalogue/check_files.h"
#include "validator/check/report/testing/sample_report.h"

namespace pmproof::validator {
namespace {

using Json = nlohmann::json;
using ::testing::SizeIs;

template <typename Entry>
void ExpectAscending(const CatalogueOf<Entry>& catalogue) {
  const auto twice =
      std::ranges::adjacent_find(catalogue.entries(), std::ranges::greater_equal(), &Entry::id);
  EXPECT_TRUE(twice == catalogue.entries().end()) << twice->id.ToString();
}

std::string DigestOf(std::span<const EmbeddedFile> files) {
  XXH64_hash_t digest = 0;
  for (const EmbeddedFile& file : files) {
    digest = XXH64(file.content.data(), file.content.size(), digest);
  }
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(digest));
  return text.data();
}

Json Texts(std::span<const Clause> clauses) {
  Json texts = Json::array();
  for (const Clause clause : clauses) texts.push_back(clause.ToString());
  return texts;
}

// A rule as the JSON files say it.
Json JsonOf(const Rule& rule) {
  constexpr const char* kScopes[] = {"place",    "record",  "file",   "entry",
                                     "metadata", "volumes", "archive"};
  Json json = {{"id", rule.id.ToString()},
               {"title", rule.title},
               {"severity", ToText(rule.severity)},
               {"part", ToText(rule.part)},
               {"clauses", Texts(rule.clauses)},
               {"what", rule.what},
               {"why", rule.why},
               {"remedy", rule.remedy}};
  if (rule.also) json["also"] = ToText(*rule.also);
  if (rule.live != rule.severity) json["live"] = rule.live ? ToText(*rule.live) : "off";
  if (rule.ingest != rule.severity) json["ingest"] = ToText(rule.ingest);
  if (!rule.also_when.empty()) json["also_when"] = rule.also_when;
  if (!rule.live_when.empty()) json["live_when"] = rule.live_when;
  if (!rule.together.empty()) json["together"] = Texts(rule.together);
  if (!rule.covered_by.empty()) json["covered_by"] = Texts(rule.covered_by);
  for (const Rule::Cause& cause : rule.follows) {
    json["follows"].push_back(
        {{"of", Texts(cause.of)}, {"in", kScopes[static_cast<std::size_t>(cause.in)]}});
  }
  return json;
}

Json JsonOf(const CheckEntry& check) {
  Json json = {{"id", check.id.ToString()},
               {"title", check.title},
               {"severity", ToText(check.severity)},
               {"clauses", Texts(check.clauses)},
               {"what", check.what},
               {"why", check.why},
               {"remedy", check.remedy}};
  if (!check.needs.empty()) json["needs"] = check.needs;
  if (!check.summary.empty()) json["summary"] = check.summary;
  if (check.destroys) json["destroys"] = true;
  return json;
}

TEST(CatalogueTest, TheTableOfRulesSaysWhatTheFilesSay) {
  const Catalogue catalogue = Catalogue::Shipped();
  ExpectAscending(catalogue);
  std::size_t rules = 0;
  for (const EmbeddedFile& file : catalogue_files()) {
    const Json whole = Json::parse(file.content);
    for (const Json& json : whole["rules"]) {
      const Rule* const rule = catalogue.Find(*Clause::Parse(json["id"].get<std::string>()));
      ASSERT_NE(rule, nullptr) << json["id"];
      EXPECT_EQ(JsonOf(*rule), json);
      ++rules;
    }
  }
  EXPECT_THAT(catalogue.entries(), SizeIs(rules));
  EXPECT_GE(rules, 275U);
  EXPECT_EQ(catalogue.digest(), DigestOf(catalogue_files()));
}

TEST(CatalogueTest, TheTableOfChecksSaysWhatTheFilesSay) {
  constexpr const char* kSubjects[] = {"agent", "files", "collector"};
  const CheckCatalogue catalogue = CheckCatalogue::Shipped();
  ExpectAscending(catalogue);
  std::size_t checks = 0;
  for (const EmbeddedFile& file : check_files()) {
    const Json whole = Json::parse(file.content);
    for (const Json& json : whole["checks"]) {
      const CheckEntry* const check = catalogue.Find(*Clause::Parse(json["id"].get<std::string>()));
      ASSERT_NE(check, nullptr) << json["id"];
      EXPECT_EQ(JsonOf(*check), json);
      EXPECT_EQ(check->section, whole["section"]);
      EXPECT_EQ(check->heading, whole["title"]);
      EXPECT_EQ(kSubjects[static_cast<std::size_t>(check->subject)], whole["subject"]);
      ++checks;
    }
  }
  EXPECT_THAT(catalogue.entries(), SizeIs(checks));
  EXPECT_GE(checks, 153U);
  EXPECT_EQ(catalogue.digest(), DigestOf(check_files()));
}

TEST(CatalogueTest, WhatIsNotThereIsNotFound) {
  const Catalogue catalogue = testing::SmallCatalogue();
  ASSERT_THAT(catalogue.entries(), SizeIs(3));
  EXPECT_EQ(catalogue.Find("ARC-1003"_clause), &catalogue.entries()[0]);
  EXPECT_EQ(catalogue.Find("ARC-1004"_clause), nullptr);
  EXPECT_EQ(catalogue.Find("ARC-1304"_clause), nullptr);
  EXPECT_EQ(Catalogue().Find("ARC-1003"_clause), nullptr);
}

TEST(CatalogueTest, ARuleMayBeOffInAProfile) {
  const Rule& rule = *testing::SmallCatalogue().Find("ARC-1003"_clause);
  EXPECT_EQ(rule.In(Profile::kLive), std::nullopt);
  EXPECT_EQ(rule.In(Profile::kArchival), Severity::kWarning);
  EXPECT_EQ(rule.In(Profile::kIngest), Severity::kWarning);
}

TEST(CatalogueTest, ShippedRulesNameOnlyRulesThatExist) {
  const Catalogue catalogue = Catalogue::Shipped();
  for (const Rule& rule : catalogue.entries()) {
    for (const auto* list : {&rule.together, &rule.covered_by}) {
      for (const Clause other : *list) {
        EXPECT_NE(catalogue.Find(other), nullptr)
            << rule.id.ToString() << " names " << other.ToString();
      }
    }
  }
}

}  // namespace
}  // namespace pmproof::validator

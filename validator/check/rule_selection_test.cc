// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rule_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "validator/check/report/testing/sample_report.h"

namespace pmproof::validator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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

// SPDX-License-Identifier: Apache-2.0
// The trial of mutations finds those that are wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "generators/archive_image.h"
#include "generators/mutation.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

using generators::ArchiveImage;
using generators::ArchivePlan;
using generators::Mutation;
using generators::NotApplicable;
using generators::Random;
using ::testing::HasSubstr;

NotApplicable Nothing(ArchivePlan&, Random&) { return std::nullopt; }
NotApplicable NothingToBeHad(ArchivePlan&, Random&) { return "it has nothing"; }

NotApplicable IndexCut(ArchiveImage& image, const ArchivePlan&, Random&) {
  image.Truncate("index", image.files.at("index").size() - 1);
  return std::nullopt;
}

NotApplicable MarkAtTheEnd(ArchivePlan& plan, Random&) {
  plan.volumes.at(0).push_back({{generators::kBaseTime + 6, 0}, {}});
  return std::nullopt;
}

class TrialTest : public ::testing::Test {
 protected:
  TrialTest() : catalogue_(Catalogue::Shipped()) {}

  Trial Try(const Mutation& mutation, int version = 3) {
    return TryMutation(mutation, generators::BaseArchive(version), {"ARC-2008", "ARC-2009"}, 0,
                       catalogue_);
  }

  const Catalogue catalogue_;
};

TEST_F(TrialTest, AMutationThatDoesNothingIsWrong) {
  const Trial trial = Try({.rule = "ARC-1901"_clause, .edit = "", .plan = Nothing});
  EXPECT_TRUE(trial.applied);
  EXPECT_EQ(trial.wrong, "found {ARC-2008 ARC-2009}, before {ARC-2008 ARC-2009}");
}

// A part of the last entry is left, which is not an entry for the last record any more.
TEST_F(TrialTest, AMutationThatBreaksMoreThanItsRuleIsWrong) {
  const Trial trial = Try({.rule = "ARC-1901"_clause, .edit = "", .image = IndexCut});
  EXPECT_THAT(trial.wrong, HasSubstr("found {ARC-1901 ARC-1922 "));
}

TEST_F(TrialTest, AMutationThatBreaksAnotherRuleIsWrong) {
  const Trial trial = Try({.rule = "ARC-1724"_clause, .edit = "", .plan = MarkAtTheEnd});
  EXPECT_THAT(trial.wrong, HasSubstr("ARC-1723"));
}

TEST_F(TrialTest, AMutationThatBreaksItsRuleIsRight) {
  const Trial trial = Try({.rule = "ARC-1723"_clause, .edit = "", .plan = MarkAtTheEnd});
  EXPECT_TRUE(trial.applied);
  EXPECT_EQ(trial.wrong, "");
}

TEST_F(TrialTest, WhatAnArchiveLacksIsNoFailure) {
  EXPECT_FALSE(Try({.rule = "ARC-1901"_clause, .edit = "", .plan = NothingToBeHad}).applied);
}

TEST_F(TrialTest, AMutationForOneVersionIsNotAppliedToTheOther) {
  const Mutation mutation = {
      .rule = "ARC-1723"_clause, .edit = "", .plan = MarkAtTheEnd, .version = 3};
  EXPECT_TRUE(Try(mutation, 3).applied);
  EXPECT_FALSE(Try(mutation, 2).applied);
}

TEST_F(TrialTest, ARuleThatIsNotCataloguedIsWrong) {
  EXPECT_EQ(Try({.rule = "ARC-1999"_clause, .edit = "", .plan = Nothing}).wrong, "no such rule");
}

}  // namespace
}  // namespace pmproof::validator::testing

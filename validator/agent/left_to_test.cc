// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/left_to.h"

#include <gtest/gtest.h>

#include <vector>

namespace pmproof::validator::agent {
namespace {

class WhatWasLeft : public ::testing::Test {
 protected:
  void Is(Clause id, const Verdict& verdict) { outcomes_[id] = {.id = id, .verdict = verdict}; }
  void Leaves(Clause id, std::vector<Clause> to) { Is(id, Verdict::Left("seen", std::move(to))); }
  const Verdict& Settled(Clause id) { return outcomes_.at(id).verdict; }
  void Settle() { SettleWhatWasLeft(&outcomes_); }

  std::map<Clause, CheckOutcome> outcomes_{};
};

TEST_F(WhatWasLeft, StaysNotCheckedWhereTheOtherReportsIt) {
  Is("CKA-037"_clause, Verdict::Fail("seen"));
  Leaves("CKA-061"_clause, {"CKA-036"_clause, "CKA-037"_clause});
  Settle();
  EXPECT_EQ(Settled("CKA-061"_clause), Verdict::NotChecked("seen (CKA-036, CKA-037)"));
}

TEST_F(WhatWasLeft, FailsWhereTheOtherPassed) {
  Is("CKA-037"_clause, Verdict::Pass());
  Leaves("CKA-061"_clause, {"CKA-037"_clause});
  Settle();
  EXPECT_EQ(Settled("CKA-061"_clause),
            Verdict::Fail("seen (CKA-037 had no occasion to report it)"));
}

TEST_F(WhatWasLeft, FailsWhereTheOtherWasNotMade) {
  Leaves("CKA-061"_clause, {"CKA-037"_clause});
  Settle();
  EXPECT_EQ(Settled("CKA-061"_clause).outcome, Outcome::kFail);
}

TEST_F(WhatWasLeft, IsToldByOneOfAChain) {
  Leaves("CKA-155"_clause, {"CKA-039"_clause});
  Leaves("CKA-039"_clause, {"CKA-037"_clause});
  Is("CKA-037"_clause, Verdict::Pass());
  Settle();
  EXPECT_EQ(Settled("CKA-039"_clause).outcome, Outcome::kFail);
  EXPECT_EQ(Settled("CKA-155"_clause), Verdict::NotChecked("seen (CKA-039)"));
}

TEST_F(WhatWasLeft, IsToldByOneOfThoseThatLeaveItToEachOther) {
  Leaves("CKA-087"_clause, {"CKA-088"_clause});
  Leaves("CKA-088"_clause, {"CKA-087"_clause});
  Settle();
  EXPECT_EQ(Settled("CKA-087"_clause).outcome, Outcome::kFail);
  EXPECT_EQ(Settled("CKA-088"_clause).outcome, Outcome::kNotChecked);
}

}  // namespace
}  // namespace pmproof::validator::agent

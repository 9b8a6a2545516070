// SPDX-License-Identifier: Apache-2.0
// What is said of an agent or a collector follows from what was checked of it, and from nothing
// that was not.

#include "validator/protocol_check/claim.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pmproof::validator::agent {
namespace {

class Claims : public ::testing::Test {
 protected:
  const CheckCatalogue catalogue = CheckCatalogue::Shipped();

  // All checks of agents or collectors passed.
  AgentReport Passed(CheckEntry::Subject subject = CheckEntry::Subject::kAgent) const {
    AgentReport report{.metrics = 1};
    if (subject == CheckEntry::Subject::kCollector) report.collector = CollectorFacts{};
    for (const CheckEntry& entry : catalogue.entries()) {
      if (entry.subject == subject) report.checks.push_back({.id = entry.id});
    }
    return report;
  }

  static CheckOutcome& Of(AgentReport& report, Clause id) {
    return *std::find_if(report.checks.begin(), report.checks.end(),
                         [id](const CheckOutcome& outcome) { return outcome.id == id; });
  }

  static void Skip(AgentReport& report, Clause id, bool left_out = false) {
    Of(report, id).verdict = Verdict::NotChecked("for a reason");
    Of(report, id).left_out = left_out;
  }

  std::string Words(const AgentReport& report) const { return ClaimOf(report, catalogue).ToText(); }
  ExitStatus Status(const AgentReport& report) const {
    return ExitStatusOf(report, catalogue, Severity::kError);
  }
};

TEST_F(Claims, OfAllThatPassedIsConformant) {
  const AgentReport report = Passed();
  EXPECT_EQ(Words(report), "conformant");
  EXPECT_EQ(NotCoveredText(ClaimOf(report, catalogue)), "");
  EXPECT_EQ(Status(report), ExitStatus::kOk);
}

TEST_F(Claims, OfAnErrorIsNotConformantAndOfAWarningIs) {
  AgentReport report = Passed();
  Of(report, "CKA-031"_clause).verdict = Verdict::Fail("a warning");
  EXPECT_EQ(Words(report), "conformant");
  Of(report, "CKA-030"_clause).verdict = Verdict::Fail("an error");
  EXPECT_EQ(Words(report), "not conformant");
  EXPECT_EQ(Status(report), ExitStatus::kFindings);
}

TEST_F(Claims, OfASelectionAreUndeterminedAndTheRunSucceeds) {
  AgentReport report = Passed();
  for (CheckOutcome& outcome : report.checks) {
    if (outcome.id != "CKA-001"_clause) Skip(report, outcome.id, /*left_out=*/true);
  }
  EXPECT_EQ(Words(report), "undetermined");
  EXPECT_EQ(ClaimOf(report, catalogue).because, "only a selection of the checks was made");
  EXPECT_EQ(Status(report), ExitStatus::kOk);
}

TEST_F(Claims, OfASelectionThatFailsAreNotConformant) {
  AgentReport report = Passed();
  for (CheckOutcome& outcome : report.checks) Skip(report, outcome.id, /*left_out=*/true);
  Of(report, "CKA-001"_clause).verdict = Verdict::Fail("an error");
  EXPECT_EQ(Words(report), "not conformant");
  EXPECT_EQ(Status(report), ExitStatus::kFindings);
}

TEST_F(Claims, OfAnAgentWithoutMetricsAreUndeterminedAndNeverASuccess) {
  AgentReport report = Passed();
  report.metrics = 0;
  EXPECT_EQ(Words(report), "undetermined");
  EXPECT_NE(ClaimOf(report, catalogue).because.find("no metric"), std::string::npos);
  EXPECT_EQ(Status(report), ExitStatus::kBudget);
  for (CheckOutcome& outcome : report.checks) {
    if (outcome.id != "CKA-001"_clause) Skip(report, outcome.id, /*left_out=*/true);
  }
  EXPECT_EQ(Status(report), ExitStatus::kBudget);
}

TEST_F(Claims, SayWhatTheyDoNotCover) {
  AgentReport report = Passed();
  Skip(report, "CKA-008"_clause);
  Skip(report, "CKA-110"_clause);
  Skip(report, "CKA-111"_clause);
  Skip(report, "CKA-015"_clause, /*left_out=*/true);
  EXPECT_EQ(Words(report), "conformant");
  EXPECT_EQ(NotCoveredText(ClaimOf(report, catalogue)),
            "--slow (CKA-008), left out by --check (CKA-015), --store (2 checks)");
}

TEST_F(Claims, WithoutARequiredCheckAreUndetermined) {
  using Subject = CheckEntry::Subject;
  for (const Subject subject : {Subject::kAgent, Subject::kFiles, Subject::kCollector}) {
    for (const CheckEntry& entry : catalogue.entries()) {
      if (entry.subject != subject) continue;
      AgentReport report = Passed(subject);
      Skip(report, entry.id);
      EXPECT_EQ(Words(report), entry.required() ? "undetermined" : "conformant")
          << entry.id.ToString();
      EXPECT_EQ(Status(report), entry.required() ? ExitStatus::kBudget : ExitStatus::kOk);
    }
  }
}

TEST_F(Claims, OfWhatCannotBeCheckedAreUndetermined) {
  AgentReport report = Passed();
  report.failure = "it does not start";
  Of(report, "CKA-001"_clause).verdict = Verdict::Fail("an error");
  EXPECT_EQ(Words(report), "undetermined");
  EXPECT_EQ(Status(report), ExitStatus::kTesteeFailed);
}

TEST_F(Claims, CountDeclaredDeviations) {
  Claim claim{.kind = Claim::Kind::kConformant, .deviations = 1};
  EXPECT_EQ(claim.ToText(), "conformant with 1 declared deviation");
  claim.deviations = 2;
  EXPECT_EQ(claim.ToText(), "conformant with 2 declared deviations");
}

}  // namespace
}  // namespace pmproof::validator::agent

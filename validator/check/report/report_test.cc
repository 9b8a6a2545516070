// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/report.h"

#include <gtest/gtest.h>

#include "validator/check/report/testing/sample_report.h"

namespace pmproof::validator {
namespace {

ArchiveReport WithCounts(Counts counts) {
  ArchiveReport archive = testing::GoodArchive();
  archive.counts = counts;
  return archive;
}

ArchiveReport WithFailure(Status::Kind kind) {
  ArchiveReport archive = testing::FailedArchive();
  archive.failure->kind = kind;
  return archive;
}

ExitStatus StatusOf(std::vector<ArchiveReport> archives, Severity fail_on = Severity::kError) {
  Report report;
  report.archives = std::move(archives);
  return ExitStatusOf(report, fail_on);
}

TEST(ExitStatusTest, ConformantIsZero) {
  EXPECT_EQ(StatusOf({testing::GoodArchive()}), ExitStatus::kOk);
}

TEST(ExitStatusTest, NothingCheckedIsNotConformant) {
  EXPECT_EQ(StatusOf({}), ExitStatus::kUnreadable);
}

TEST(ExitStatusTest, FindingsCountFromFailOnUpwards) {
  const ArchiveReport warning = WithCounts({.fatal = 0, .error = 0, .warning = 1, .info = 9});
  EXPECT_EQ(StatusOf({warning}, Severity::kError), ExitStatus::kOk);
  EXPECT_EQ(StatusOf({warning}, Severity::kWarning), ExitStatus::kFindings);
  EXPECT_EQ(
      StatusOf({WithCounts({.fatal = 1, .error = 0, .warning = 0, .info = 0})}, Severity::kError),
      ExitStatus::kFindings);
  EXPECT_EQ(
      StatusOf({WithCounts({.fatal = 0, .error = 0, .warning = 0, .info = 1})}, Severity::kInfo),
      ExitStatus::kFindings);
}

TEST(ExitStatusTest, FindingsOfAPolicyCountFromFailOnUpwards) {
  Report report;
  report.archives = {testing::GoodArchive()};
  report.policy.emplace().findings = {{.check = PolicyCheck::kExpired,
                                       .severity = Severity::kWarning,
                                       .line = 1,
                                       .message = "",
                                       .reason = ""}};
  EXPECT_EQ(ExitStatusOf(report, Severity::kError), ExitStatus::kOk);
  EXPECT_EQ(ExitStatusOf(report, Severity::kWarning), ExitStatus::kFindings);
  report.archives[0].unmet = {{.check = PolicyCheck::kHost,
                               .severity = Severity::kError,
                               .line = 2,
                               .message = "",
                               .reason = ""}};
  EXPECT_EQ(ExitStatusOf(report, Severity::kError), ExitStatus::kFindings);
}

TEST(ExitStatusTest, BudgetGoesBeforeFindings) {
  EXPECT_EQ(StatusOf({testing::BadArchive(), WithFailure(Status::Kind::kBudget)}),
            ExitStatus::kBudget);
}

TEST(ExitStatusTest, UnreadableInputGoesBeforeBudget) {
  EXPECT_EQ(
      StatusOf({WithFailure(Status::Kind::kBudget), WithFailure(Status::Kind::kNotAnArchive)}),
      ExitStatus::kUnreadable);
}

TEST(ExitStatusTest, AnArgumentThatNamesNothingIsAnUnreadableInput) {
  Report report;
  report.archives.push_back(testing::GoodArchive());
  report.errors.emplace_back();
  EXPECT_EQ(ExitStatusOf(report, Severity::kError), ExitStatus::kUnreadable);
}

TEST(ExitStatusTest, InternalErrorGoesBeforeAll) {
  ArchiveReport broken = testing::GoodArchive();
  broken.internal_errors = {"a defect"};
  EXPECT_EQ(StatusOf({WithFailure(Status::Kind::kNotFound), broken}), ExitStatus::kInternal);
}

}  // namespace
}  // namespace pmproof::validator

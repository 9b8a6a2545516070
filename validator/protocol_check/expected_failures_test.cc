// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/expected_failures.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "validator/protocol_check/claim.h"
#include "validator/protocol_check/known_library.h"

namespace pmproof::validator::agent {
namespace {

constexpr const char* kToday = "2026-11-27";

AgentReport Report() {
  AgentReport report{.metrics = 1};
  report.checks = {{.id = "CKA-030"_clause, .verdict = Verdict::Pass()},
                   {.id = "CKA-111"_clause, .verdict = Verdict::Fail("a.colour (9.0.1): no")},
                   {.id = "CKA-142"_clause, .verdict = Verdict::Fail("signal 11")},
                   {.id = "CKA-113"_clause, .verdict = Verdict::NotChecked("no store")}};
  return report;
}

std::vector<ExpectedFailure> List(const std::string& text) {
  const auto list = ParseExpectedFailures(text);
  EXPECT_TRUE(list.has_value()) << list.error();
  return list.value_or(std::vector<ExpectedFailure>{});
}

AgentReport Declared(const std::string& text) {
  AgentReport report = Report();
  Declare(List(text), kToday, &report);
  return report;
}

std::string WrongWith(const std::string& text) {
  const auto list = ParseExpectedFailures(text);
  return list ? "" : list.error();
}

TEST(ExpectedFailures, AreDeclaredDeviations) {
  const AgentReport report = Declared(
      "# mine\n\nCKA-111 | *colour* | raised by 100\nCKA-142 || a library | "
      "until=2026-11-27\n");
  EXPECT_EQ(report.list_faults, std::vector<std::string>());
  EXPECT_EQ(report.checks[1].declared, "raised by 100");
  const auto catalogue = CheckCatalogue::Shipped();
  EXPECT_EQ(ClaimOf(report, catalogue).deviations, 2U);
  EXPECT_EQ(TallyOf(report, catalogue).failures(), 0U);
  EXPECT_EQ(TallyOf(report, catalogue).declared, 2U);
  EXPECT_NE(ExitStatusOf(report, catalogue, Severity::kWarning), ExitStatus::kFindings);
}

TEST(ExpectedFailures, ThatDoNotHoldFailTheRun) {
  const auto catalogue = CheckCatalogue::Shipped();
  for (const auto& [entry, fault] : std::vector<std::pair<std::string, std::string>>{
           {"CKA-030 || no", "surprise pass: CKA-030 |  | no"},
           {"CKA-111 | *shape* | no", "entry that matches nothing: CKA-111 | *shape* | no"},
           {"CKA-142 || no | until=2026-11-26",
            "expired entry: CKA-142 |  | no | "
            "until=2026-11-26"}}) {
    const AgentReport report = Declared(entry);
    EXPECT_EQ(report.list_faults, std::vector<std::string>{fault});
    EXPECT_EQ(ExitStatusOf(report, catalogue, Severity::kError), ExitStatus::kFindings);
  }
  EXPECT_EQ(Declared("CKA-113 || not made").list_faults, std::vector<std::string>());
}

// CKA-111 has four offences, of which the first and the third are of a.colour.
AgentReport OfFourOffences() {
  AgentReport report = Report();
  Verdict& verdict = report.checks[1].verdict;
  verdict.offences = 4;
  verdict.further = {"b.shape (9.0.2): no", "a.colour (9.0.1): never", "c.size (9.0.3): no"};
  return report;
}

CheckOutcome Excused(const std::string& list, AgentReport report = OfFourOffences()) {
  Declare(List(list), kToday, &report);
  EXPECT_EQ(report.list_faults, std::vector<std::string>());
  return report.checks[1];
}

TEST(AnExpectedFailure, HidesNoOffenceThatNobodyExpected) {
  const CheckOutcome colours = Excused("CKA-111 | *colour* | raised\n");
  EXPECT_TRUE(colours.failed());
  EXPECT_EQ(colours.verdict.because, "b.shape (9.0.2): no");
  EXPECT_EQ(colours.verdict.further,
            (std::vector<std::string>{"c.size (9.0.3): no", "a.colour (9.0.1): no",
                                      "a.colour (9.0.1): never"}));
  EXPECT_EQ(colours.verdict.offences, 4u);
  EXPECT_EQ(colours.expected, 2u);
  EXPECT_EQ(colours.expected_because, "raised");
}

TEST(AnExpectedFailure, IsExcusedIfEachOfItsOffencesIs) {
  const CheckOutcome all = Excused(
      "CKA-111 | *colour* | raised\nCKA-111 | *shape* | round\nCKA-111 | c.size* | round\n");
  EXPECT_FALSE(all.failed());
  EXPECT_EQ(all.declared, "raised; round");
  EXPECT_EQ(all.expected, 0u);
  EXPECT_FALSE(Excused("CKA-111 | | all of it\n").failed());
  EXPECT_FALSE(Excused("CKA-111 | *size* | large\nCKA-111 | | all of it\n").failed());
}

TEST(AnExpectedFailure, MayBeAnyOfItsOffences) {
  EXPECT_EQ(Excused("CKA-111 | *size* | large\n").expected, 1u);
  AgentReport report = OfFourOffences();
  Declare(List("CKA-111 | *mass* | heavy\n"), kToday, &report);
  EXPECT_EQ(report.list_faults,
            std::vector<std::string>{"entry that matches nothing: CKA-111 | *mass* | heavy"});
}

TEST(AnExpectedFailure, IsNotExcusedByGlobsWhereNotAllOffencesAreKnown) {
  AgentReport more = OfFourOffences();
  more.checks[1].verdict.offences = 2000;
  EXPECT_TRUE(Excused("CKA-111 | * | all of it\n", more).failed());
  EXPECT_FALSE(Excused("CKA-111 | | all of it\n", more).failed());
}

TEST(ABaseline, ThatIsWrittenExpectsEachOffence) {
  const auto old = List("CKA-111 | *colour* | raised\nCKA-142 || a library\n");
  const std::string text = BaselineOf(OfFourOffences(), old, kToday);
  const auto again = List(text);
  ASSERT_EQ(again.size(), 3u);
  EXPECT_EQ(again[0].ToText(), "CKA-111 | *colour* | raised");
  EXPECT_EQ(again[1].ToText(), "CKA-111 |  | not explained yet");
  EXPECT_FALSE(Excused(text).failed());
}

TEST(ExpectedFailures, AreReadStrictly) {
  EXPECT_EQ(WrongWith("CKA-111 | x"), "line 1: it is not ID | place | reason | until=YYYY-MM-DD");
  EXPECT_EQ(WrongWith("#\nCKA | x | y"), "line 2: 'CKA' is not the ID of a check");
  EXPECT_EQ(WrongWith("CKA-111 | x |"), "line 1: there is no reason");
  EXPECT_EQ(WrongWith("CKA-111 | x | y | until=2027-02-30"),
            "line 1: until= is not a date such as 2027-01-31");
  EXPECT_EQ(WrongWith("CKA-111 | x | y\nCKA-111 | x | z"),
            "line 2: CKA-111 is listed twice for the same place");
}

TEST(ExpectedFailures, CanBeWrittenFromAReport) {
  const auto old = List("CKA-030 || gone\nCKA-111 | *colour* | mine\nCKA-113 || not made now\n");
  const AgentReport report = Report();
  const auto again = List(BaselineOf(report, old, kToday));
  ASSERT_EQ(again.size(), 3U);
  EXPECT_EQ(again[0].ToText(), "CKA-111 | *colour* | mine");
  EXPECT_EQ(again[1].ToText(), "CKA-142 |  | not explained yet");
  EXPECT_EQ(again[2].ToText(), "CKA-113 |  | not made now");
}

TEST(KnownLibraries, DeclareWhatTheirAgentsFailAndAreNotStrict) {
  const auto known = KnownLibrary("libpcp_pmda:7.2");
  ASSERT_TRUE(known.has_value());
  AgentReport report = Report();
  Declare(*known, kToday, &report);
  EXPECT_EQ(report.checks[2].declared,
            "a malformed INSTANCE_REQ frees an uninitialised pointer [PMD-110] (libpcp_pmda:7.2)");
  EXPECT_EQ(report.list_faults, std::vector<std::string>());
  EXPECT_FALSE(KnownLibrary("libpcp_pmda:5"));
  EXPECT_FALSE(KnownLibrary("perl"));
  EXPECT_GT(KnownLibrary("python:7.2")->size(), known->size());
}

TEST(KnownLibraries, ExpectNoOtherCrashThanTheirOwn) {
  Verdict crashes = Verdict::Fail("the agent's process crashed in CKA-142 (signal 11 (SEGV))");
  crashes.offences = 2;
  crashes.further = {"the agent's process crashed in CKA-166 (signal 6 (ABRT))"};
  AgentReport report;
  report.checks = {{.id = "CKA-167"_clause, .verdict = crashes}};
  Declare(*KnownLibrary("libpcp_pmda:6.0.3"), kToday, &report);
  EXPECT_NE(report.checks[0].declared, "");
  report.checks[0].declared.clear();
  report.checks[0].verdict.further[0] = "the agent's process crashed in CKA-150 (signal 6 (ABRT))";
  Declare(*KnownLibrary("libpcp_pmda:6.0.3"), kToday, &report);
  EXPECT_EQ(report.checks[0].declared, "");
  EXPECT_EQ(report.checks[0].expected, 1U);
  EXPECT_EQ(report.checks[0].verdict.because,
            "the agent's process crashed in CKA-150 (signal 6 (ABRT))");
}

TEST(KnownLibraries, ExpectValuesUnderAnotherDomainButNoOtherAnswer) {
  AgentReport report;
  const std::string where = "FETCH of 7.0.0, which is not the agent's: numval ";
  const std::string due = ", where an error code is due";
  report.checks = {{.id = "CKA-050"_clause, .verdict = Verdict::Fail(where + "1" + due)},
                   {.id = "CKA-050"_clause, .verdict = Verdict::Fail(where + "0" + due)}};
  Declare(*KnownLibrary("python:7.2"), kToday, &report);
  EXPECT_NE(report.checks[0].declared, "");
  EXPECT_EQ(report.checks[1].declared, "");
}

}  // namespace
}  // namespace pmproof::validator::agent

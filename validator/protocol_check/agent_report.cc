#include "validator/protocol_check/agent_report.h"

namespace pmproof::validator::agent {
namespace {

Severity SeverityOf(const CheckOutcome& outcome, const CheckCatalogue& catalogue) {
  const CheckEntry* const entry = catalogue.Find(outcome.id);
  return entry != nullptr ? entry->severity : Severity::kError;
}

}  // namespace

Tally TallyOf(const AgentReport& report, const CheckCatalogue& catalogue) {
  Tally tally;
  for (const CheckOutcome& outcome : report.checks) {
    switch (outcome.verdict.outcome) {
      case Outcome::kPass:
        ++tally.passed;
        break;
      case Outcome::kNotChecked:
        ++tally.not_checked;
        break;
      case Outcome::kFail: {
        const Severity severity = SeverityOf(outcome, catalogue);
        ++(severity == Severity::kFatal     ? tally.failed.fatal
           : severity == Severity::kError   ? tally.failed.error
           : severity == Severity::kWarning ? tally.failed.warning
                                            : tally.failed.info);
        break;
      }
    }
  }
  return tally;
}

bool Conformant(const AgentReport& report, const CheckCatalogue& catalogue) {
  const Tally tally = TallyOf(report, catalogue);
  return !report.failure && tally.passed + tally.failures() > 0 &&
         tally.failed.fatal + tally.failed.error == 0;
}

ExitStatus ExitStatusOf(const AgentReport& report, const CheckCatalogue& catalogue,
                        Severity fail_on) {
  if (report.failure) return ExitStatus::kTesteeFailed;
  bool any = false;
  bool failed = false;
  for (const CheckOutcome& outcome : report.checks) {
    any |= outcome.verdict.outcome != Outcome::kNotChecked;
    failed |=
        outcome.verdict.outcome == Outcome::kFail && SeverityOf(outcome, catalogue) >= fail_on;
  }
  if (!any) return ExitStatus::kUsage;
  return failed ? ExitStatus::kFindings : ExitStatus::kOk;
}

}  // namespace pmproof::validator::agent

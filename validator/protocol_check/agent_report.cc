// SPDX-License-Identifier: Apache-2.0
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
        if (!outcome.declared.empty()) {
          ++tally.declared;
          break;
        }
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

}  // namespace pmproof::validator::agent

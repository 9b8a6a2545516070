// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_REPORT_JSON_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_REPORT_JSON_H_

#include <vector>

#include "validator/check/report/report.h"
#include "validator/text/json_values.h"

// The parts of a report as JSON, the same in every document that has them.

namespace pmproof::validator {

// {"fatal", "error", "warning", "info"}
Json CountsJson(const Counts& counts);

Json FindingJson(const Finding& finding);

// {"from", "line", "reason"}
Json ReclassifiedJson(const Reclassified& reclassified);

Json SurvivalJson(const Survival& survival);

Json DisclosuresJson(const Disclosures& disclosures);

// {"check", "severity", "line", "message", "reason"} of each.
Json PolicyFindingsJson(const std::vector<PolicyFinding>& findings);

// {"file", "entries", "findings"}
Json PolicyJson(const PolicyUse& policy);

// All of an archive's report but the findings.
Json ArchiveJson(const ArchiveReport& archive);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_REPORT_JSON_H_

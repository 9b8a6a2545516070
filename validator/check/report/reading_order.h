// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_READING_ORDER_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_READING_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "validator/check/report/report.h"

// Findings in the order in which a person reads them.

namespace pmproof::validator {

// A finding that no other explains, and all that follow from it, directly or not.
struct RootCause {
  std::size_t finding = 0;  // by their places in the archive's findings
  std::vector<std::size_t> followers;
};

// The gravest first; those of one severity by file and offset.
std::vector<RootCause> InReadingOrder(const std::vector<Finding>& findings);

// What one rule and severity came to in all archives.
struct RuleTotal {
  Clause rule;
  Severity severity = Severity::kError;
  std::uint64_t findings = 0;
  std::uint64_t archives = 0;
};

// The gravest first, then by rule.
std::vector<RuleTotal> TotalsByRule(const Report& report);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_READING_ORDER_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_REPORT_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_REPORT_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "validator/tool_output/compare/compare.h"

namespace pmproof::validator::compare {

struct Report {
  std::string tool;
  std::string actual;  // files, as the user named them
  std::string expected;
  Outcome outcome;
  std::uint64_t max_findings = 20;  // shown of one metric
  bool quiet = false;
};

// For people: the metrics in the order in which they differ first, each with its differences.
void WriteText(const Report& report, std::ostream& out);

// The schema pmproof-compare/1.
void WriteJson(const Report& report, std::ostream& out);

}  // namespace pmproof::validator::compare

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_REPORT_H_

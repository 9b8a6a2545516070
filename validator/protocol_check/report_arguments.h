// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_ARGUMENTS_H_

#include <optional>
#include <string>
#include <vector>

#include "validator/cli/output_options.h"

// What `agent check` and `collector check` have in common on the command line.

namespace pmproof::validator {

struct ReportArguments {
  std::vector<std::string> checks;  // "+CKA-030", "-CKA-030"
  OutputOptions outputs{{"text", "json", "junit", "html"}};
  std::string fail_on = "error";
  bool print_schema = false;
  std::optional<std::string> baseline;  // a list of expected failures
  bool fix = false;                     // write it
  std::vector<std::string> known;       // libraries
};

// --check, --format, --output, --force, --fail-on, --schema, --baseline, --fix, --known.
void DeclareReports(Options& options, ReportArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_ARGUMENTS_H_

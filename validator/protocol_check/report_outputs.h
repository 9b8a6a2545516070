// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_OUTPUTS_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_OUTPUTS_H_

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "validator/cli/environment.h"
#include "validator/cli/report_writing.h"
#include "validator/protocol_check/render.h"
#include "validator/protocol_check/report_arguments.h"

// Where the reports of `agent check` and `collector check` go.

namespace pmproof::validator {

// Writes the report to all outputs, the last line to standard error where no text goes to standard
// output, and returns the exit status.
ExitStatus WriteReports(const agent::AgentReport& report, const CheckCatalogue& catalogue,
                        const ReportArguments& arguments, const CommonArguments& common,
                        ReportWriting& reports, const Environment& environment);

// Which checks of a command --check selects. Empty `added`: all.
struct CheckSelection {
  std::vector<Clause> added{};
  std::vector<Clause> removed{};

  bool Selects(Clause id) const;
};

// Error: there is no such check, or what says which failures are expected is wrong.
tl::expected<CheckSelection, std::string> SelectChecks(const ReportArguments& arguments,
                                                       const CheckCatalogue& catalogue,
                                                       CheckEntry::Subject subject);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_OUTPUTS_H_

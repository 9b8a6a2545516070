#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_OUTPUTS_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_OUTPUTS_H_

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "validator/cli/environment.h"
#include "validator/protocol_check/output_file.h"
#include "validator/protocol_check/render.h"
#include "validator/protocol_check/report_arguments.h"

// Where the reports of `agent check` and `collector check` go.

namespace pmproof::validator {

// A file of its own, or standard output.
struct ReportOutput {
  agent::ReportFormat format = agent::ReportFormat::kText;
  std::unique_ptr<OutputFile> file{};
};

// Error: what is wrong with one of them.
tl::expected<std::vector<ReportOutput>, std::string> OpenOutputs(const ReportArguments& arguments);

// Writes the report to all of them, the last line to standard error where no text goes to standard
// output, and tells the exit status.
ExitStatus WriteReports(const agent::AgentReport& report, const CheckCatalogue& catalogue,
                        const ReportArguments& arguments, const CommonArguments& common,
                        std::vector<ReportOutput>& outputs, const Environment& environment);

// Which checks of a chapter --check selects. Empty `added`: all.
struct CheckSelection {
  std::vector<Clause> added{};
  std::vector<Clause> removed{};

  bool Selects(Clause id) const;
};

// Error: there is no such check.
tl::expected<CheckSelection, std::string> SelectChecks(const ReportArguments& arguments,
                                                       const CheckCatalogue& catalogue,
                                                       Clause::Chapter chapter);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_OUTPUTS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_REPORT_WRITING_H_
#define PMPROOF_VALIDATOR_CLI_REPORT_WRITING_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "validator/cli/environment.h"
#include "validator/cli/output_options.h"
#include "validator/output/interruption.h"

namespace pmproof::validator {

// Writes a report in a format. `screen` is that of standard output, or of a file.
using RenderReport =
    std::function<void(const std::string& format, const Screen& screen, std::ostream& out)>;

// The reports of a command, from before its work is done until they are written. While this lives
// and one of them goes to a file, signals leave nothing half-written.
class ReportWriting {
 public:
  // Both outlive this; `outputs` is not Wrong().
  ReportWriting(const OutputOptions& outputs, const Environment& environment);

  // Returns why a report cannot go where it is to go, or "". `archives` are those that are read:
  // their files are never overwritten.
  std::string Refuse(const std::vector<std::string>& archives) const;

  // Writes them in turn, and says so on standard error. Returns nothing, or, after it has said why,
  // the status to end with.
  std::optional<ExitStatus> Write(const CommonArguments& common, const RenderReport& render);

  // Whether a report in this format goes to standard output.
  bool OnStandardOutput(const std::string& format) const;

 private:
  std::optional<ExitStatus> WriteFile(const CommonArguments& common, const OutputRequest& request,
                                      const RenderReport& render);

  const OutputOptions& outputs_;
  const Environment& environment_;
  std::optional<Interruption> interruption_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_REPORT_WRITING_H_

// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/report_writing.h"

#include <algorithm>

#include "validator/cli/command_support.h"
#include "validator/output/interruptible_output.h"
#include "validator/output/report_file.h"
#include "validator/text/display.h"

namespace pmproof::validator {

ReportWriting::ReportWriting(const OutputOptions& outputs, const Environment& environment)
    : outputs_(outputs), environment_(environment) {
  const bool files = std::ranges::any_of(
      outputs.requests(), [](const OutputRequest& request) { return request.path.has_value(); });
  if (files) interruption_.emplace();
}

std::string ReportWriting::Refuse(const std::vector<std::string>& archives) const {
  for (const OutputRequest& request : outputs_.requests()) {
    if (!request.path) continue;
    std::string refusal =
        RefuseOutput(*request.path, outputs_.force(), archives, environment_.storage);
    if (!refusal.empty()) return refusal;
  }
  return "";
}

bool ReportWriting::OnStandardOutput(const std::string& format) const {
  return std::ranges::any_of(outputs_.requests(), [&](const OutputRequest& request) {
    return !request.path && request.format == format;
  });
}

std::optional<ExitStatus> ReportWriting::Write(const CommonArguments& common,
                                               const RenderReport& render) {
  for (const OutputRequest& request : outputs_.requests()) {
    if (request.path) {
      if (const auto failed = WriteFile(common, request, render)) return failed;
      continue;
    }
    render(request.format, environment_.out_screen, environment_.out);
    if (!environment_.out.flush()) {
      return Fail(environment_, ExitStatus::kInternal,
                  "standard output: the report could not be written");
    }
  }
  return std::nullopt;
}

std::optional<ExitStatus> ReportWriting::WriteFile(const CommonArguments& common,
                                                   const OutputRequest& request,
                                                   const RenderReport& render) {
  interruption_->Defer();
  InterruptibleOutput output(archive::MakePosixOutput(),
                             [this] { return interruption_->wished(); });
  const auto error = WriteReport(output, *request.path,
                                 [&](std::ostream& out) { render(request.format, Screen(), out); });
  if (error) {
    return FailToWrite(environment_, *interruption_, ExitStatus::kInternal, error->ToText());
  }
  if (!common.quiet) {
    environment_.err << Displayable(*request.path) << ": " << request.format << " report written\n";
  }
  return std::nullopt;
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/shown_report.h"

namespace pmproof::validator::testing {

std::vector<std::string> Shown(const ArchiveReport& report) {
  std::vector<std::string> lines = {
      report.archive,
      report.failure ? report.failure->ToText() : "",
      std::to_string(report.readable),
      std::to_string(report.conformant),
      std::to_string(report.summary.records),
      std::to_string(report.summary.values),
      std::to_string(report.summary.bytes),
      std::to_string(report.counts.fatal) + " " + std::to_string(report.counts.error) + " " +
          std::to_string(report.counts.warning) + " " + std::to_string(report.counts.info)};
  for (const NotChecked& left : report.not_checked)
    lines.push_back(left.what + ": " + left.because);
  for (const std::string& error : report.internal_errors) lines.push_back(error);
  for (const Finding& finding : report.findings) {
    lines.push_back(finding.rule.ToString() + " " + ToText(finding.severity) + " " + finding.file +
                    " " + std::to_string(finding.offset) + " " + std::to_string(finding.length) +
                    " " + std::to_string(finding.record) + " " + finding.field + " " +
                    finding.actual + " " + finding.expected + " " + finding.message + " " +
                    std::to_string(finding.count));
  }
  return lines;
}

}  // namespace pmproof::validator::testing

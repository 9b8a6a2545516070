// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/read_report.h"

#include <utility>

#include "validator/check/report/read_report.h"

namespace pmproof::validator::policy {

Result<Report> ReadReport(Bytes document, const std::string& file) {
  Report report;
  ReportReading reading;
  reading.frame = [](const ReportFrame& frame) -> std::string {
    return frame.judged ? "the report was judged by a policy already" : "";
  };
  reading.entry = [&](ArchiveReport archive, TriageNote) -> std::string {
    archive.counts = {};
    for (const Finding& finding : archive.findings) {
      CountOf(archive.counts, finding.severity) += finding.count;
    }
    archive.readable = !archive.failure && archive.counts.fatal == 0;
    archive.conformant = archive.readable && archive.counts.error == 0;
    report.archives.push_back(std::move(archive));
    return "";
  };
  Result<ReportFrame> frame = validator::ReadReport(document, file, reading);
  if (!frame) return tl::unexpected(std::move(frame.error()));
  report.profile = frame->profile;
  return report;
}

}  // namespace pmproof::validator::policy

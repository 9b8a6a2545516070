// SPDX-License-Identifier: Apache-2.0
#include "validator/triage/read_triage.h"

#include <algorithm>
#include <utility>

#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

// A set for which there is no answer is told as what it is; else it would seem to hide nothing.
Status FailureOf(const ArchiveReport& set) {
  Status failure = set.failure.value_or(Status{.kind = Status::Kind::kUnreadable});
  if (!set.internal_errors.empty()) failure.message = set.internal_errors.front();
  failure.file = set.archive;
  return failure;
}

std::string Take(const ArchiveReport& report, TriageNote note, Triage* triage) {
  if (!report.members.empty()) {
    if (note.set) {
      triage->directories.push_back(std::move(*note.set));
    } else if (report.failure || !report.internal_errors.empty()) {
      triage->errors.push_back(FailureOf(report));
    } else {
      return "has no \"triage\": the report is not one of check --triage";
    }
    return "";
  }
  if (!note.archive) return "has no \"triage\": the report is not one of check --triage";
  triage->archives.push_back(WithFacts(std::move(*note.archive), report));
  return "";
}

// What is wrong with a report that another version of this program wrote, or "".
std::string OfOtherTool(const ReportFrame& frame, const Catalogue& catalogue) {
  if (frame.version.empty() || frame.rules.empty()) return "";  // not read yet
  if (frame.version == kVersion && frame.rules == catalogue.digest()) return "";
  return "the report is by pmproof " + frame.version + " with rules " + frame.rules +
         ", and this is " + kVersion + " with rules " + std::string(catalogue.digest());
}

}  // namespace

Result<ReportFrame> ReadOwnReport(
    Bytes document, const std::string& file, const Catalogue& catalogue,
    const std::function<std::string(ArchiveReport archive, TriageNote triage)>& entry) {
  ReportReading reading;
  reading.frame = [&](const ReportFrame& frame) { return OfOtherTool(frame, catalogue); };
  reading.entry = entry;
  Result<ReportFrame> frame = ReadReport(document, file, reading);
  if (frame && frame->rules.empty()) {
    return tl::unexpected(Status{.file = file, .message = "does not say by which pmproof it is"});
  }
  return frame;
}

Result<Triage> ReadTriage(Bytes document, const std::string& file, const Catalogue& catalogue) {
  Triage triage;
  const Result<ReportFrame> frame =
      ReadOwnReport(document, file, catalogue, [&](const ArchiveReport& report, TriageNote note) {
        return Take(report, std::move(note), &triage);
      });
  if (!frame) return tl::unexpected(frame.error());
  std::ranges::sort(triage.directories, {}, &Neighbours::directory);
  triage.errors.insert(triage.errors.end(), frame->errors.begin(), frame->errors.end());
  return triage;
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>

#include "validator/check/report/finding_text.h"
#include "validator/check/report/reading_order.h"
#include "validator/check/report/render.h"
#include "validator/check/report/summary_text.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

// The data of a workflow command; of its properties also ':' and ','.
std::string Escaped(std::string_view bytes, bool property) {
  std::string text;
  for (const char c : Displayable(bytes)) {
    if (c == '%') {
      text += "%25";
    } else if (c == '\n') {
      text += "%0A";
    } else if (property && c == ':') {
      text += "%3A";
    } else if (property && c == ',') {
      text += "%2C";
    } else {
      text += c;
    }
  }
  return text;
}

const char* CommandOf(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "notice";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
    case Severity::kFatal:
      return "error";
  }
  return "error";
}

void WriteCommand(const char* command, const std::string& file, const std::string& title,
                  const std::string& message, std::ostream& out) {
  out << "::" << command << " file=" << Escaped(file, true) << ",title=" << Escaped(title, true)
      << "::" << Escaped(message, false) << '\n';
}

void WriteFinding(const ArchiveReport& archive, const RootCause& root, const Catalogue& catalogue,
                  std::ostream& out) {
  const Finding& finding = archive.findings[root.finding];
  std::string message = PlaceText(finding) + ": " + MessageOf(finding, catalogue);
  if (!root.followers.empty()) {
    message += "; " + Plural(root.followers.size(), "finding") + " more from this one";
  }
  WriteCommand(CommandOf(finding.severity), PathOf(archive, finding),
               finding.rule.ToString() + " (" + ToText(finding.severity) + ")", message, out);
}

void WritePolicyFinding(const PolicyFinding& finding, const std::string& file, std::ostream& out) {
  std::string message = finding.message;
  if (!finding.reason.empty()) message += "; " + finding.reason;
  WriteCommand(CommandOf(finding.severity), file,
               std::string(IdOf(finding.check)) + " (" + ToText(finding.severity) + ")",
               "line " + std::to_string(finding.line) + " of the policy: " + message, out);
}

}  // namespace

void RenderGithub(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                  std::ostream& out) {
  const Severity least = std::min(options.show, options.fail_on);
  for (const ArchiveReport& archive : report.archives) {
    if (archive.failure) {
      WriteCommand("error", archive.archive, "no verdict", archive.failure->ToText(), out);
    }
    for (const std::string& error : archive.internal_errors) {
      WriteCommand("error", archive.archive, "internal error of pmproof", error, out);
    }
    for (const RootCause& root : InReadingOrder(archive.findings)) {
      if (archive.findings[root.finding].severity >= least) {
        WriteFinding(archive, root, catalogue, out);
      }
    }
    for (const PolicyFinding& finding : archive.unmet) {
      if (finding.severity >= least) WritePolicyFinding(finding, archive.archive, out);
    }
  }
  if (report.policy) {
    for (const PolicyFinding& finding : report.policy->findings) {
      if (finding.severity >= least) WritePolicyFinding(finding, report.policy->file, out);
    }
  }
  for (const Status& error : report.errors) {
    WriteCommand("error", error.file, "cannot be checked", error.ToText(), out);
  }
  out << SummaryLine(report) << '\n';
}

}  // namespace pmproof::validator

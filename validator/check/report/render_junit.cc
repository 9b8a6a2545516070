// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "validator/check/report/reading_order.h"
#include "validator/check/report/render.h"
#include "validator/check/report/summary_text.h"
#include "validator/check/report/survival_text.h"
#include "validator/text/display.h"
#include "validator/text/json_string.h"

namespace pmproof::validator {
namespace {

// Markup: "fatal ARC-1102: base.meta offset 132, record 3: message; field numnames; actual 0;
// expected 1"
std::string Line(const Finding& finding) {
  std::string line = std::string(ToText(finding.severity)) + " " + finding.rule.ToString() + ": " +
                     finding.file + " offset " + std::to_string(finding.offset) + ", record " +
                     std::to_string(finding.record) + ": " + finding.message;
  if (!finding.field.empty()) line += "; field " + finding.field;
  if (!finding.actual.empty()) line += "; actual " + finding.actual;
  if (!finding.expected.empty()) line += "; expected " + finding.expected;
  if (finding.count > 1)
    line += "; and " + std::to_string(finding.count - 1) + " more from here on";
  if (finding.reclassified) {
    line += std::string("; ") + ToText(finding.reclassified->from) + " by the rule, line " +
            std::to_string(finding.reclassified->line) +
            " of the policy: " + finding.reclassified->reason;
  }
  return Markup(line) + "\n";
}

// Markup: "error POL-101: message; line 12 of the policy: reason"
std::string Line(const PolicyFinding& finding) {
  std::string line = std::string(ToText(finding.severity)) + " " + IdOf(finding.check) + ": " +
                     finding.message + "; line " + std::to_string(finding.line) + " of the policy";
  if (!finding.reason.empty()) line += ": " + finding.reason;
  return Markup(line) + "\n";
}

class JunitReport {
 public:
  JunitReport(const Report& report, const RenderOptions& options, std::ostream& out)
      : report_(report), options_(options), out_(out) {}

  void Write() {
    std::size_t failures = 0;
    std::size_t errors = report_.errors.size();
    for (const ArchiveReport& archive : report_.archives) {
      if (IsError(archive)) {
        ++errors;
      } else if (Fails(AllCounts(archive))) {
        ++failures;
      }
    }
    if (report_.policy && Fails(CountsOf(report_.policy->findings))) ++failures;
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pmproof check\">\n"
         << "  <testsuite name=\"archives\" tests=\""
         << report_.archives.size() + report_.errors.size() + (report_.policy ? 1 : 0)
         << "\" failures=\"" << failures << "\" errors=\"" << errors << "\" skipped=\"0\">\n";
    for (const ArchiveReport& archive : report_.archives) WriteArchive(archive);
    if (report_.policy) WritePolicy(*report_.policy);
    for (const Status& error : report_.errors) {
      Begin(error.file.empty() ? "input" : error.file);
      out_ << ">\n";
      WriteElement("error", "cannot be checked", Markup(error.ToText()));
      End();
    }
    out_ << "  </testsuite>\n</testsuites>\n";
  }

 private:
  static bool IsError(const ArchiveReport& archive) {
    return archive.failure || !archive.internal_errors.empty();
  }

  bool Fails(const Counts& counts) const {
    const std::optional<Severity> worst = Worst(counts);
    return worst && *worst >= options_.fail_on;
  }

  // Violations, and what a policy requires.
  static Counts AllCounts(const ArchiveReport& archive) {
    Counts counts = archive.counts;
    counts += CountsOf(archive.unmet);
    return counts;
  }

  // Names that differ stay different, whatever bytes they have.
  void Begin(const std::string& name) {
    out_ << "    <testcase classname=\"archives\" name=\"" << Markup(ToJsonString(name)) << "\"";
  }
  void End() { out_ << "    </testcase>\n"; }

  // `message` is text, `content` markup.
  void WriteElement(const char* element, const std::string& message, const std::string& content) {
    out_ << "      <" << element << " message=\"" << Markup(message) << "\">" << content << "</"
         << element << ">\n";
  }

  void WriteArchive(const ArchiveReport& archive) {
    std::string failures;
    std::string others;
    for (const RootCause& root : InReadingOrder(archive.findings)) {
      const Finding& finding = archive.findings[root.finding];
      if (finding.severity < options_.fail_on && finding.severity < options_.show) continue;
      std::string& text = finding.severity >= options_.fail_on ? failures : others;
      text += Line(finding);
      for (const std::size_t i : root.followers) {
        text += "  from this follows " + Line(archive.findings[i]);
      }
    }
    AddPolicyFindings(archive.unmet, &failures, &others);
    if (archive.survival) {
      failures += "survives: " + Markup(SurvivesText(*archive.survival)) + "\n";
      if (const std::string lost = LostText(*archive.survival); !lost.empty()) {
        failures += "lost: " + Markup(lost) + "\n";
      }
    }
    Begin(archive.archive);
    if (!IsError(archive) && failures.empty() && others.empty()) {
      out_ << "/>\n";
      return;
    }
    out_ << ">\n";
    if (archive.failure) WriteElement("error", "no verdict", Markup(archive.failure->ToText()));
    for (const std::string& error : archive.internal_errors) {
      WriteElement("error", "internal error of pmproof", Markup(error));
    }
    if (const Counts counts = AllCounts(archive); !IsError(archive) && Fails(counts)) {
      WriteElement("failure", CountsText(counts), failures);
    } else {
      others = failures + others;
    }
    if (!others.empty()) out_ << "      <system-out>" << others << "</system-out>\n";
    End();
  }

  void AddPolicyFindings(const std::vector<PolicyFinding>& findings, std::string* failures,
                         std::string* others) const {
    for (const PolicyFinding& finding : findings) {
      if (finding.severity < options_.fail_on && finding.severity < options_.show) continue;
      *(finding.severity >= options_.fail_on ? failures : others) += Line(finding);
    }
  }

  // The entries of the policy are a case of their own.
  void WritePolicy(const PolicyUse& policy) {
    std::string failures;
    std::string others;
    AddPolicyFindings(policy.findings, &failures, &others);
    Begin(policy.file);
    out_ << ">\n";
    if (const Counts counts = CountsOf(policy.findings); Fails(counts)) {
      WriteElement("failure", CountsText(counts), failures);
    }
    if (!others.empty()) out_ << "      <system-out>" << others << "</system-out>\n";
    End();
  }

  const Report& report_;
  const RenderOptions& options_;
  std::ostream& out_;
};

}  // namespace

void RenderJunit(const Report& report, const RenderOptions& options, std::ostream& out) {
  JunitReport(report, options, out).Write();
}

}  // namespace pmproof::validator

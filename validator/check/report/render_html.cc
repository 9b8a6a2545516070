// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "reference/archive/layout.h"
#include "validator/check/report/render.h"
#include "validator/text/display.h"
#include "validator/text/html_page.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

constexpr Severity kWorstFirst[] = {Severity::kFatal, Severity::kError, Severity::kWarning,
                                    Severity::kInfo};

class HtmlReport {
 public:
  HtmlReport(const Report& report, const Catalogue& catalogue, std::ostream& out)
      : report_(report), catalogue_(catalogue), out_(out) {}

  void Write() {
    BeginHtmlPage("pmproof report", {"report.css"}, out_);
    WriteHead();
    if (report_.policy) WritePolicy(*report_.policy);
    for (const ArchiveReport& archive : report_.archives) WriteArchive(archive);
    WriteErrors();
    WriteRules();
    EndHtmlPage("report.js", out_);
  }

 private:
  void WriteHead() {
    std::uint64_t conformant = 0;
    std::uint64_t failed = 0;
    Counts counts;
    for (const ArchiveReport& archive : report_.archives) {
      failed += archive.failure ? 1 : 0;
      conformant += !archive.failure && archive.conformant ? 1 : 0;
      counts += archive.counts;
    }
    out_ << "<h1>Conformance of PCP archives</h1>\n<p class=\"faint\">pmproof " << kVersion
         << ", rules <code>" << catalogue_.digest() << "</code>, profile "
         << ToText(report_.profile) << "</p>\n<div class=\"tiles\">\n";
    WriteHtmlTile(conformant, "conformant", "good", out_);
    WriteHtmlTile(report_.archives.size() - conformant - failed, "not conformant", "error", out_);
    if (failed > 0) WriteHtmlTile(failed, "without verdict", "fatal", out_);
    if (!report_.errors.empty())
      WriteHtmlTile(report_.errors.size(), "inputs not read", "fatal", out_);
    for (const Severity severity : kWorstFirst) {
      WriteHtmlTile(CountOf(counts, severity), std::string(ToText(severity)) + " findings",
                    ToText(severity), out_);
    }
    // Of use with the script alone, which shows it.
    out_ << "</div>\n<fieldset hidden><legend>Show</legend>\n";
    for (const Severity severity : kWorstFirst) {
      out_ << "<label><input type=\"checkbox\" data-severity=\"" << ToText(severity)
           << "\" checked> " << ToText(severity) << "</label>\n";
    }
    out_ << "<label><input type=\"checkbox\" id=\"clean\" checked> archives without findings"
            "</label>\n</fieldset>\n";
  }

  void WriteArchive(const ArchiveReport& archive) {
    const bool open = !archive.conformant || !archive.unmet.empty() || report_.archives.size() == 1;
    const char* verdict = archive.failure      ? "none"
                          : archive.conformant ? "conformant"
                          : archive.readable   ? "readable, not conformant"
                                               : "not readable, not conformant";
    const char* style = archive.failure      ? "fatal"
                        : archive.conformant ? "good"
                        : archive.readable   ? "error"
                                             : "fatal";
    out_ << "<details class=\"archive\" data-verdict=\"" << (archive.failure ? "none" : "given")
         << "\"" << (open ? " open" : "") << ">\n<summary>" << Markup(archive.archive)
         << " <span class=\"" << style << "\">" << (archive.failure ? "no verdict" : verdict)
         << "</span>";
    const char* separator = " <span class=\"faint\">";
    for (const Severity severity : kWorstFirst) {
      if (const std::uint64_t count = CountOf(archive.counts, severity); count > 0) {
        out_ << separator << count << ' ' << ToText(severity);
        separator = ", ";
      }
    }
    out_ << (Worst(archive.counts) ? "</span>" : "");
    if (!archive.unmet.empty()) out_ << " <span class=\"error\">not as the policy requires</span>";
    out_ << "</summary>\n<div>\n";
    if (archive.failure) {
      out_ << "<p class=\"fatal\">" << Markup(archive.failure->ToText()) << "</p>\n";
    } else {
      WriteSummary(archive);
    }
    WriteFindings(archive);
    WritePolicyFindings(archive.unmet);
    if (archive.disclosures) WriteDisclosures(*archive.disclosures);
    for (const std::string& error : archive.internal_errors) {
      out_ << "<p class=\"fatal\">internal error of pmproof: " << Markup(error) << "</p>\n";
    }
    WriteNotChecked(archive);
    out_ << "</div>\n</details>\n";
  }

  void WriteSummary(const ArchiveReport& archive) {
    const Summary& summary = archive.summary;
    out_ << "<p class=\"faint\">version "
         << (archive.archive_version > 0 ? std::to_string(archive.archive_version) : "unknown")
         << ", " << Plural(summary.files, "file") << ", " << ByteSize(summary.bytes) << ", "
         << Plural(summary.records, "record") << ", " << Plural(summary.values, "value") << ", "
         << Plural(summary.metrics, "metric") << ", " << Plural(summary.marks, "mark");
    if (summary.start) out_ << ", from " << ToIsoText(*summary.start);
    if (summary.finish) out_ << " to " << ToIsoText(*summary.finish);
    out_ << "</p>\n";
  }

  void WriteFindings(const ArchiveReport& archive) {
    if (archive.findings.empty()) return;
    out_ << "<table>\n<thead><tr><th>Severity</th><th>Rule</th><th>Place</th><th>What was found"
            "</th></tr></thead>\n<tbody>\n";
    for (const Finding& finding : archive.findings) WriteFinding(finding);
    out_ << "</tbody>\n</table>\n";
  }

  void WritePolicy(const PolicyUse& policy) {
    out_ << "<p class=\"faint\">Judged by the policy <code>" << Markup(policy.file)
         << "</code></p>\n";
    WritePolicyFindings(policy.findings);
  }

  void WritePolicyFindings(const std::vector<PolicyFinding>& findings) {
    if (findings.empty()) return;
    out_ << "<table>\n<thead><tr><th>Severity</th><th>Policy</th><th>Place</th><th>What was found"
            "</th></tr></thead>\n<tbody>\n";
    for (const PolicyFinding& finding : findings) {
      const char* severity = ToText(finding.severity);
      out_ << "<tr data-severity=\"" << severity << "\"><td class=\"severity " << severity << "\">"
           << severity << "</td><td class=\"rule\">" << IdOf(finding.check)
           << "</td><td class=\"place\">line " << finding.line << " of the policy</td><td>"
           << Markup(finding.message);
      if (!finding.reason.empty()) {
        out_ << "<p class=\"faint\">" << Markup(finding.reason) << "</p>";
      }
      out_ << "</td></tr>\n";
    }
    out_ << "</tbody>\n</table>\n";
  }

  void WriteDisclosures(const Disclosures& disclosures) {
    out_ << "<h3>What it tells of people and machines</h3>\n";
    if (disclosures.fields.empty()) out_ << "<p class=\"faint\">Nothing that was recognised.</p>\n";
    if (!disclosures.fields.empty()) {
      out_ << "<table>\n<thead><tr><th>Kind</th><th>Field</th><th>Example</th><th>Places</th>"
              "<th>First</th></tr></thead>\n<tbody>\n";
      for (const Disclosure& disclosure : disclosures.fields) {
        const Disclosure::Place& first = disclosure.places.front();
        out_ << "<tr><td>" << ToText(disclosure.kind) << "</td><td>" << Markup(disclosure.field)
             << "</td><td><code>" << Markup(disclosure.example) << "</code></td><td>"
             << disclosure.count << "</td><td>" << Markup(first.file) << " offset " << first.offset
             << "</td></tr>\n";
      }
      out_ << "</tbody>\n</table>\n";
    }
    if (disclosures.more > 0)
      out_ << "<p>" << Plural(disclosures.more, "place") << " in further fields.</p>\n";
  }

  void WriteFinding(const Finding& finding) {
    const std::string rule = finding.rule.ToString();
    const Rule* known = catalogue_.Find(finding.rule);
    const char* severity = ToText(finding.severity);
    out_ << "<tr data-severity=\"" << severity << "\"><td class=\"severity " << severity << "\">"
         << severity << "</td><td class=\"rule\">";
    if (known != nullptr) {
      out_ << "<a href=\"#" << rule << "\">" << rule << "</a>";
    } else {
      out_ << rule;
    }
    out_ << "</td><td class=\"place\">";
    if (finding.part == archive::kWholeArchive) {
      out_ << "the archive as a whole";
    } else {
      out_ << Markup(finding.file) << "<br><span class=\"faint\">offset <span class=\"number\">"
           << finding.offset << "</span>, " << Plural(finding.length, "byte") << ", record "
           << finding.record << "</span>";
    }
    out_ << "</td><td>"
         << Markup(finding.message.empty() && known != nullptr ? "violates: " + known->title
                                                               : finding.message);
    if (!finding.field.empty() || !finding.actual.empty() || !finding.expected.empty()) {
      out_ << "<dl>";
      WriteItem("field", finding.field);
      WriteItem("actual", finding.actual);
      WriteItem("expected", finding.expected);
      out_ << "</dl>";
    }
    if (finding.count > 1) {
      out_ << "<p class=\"faint\">and " << finding.count - 1 << " more from here on</p>";
    }
    if (finding.reclassified) {
      out_ << "<p class=\"faint\">" << ToText(finding.reclassified->from) << " by the rule; line "
           << finding.reclassified->line
           << " of the policy: " << Markup(finding.reclassified->reason) << "</p>";
    }
    out_ << "</td></tr>\n";
  }

  void WriteItem(std::string_view name, const std::string& value) {
    if (value.empty()) return;
    out_ << "<dt>" << name << "</dt><dd><code>" << Markup(value) << "</code></dd>";
  }

  void WriteNotChecked(const ArchiveReport& archive) {
    if (archive.not_checked.empty()) return;
    out_ << "<details><summary class=\"faint\">Not checked: "
         << Plural(archive.not_checked.size(), "item") << "</summary>\n<ul>\n";
    for (const NotChecked& item : archive.not_checked) {
      out_ << "<li>" << Markup(item.what) << " <span class=\"faint\">" << Markup(item.because)
           << "</span></li>\n";
    }
    out_ << "</ul>\n</details>\n";
  }

  void WriteErrors() {
    if (report_.errors.empty()) return;
    out_ << "<h2>Inputs that could not be read</h2>\n<ul>\n";
    for (const Status& error : report_.errors) {
      out_ << "<li class=\"fatal\">" << Markup(error.ToText()) << "</li>\n";
    }
    out_ << "</ul>\n";
  }

  // A page on each rule that a finding names.
  void WriteRules() {
    std::set<Clause> rules;
    for (const ArchiveReport& archive : report_.archives) {
      for (const Finding& finding : archive.findings) rules.insert(finding.rule);
    }
    if (rules.empty()) return;
    out_ << "<h2>Rules that were broken</h2>\n";
    for (const Clause id : rules) {
      const Rule* rule = catalogue_.Find(id);
      if (rule == nullptr) continue;
      out_ << "<section class=\"rule-page\" id=\"" << id.ToString() << "\">\n<h3>" << id.ToString()
           << ": " << Markup(rule->title) << "</h3>\n<p>" << Markup(rule->what)
           << "</p>\n<p><b>Why it matters:</b> " << Markup(rule->why)
           << "</p>\n<p><b>What to do:</b> " << Markup(rule->remedy) << "</p>\n</section>\n";
    }
  }

  const Report& report_;
  const Catalogue& catalogue_;
  std::ostream& out_;
};

}  // namespace

void RenderHtml(const Report& report, const Catalogue& catalogue, std::ostream& out) {
  HtmlReport(report, catalogue, out).Write();
}

}  // namespace pmproof::validator

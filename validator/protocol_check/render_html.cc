// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "validator/protocol_check/render.h"
#include "validator/text/display.h"
#include "validator/text/html_page.h"

namespace pmproof::validator::agent {
namespace {

constexpr Severity kWorstFirst[] = {Severity::kFatal, Severity::kError, Severity::kWarning,
                                    Severity::kInfo};

const char* StyleOf(const Claim& claim) {
  switch (claim.kind) {
    case Claim::Kind::kConformant:
      return "good";
    case Claim::Kind::kNotConformant:
      return "error";
    case Claim::Kind::kUndetermined:
      break;
  }
  return "warning";
}

class HtmlReport {
 public:
  HtmlReport(const AgentReport& report, const CheckCatalogue& catalogue, Timestamp made,
             std::ostream& out)
      : report_(report), catalogue_(catalogue), made_(made), out_(out) {}

  void Write() {
    WriteHead();
    WriteControls();
    WriteFailures();
    WriteSections();
    EndHtmlPage({"rows.js"}, out_);
  }

 private:
  const CheckEntry& EntryOf(const CheckOutcome& outcome) const {
    return *catalogue_.Find(outcome.id);
  }

  void WriteHead() {
    const Claim claim = ClaimOf(report_, catalogue_);
    const bool files = !report_.files.empty();
    BeginHtmlPage({.command = report_.collector ? "collector check"
                              : files           ? "agent files"
                                                : "agent check",
                   .title = std::string("Conformance of a PCP ") + (report_.collector ? "collector"
                                                                    : files ? "agent's files"
                                                                            : "agent"),
                   .verdict = claim.ToText(),
                   .style = StyleOf(claim),
                   .time = made_},
                  {"agent_report.css"}, out_);
    if (!claim.because.empty()) out_ << "<p>" << Markup(claim.because) << "</p>\n";
    if (!claim.not_covered.empty()) {
      out_ << "<p class=\"faint\">Not covered: " << Markup(NotCoveredText(claim)) << "</p>\n";
    }
    if (report_.collector) {
      WriteCollector(*report_.collector);
    } else {
      WriteAgent();
    }
    out_ << "; checks <code>" << catalogue_.digest() << "</code></p>\n";
    WriteTiles();
  }

  void WriteCollector(const CollectorFacts& collector) {
    out_ << "<p><code>" << Markup(collector.address) << "</code></p>\n<p class=\"faint\">";
    if (collector.version) {
      out_ << "version " << Markup(*collector.version) << " (" << Markup(collector.version_from)
           << ")";
    } else {
      out_ << "version not known";
    }
    if (!collector.agents) out_ << ", no agents that do what they are told";
  }

  void WriteAgent() {
    out_ << "<p><code>" << Markup(report_.files);
    const char* blank = report_.files.empty() ? "" : " -- ";
    for (const std::string& word : report_.command) {
      out_ << blank << Markup(word);
      blank = " ";
    }
    out_ << "</code></p>\n<p class=\"faint\">" << report_.transport
         << (report_.transport.empty() ? "no agent was started" : "");
    if (report_.domain) out_ << ", domain " << *report_.domain;
    if (!report_.failure) {
      out_ << ", " << Plural(report_.metrics, "metric") << ", "
           << Plural(report_.indoms, "instance domain") << ", "
           << Plural(report_.instances, "instance") << ", found by " << report_.names_from;
    }
  }

  void WriteTiles() {
    if (report_.failure) out_ << "<p class=\"fatal\">" << Markup(*report_.failure) << "</p>\n";
    for (const std::string& remark : report_.remarks) {
      out_ << "<p class=\"faint\">" << Markup(remark) << "</p>\n";
    }
    const Tally tally = TallyOf(report_, catalogue_);
    out_ << "<div class=\"tiles\">\n";
    WriteHtmlTile(tally.passed, "passed", "good", out_);
    const std::uint64_t counts[] = {tally.failed.fatal, tally.failed.error, tally.failed.warning,
                                    tally.failed.info};
    for (std::size_t i = 0; i < 4; ++i) {
      WriteHtmlTile(counts[i], std::string("failed, ") + validator::ToText(kWorstFirst[i]),
                    validator::ToText(kWorstFirst[i]), out_);
    }
    WriteHtmlTile(tally.not_checked, "not checked", "warning", out_);
    out_ << "</div>\n";
  }

  // Of use with the script alone, which shows it.
  void WriteControls() {
    WriteHtmlControls("Search checks",
                      {{"failed", "failed"},
                       {"declared", "declared"},
                       {"passed", "passed"},
                       {"not-checked", "not checked"}},
                      "checks", out_);
  }

  void WriteFailures() {
    bool any = false;
    for (const Severity severity : kWorstFirst) {
      for (const CheckOutcome& outcome : report_.checks) {
        if (!outcome.failed()) continue;
        if (EntryOf(outcome).severity != severity) continue;
        if (!any) out_ << "<div class=\"group\">\n<h2>What failed</h2>\n";
        any = true;
        WriteFailure(outcome);
      }
    }
    if (any) out_ << "</div>\n";
  }

  void WriteFailure(const CheckOutcome& outcome) {
    const CheckEntry& entry = EntryOf(outcome);
    const char* const severity = validator::ToText(entry.severity);
    const std::string id = outcome.id.ToString();
    out_ << "<section class=\"rule-page\" data-kind=\"failed\" data-again id=\"" << id
         << "\">\n<h3><span class=\"" << severity << "\">" << severity << "</span> " << id << ": "
         << Markup(entry.title) << "</h3>\n";
    for (const std::string& sentence : Sentences(outcome)) {
      out_ << "<p>" << Markup(sentence) << "</p>\n";
    }
    WriteExchange(outcome);
    WriteSaid(outcome);
    out_ << "<details><summary class=\"faint\">About this check</summary>\n<p>"
         << Markup(entry.what) << "</p>\n<p><b>Why it matters:</b> " << Markup(entry.why)
         << "</p>\n<p><b>What to do:</b> " << Markup(entry.remedy) << "</p>\n<p class=\"faint\">";
    for (const Clause clause : entry.clauses) out_ << clause.ToString() << ' ';
    out_ << "</p>\n</details>\n</section>\n";
  }

  void WriteExchange(const CheckOutcome& outcome) {
    if (outcome.exchange.empty()) return;
    const bool several = Several(outcome);
    out_ << "<div class=\"exchange\">\n";
    for (const ExchangeLine& line : outcome.exchange) {
      const char* const kind = line.kind == ExchangeLine::Kind::kSent       ? "sent"
                               : line.kind == ExchangeLine::Kind::kReceived ? "received"
                                                                            : "event";
      out_ << "<div class=\"" << kind << "\"><span>" << Markup(Caption(line, several)) << "</span>";
      if (!line.bytes.empty()) {
        out_ << "<code>" << HexWords(line.bytes);
        if (line.size > line.bytes.size()) {
          out_ << " ... (" << line.bytes.size() << " of " << Plural(line.size, "byte") << ")";
        }
        out_ << "</code>";
      }
      out_ << "</div>\n";
    }
    out_ << "</div>\n";
  }

  void WriteSaid(const CheckOutcome& outcome) {
    for (const AgentOutput& output : outcome.said) {
      out_ << "<div class=\"exchange\">\n<div class=\"event\"><span>"
           << Markup(SaidHeading(output, Several(outcome))) << "</span></div>\n<pre>";
      for (const std::string& line : output.lines) out_ << Markup(line) << '\n';
      out_ << "</pre>\n</div>\n";
    }
  }

  void WriteSections() {
    out_ << "<h2>All checks</h2>\n";
    std::string_view section;
    for (const CheckOutcome& outcome : report_.checks) {
      const CheckEntry& entry = EntryOf(outcome);
      if (entry.section != section) {
        if (!section.empty()) out_ << "</tbody></table>\n</details>\n";
        section = entry.section;
        WriteSectionHead(entry);
      }
      WriteRow(outcome, entry);
    }
    if (!section.empty()) out_ << "</tbody></table>\n</details>\n";
  }

  void WriteSectionHead(const CheckEntry& entry) {
    std::size_t counts[3] = {};
    for (const CheckOutcome& outcome : report_.checks) {
      if (EntryOf(outcome).section == entry.section) {
        ++counts[static_cast<std::size_t>(outcome.verdict.outcome)];
      }
    }
    out_ << "<details class=\"fold group\" open><summary>" << entry.section << ' '
         << Markup(entry.heading) << " <span class=\"faint\">" << counts[0] << " passed, "
         << counts[1] << " failed, " << counts[2]
         << " not checked</span></summary>\n<table class=\"stacks "
            "sorts\"><thead><tr><th>Check</th><th>Severity</th>"
            "<th>Outcome</th><th>What must hold</th></tr></thead><tbody>\n";
  }

  void WriteRow(const CheckOutcome& outcome, const CheckEntry& entry) {
    const std::string id = outcome.id.ToString();
    const char* const severity = validator::ToText(entry.severity);
    const Outcome came = outcome.verdict.outcome;
    const bool failed = outcome.failed();
    const bool declared = !outcome.declared.empty();
    out_ << "<tr data-kind=\""
         << (failed                   ? "failed"
             : declared               ? "declared"
             : came == Outcome::kPass ? "passed"
                                      : "not-checked")
         << "\"><td class=\"rule\">";
    if (failed) {
      out_ << "<a href=\"#" << id << "\">" << id << "</a>";
    } else {
      out_ << id;
    }
    out_ << "</td><td>" << severity << "</td><td class=\"severity "
         << (came == Outcome::kPass ? "good"
             : failed               ? severity
                                    : "faint")
         << "\">"
         << (came == Outcome::kNotChecked ? "not checked"
             : declared                   ? "fails as declared"
                                          : ToText(came))
         << "</td><td>" << Markup(entry.title);
    if (declared) {
      out_ << "<br><span class=\"faint\">" << Markup(outcome.declared) << "</span>";
    }
    if (!failed && !outcome.verdict.because.empty()) {
      out_ << "<br><span class=\"faint\">" << Markup(outcome.verdict.because) << "</span>";
    }
    out_ << "</td></tr>\n";
  }

  const AgentReport& report_;
  const CheckCatalogue& catalogue_;
  Timestamp made_;
  std::ostream& out_;
};

}  // namespace

void RenderHtml(const AgentReport& report, const CheckCatalogue& catalogue, Timestamp made,
                std::ostream& out) {
  HtmlReport(report, catalogue, made, out).Write();
}

}  // namespace pmproof::validator::agent

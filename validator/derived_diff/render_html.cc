// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "validator/derived_diff/derived_text.h"
#include "validator/derived_diff/render_derived.h"
#include "validator/text/display.h"
#include "validator/text/html_page.h"

namespace pmproof::validator {
namespace {

// So many definitions are shown open.
constexpr std::size_t kOpen = 20;

// The kinds of a definition, for rows.js.
const char* KindOf(const DefinitionFinding& finding) {
  switch (finding.kind) {
    case DefinitionFinding::Kind::kRefused:
      return "refused";
    case DefinitionFinding::Kind::kDescriptor:
      return "descriptor";
    case DefinitionFinding::Kind::kValues:
      break;
  }
  return "values";
}

class HtmlDefinitions {
 public:
  HtmlDefinitions(const DerivedReport& report, Timestamp made, std::ostream& out)
      : report_(report), found_(report.found), made_(made), out_(out) {}

  void Write() {
    WriteHead();
    if (!found_.definitions.empty()) WriteDefinitions();
    std::size_t written = 0;
    for (std::size_t i = 0; i < found_.definitions.size(); ++i) {
      const std::span<const DefinitionFinding> findings = FindingsOf(i);
      if (!findings.empty()) WriteDefinition(i, findings, ++written <= kOpen);
    }
    WriteArchives();
    EndHtmlPage({"rows.js"}, out_);
  }

 private:
  std::size_t NotCompared() const {
    return found_.errors.size() + found_.unanswered[0].size() + found_.unanswered[1].size();
  }

  // They are in the order of the definitions.
  std::span<const DefinitionFinding> FindingsOf(std::size_t definition) const {
    const auto begin = std::lower_bound(
        found_.findings.begin(), found_.findings.end(), definition,
        [](const DefinitionFinding& finding, std::size_t i) { return finding.definition < i; });
    const auto end = std::find_if(
        begin, found_.findings.end(),
        [&](const DefinitionFinding& other) { return other.definition != definition; });
    return {begin, end};
  }

  bool BothRefuse(std::size_t definition) const {
    return std::ranges::binary_search(found_.refused, definition);
  }

  void WriteHead() {
    const std::size_t changed = ChangedCount(found_);
    const std::size_t failed = NotCompared();
    BeginHtmlPage({.command = "derive diff",
                   .title = "Definitions compared",
                   .verdict = VerdictText(found_) + ' ' + ExtentText(found_),
                   .style = failed > 0 || found_.archives.empty() ? "fatal"
                            : changed > 0                         ? "warning"
                                                                  : "good",
                   .time = made_},
                  {"rules_diff.css"}, out_);
    out_ << "<dl>\n<dt>baseline</dt><dd><b class=\"baseline\">" << Markup(report_.baseline)
         << "</b></dd>\n<dt>candidate</dt><dd><b class=\"candidate\">" << Markup(report_.candidate)
         << "</b></dd>\n</dl>\n<div class=\"tiles\">\n";
    WriteHtmlTile(changed, changed == 1 ? "definition changes" : "definitions change", "warning",
                  out_);
    WriteHtmlTile(found_.definitions.size(), "definitions in all", "", out_);
    WriteHtmlTile(found_.refused.size(), "both refuse", "error", out_);
    WriteHtmlTile(found_.values, "values compared", "", out_);
    WriteHtmlTile(found_.archives.size(), found_.archives.size() == 1 ? "archive" : "archives", "",
                  out_);
    if (failed > 0) WriteHtmlTile(failed, "not compared", "fatal", out_);
    out_ << "</div>\n";
  }

  // All of them in a table that can be sorted; those that change have a link to what follows.
  void WriteDefinitions() {
    out_ << "<h2>Definitions</h2>\n";
    WriteHtmlControls("Search name, file, clause",
                      {{"refused", "one side refuses"},
                       {"descriptor", "other descriptor"},
                       {"values", "other values"},
                       {"both", "both refuse"},
                       {"same", "do not change"}},
                      "definitions", out_);
    out_ << "<div class=\"group\"><table class=\"sorts stacks\" id=\"definitions\">\n"
            "<thead><tr><th>definition</th><th>where</th><th>between the sides</th></tr></thead>\n"
            "<tbody>\n";
    for (std::size_t i = 0; i < found_.definitions.size(); ++i) WriteRow(i);
    out_ << "</tbody>\n</table></div>\n";
  }

  void WriteRow(std::size_t definition) {
    const ComparedDefinition& compared = found_.definitions[definition];
    const std::span<const DefinitionFinding> findings = FindingsOf(definition);
    const std::string name = Markup(compared.definition.name);
    out_ << "<tr data-kind=\"" << KindsOf(definition, findings) << "\"";
    if (findings.empty()) {
      out_ << "><td>" << name;
    } else {
      out_ << " data-again><td><a href=\"#definition-" << definition << "\">" << name << "</a>";
    }
    out_ << "<br><code class=\"faint\">" << Markup(compared.definition.expression)
         << "</code></td><td>" << Markup(PlaceText(compared.origin)) << "</td><td>";
    if (findings.empty()) {
      out_ << (BothRefuse(definition) ? "<span class=\"error\">both refuse it</span>"
                                      : "<span class=\"good\">the same</span>");
    }
    for (const DefinitionFinding& finding : findings) {
      out_ << "<div class=\"warning\">" << Markup(WhatText(finding)) << ClauseMark(finding)
           << "</div>";
    }
    out_ << "</td></tr>\n";
  }

  std::string KindsOf(std::size_t definition, std::span<const DefinitionFinding> findings) const {
    if (findings.empty()) return BothRefuse(definition) ? "both" : "same";
    std::string kinds;
    for (const DefinitionFinding& finding : findings) {
      kinds += (kinds.empty() ? "" : " ") + std::string(KindOf(finding));
    }
    return kinds;
  }

  static std::string ClauseMark(const DefinitionFinding& finding) {
    return finding.clause.empty() ? ""
                                  : " <span class=\"mark\">" + Markup(finding.clause) + "</span>";
  }

  void WriteDefinition(std::size_t definition, std::span<const DefinitionFinding> findings,
                       bool open) {
    const ComparedDefinition& compared = found_.definitions[definition];
    out_ << "<details class=\"fold\" id=\"definition-" << definition << "\" data-kind=\""
         << KindsOf(definition, findings) << "\"" << (open ? " open" : "") << ">\n<summary>"
         << Markup(compared.definition.name) << " <span class=\"faint\">"
         << Markup(PlaceText(compared.origin)) << "</span></summary>\n<div>\n<pre>"
         << Markup(compared.definition.name + " = " + compared.definition.expression) << "</pre>\n";
    for (const DefinitionFinding& finding : findings) WriteFinding(finding);
    out_ << "</div>\n</details>\n";
  }

  void WriteFinding(const DefinitionFinding& finding) {
    out_ << "<div data-kind=\"" << KindOf(finding) << "\">\n<h3>" << Markup(WhatText(finding))
         << ClauseMark(finding) << "</h3>\n<p class=\"faint\">" << Markup(ArchivesText(finding))
         << "</p>\n<table>\n";
    WriteSide("baseline", report_.baseline, finding.baseline);
    WriteSide("candidate", report_.candidate, finding.candidate);
    out_ << "</table>\n</div>\n";
  }

  void WriteSide(const char* role, const std::string& name, const std::string& said) {
    out_ << "<tr><th scope=\"row\">" << Markup(name) << "</th><td class=\"" << role << "\"><code>"
         << Markup(SaidText(said)) << "</code></td></tr>\n";
  }

  void WriteArchives() {
    if (NotCompared() > 0) {
      out_ << "<h2>Archives that were not compared</h2>\n<ul>\n";
      const auto write = [this](const std::string& text) {
        out_ << "<li class=\"fatal\">" << Markup(text) << "</li>\n";
      };
      const std::string* const names[] = {&report_.baseline, &report_.candidate};
      for (std::size_t side : {0, 1}) {
        for (const auto& [archive, why] : found_.unanswered[side]) {
          write(UnansweredText(archive, *names[side], why));
        }
      }
      for (const Status& error : found_.errors) write(error.ToText());
      out_ << "</ul>\n";
    }
    if (found_.archives.empty()) return;
    out_ << "<h2>Archives</h2>\n<details class=\"fold\""
         << (found_.archives.size() == 1 ? " open" : "") << ">\n<summary>"
         << Plural(found_.archives.size(), "archive") << " compared</summary>\n<div>\n<ul>\n";
    for (const std::string& archive : found_.archives) {
      out_ << "<li>" << Markup(archive) << "</li>\n";
    }
    out_ << "</ul>\n</div>\n</details>\n";
  }

  const DerivedReport& report_;
  const DerivedComparison& found_;
  Timestamp made_;
  std::ostream& out_;
};

}  // namespace

void RenderDerivedHtml(const DerivedReport& report, Timestamp made, std::ostream& out) {
  HtmlDefinitions(report, made, out).Write();
}

}  // namespace pmproof::validator

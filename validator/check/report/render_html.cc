// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "reference/archive/layout.h"
#include "validator/check/report/render.h"
#include "validator/check/report/report_json.h"
#include "validator/text/display.h"
#include "validator/text/html_data.h"
#include "validator/text/html_page.h"

namespace pmproof::validator {
namespace {

constexpr Severity kWorstFirst[] = {Severity::kFatal, Severity::kError, Severity::kWarning,
                                    Severity::kInfo};

std::string HexText(const std::vector<std::uint8_t>& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Json TimeJson(const std::optional<Timestamp>& time) {
  return time ? Json(ToEpochText(*time)) : Json(nullptr);
}

Json PictureJson(const Picture& picture) {
  Json files = Json::array();
  for (const Picture::File& file : picture.files) {
    files.push_back(Json::array({file.name, file.bytes}));
  }
  Json volumes = Json::array();
  for (const Picture::Volume& volume : picture.volumes) {
    volumes.push_back(
        Json::array({volume.name, TimeJson(volume.first), TimeJson(volume.last), volume.records}));
  }
  Json marks = Json::array();
  for (const Picture::Mark& mark : picture.marks) {
    marks.push_back(Json::array({TimeJson(mark.at), TimeJson(mark.before), TimeJson(mark.after)}));
  }
  return {{"files", std::move(files)},
          {"volumes", std::move(volumes)},
          {"marks", std::move(marks)},
          {"more_marks", picture.more_marks}};
}

// What check.js shows of an archive: its part of the report, and what it draws.
Json PageJson(const ArchiveReport& archive) {
  Json json = ArchiveJson(archive);
  std::map<std::pair<std::int32_t, std::uint64_t>, const Picture::Place*> places;
  if (archive.picture) {
    for (const Picture::Place& place : archive.picture->places) {
      places.emplace(std::pair(place.part, place.offset), &place);
    }
  }
  Json findings = Json::array();
  for (const Finding& finding : archive.findings) {
    findings.push_back(FindingJson(finding));
    const auto found = places.find({finding.part, finding.offset});
    if (found == places.end()) continue;
    const Picture::Place& place = *found->second;
    if (!place.bytes.empty()) {
      findings.back().update({{"begin", place.begin}, {"hex", HexText(place.bytes)}});
    }
    if (place.time) findings.back()["time"] = ToEpochText(*place.time);
  }
  json["findings"] = std::move(findings);
  if (archive.picture) json["picture"] = PictureJson(*archive.picture);
  return json;
}

class HtmlReport {
 public:
  HtmlReport(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
             std::ostream& out)
      : report_(report), catalogue_(catalogue), options_(options), out_(out) {}

  void Write() {
    WriteHead();
    if (report_.policy) WritePolicy(*report_.policy);
    WriteErrors();
    WriteControls();
    WriteData();
    EndHtmlPage({"list.js", "check.js"}, out_);
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
    const std::size_t others = report_.archives.size() - conformant - failed;
    const bool read = failed == 0 && report_.errors.empty();
    const Counts policy = PolicyCounts(report_);
    BeginHtmlPage({.command = "check",
                   .title = "Conformance of PCP archives",
                   .verdict = SummaryLine(report_),
                   .style = !read || report_.archives.empty()          ? "fatal"
                            : others + policy.fatal + policy.error > 0 ? "error"
                                                                       : "good",
                   .time = options_.made},
                  {"list.css", "check.css"}, out_);
    out_ << "<p class=\"faint\">rules <code>" << catalogue_.digest() << "</code>, profile "
         << ToText(report_.profile) << "</p>\n<div class=\"tiles\">\n";
    WriteHtmlTile(conformant, "conformant", "good", out_);
    WriteHtmlTile(others, "not conformant", "error", out_);
    if (failed > 0) WriteHtmlTile(failed, "without verdict", "fatal", out_);
    if (!report_.errors.empty())
      WriteHtmlTile(report_.errors.size(), "inputs not read", "fatal", out_);
    for (const Severity severity : kWorstFirst) {
      WriteHtmlTile(CountOf(counts, severity), std::string(ToText(severity)) + " findings",
                    ToText(severity), out_);
    }
    out_ << "</div>\n";
  }

  // Filled by the script, which also shows what it needs a script for.
  void WriteControls() {
    out_ << "<noscript><p>The list needs JavaScript; <code>--format text</code> and "
            "<code>json</code> say the same.</p></noscript>\n<svg id=\"svg\" hidden></svg>\n"
            "<div id=\"controls\" hidden>\n<fieldset class=\"bar\">";
    WriteHtmlSearch("Search archive, file, rule, message", out_);
    out_ << "<select id=\"rule\" aria-label=\"Rule\"><option value=\"\">all rules</option>"
            "</select>\n";
    for (const Severity severity : kWorstFirst) {
      out_ << "<label><input type=\"checkbox\" data-severity=\"" << ToText(severity)
           << "\" checked> " << ToText(severity) << "</label>\n";
    }
    out_ << "<label><input type=\"checkbox\" id=\"clean\" checked> archives without findings"
            "</label>\n<label><input type=\"radio\" name=\"group\" checked> by archive</label>"
            "\n<label><input type=\"radio\" name=\"group\"> by rule</label>\n"
            "<span class=\"faint\" id=\"count\" role=\"status\"></span></fieldset>\n"
            "<div class=\"list\" id=\"list\" role=\"table\" aria-label=\"Archives or rules\" "
            "tabindex=\"0\">\n<div class=\"row head\" role=\"row\">";
    static constexpr std::pair<const char*, const char*> kColumns[] = {
        {"worst", "worst"}, {"name", "name"}, {"start", "span"}, {"found", "findings"}};
    for (const auto& [key, title] : kColumns) {
      out_ << "<span role=\"columnheader\" data-key=\"" << key
           << (key == kColumns[0].first ? "\" aria-sort=\"ascending" : "")
           << "\"><button type=\"button\">" << title << "</button></span>";
    }
    out_ << "<span role=\"columnheader\" data-key=\"bytes\"><button type=\"button\" "
            "id=\"last\">size</button></span></div>\n<div id=\"rows\" role=\"rowgroup\">"
            "</div>\n</div>\n<section class=\"detail\" id=\"detail\" aria-live=\"polite\">"
            "</section>\n</div>\n";
  }

  void WriteData() {
    BeginHtmlData(out_);
    out_ << "{\"rules\":" << HtmlData(RulesJson()) << ",\n\"archives\":[";
    const char* separator = "\n";
    for (const ArchiveReport& archive : report_.archives) {
      out_ << std::exchange(separator, ",\n") << HtmlData(PageJson(archive));
    }
    out_ << "]}";
    EndHtmlData(out_);
  }

  // Those that a finding names.
  Json RulesJson() const {
    std::set<Clause> broken;
    for (const ArchiveReport& archive : report_.archives) {
      for (const Finding& finding : archive.findings) broken.insert(finding.rule);
    }
    Json rules = Json::object();
    for (const Clause id : broken) {
      const Rule* const rule = catalogue_.Find(id);
      if (rule == nullptr) continue;
      Json json = {{"title", rule->title},
                   {"what", rule->what},
                   {"why", rule->why},
                   {"remedy", rule->remedy}};
      if (!options_.docs.empty()) json["href"] = HelpUri(options_.docs, id);
      rules[id.ToString()] = std::move(json);
    }
    return rules;
  }

  void WritePolicy(const PolicyUse& policy) {
    out_ << "<p class=\"faint\">Judged by the policy <code>" << Markup(policy.file)
         << "</code></p>\n";
    WritePolicyFindings(policy.findings);
  }

  void WritePolicyFindings(const std::vector<PolicyFinding>& findings) {
    if (findings.empty()) return;
    out_ << "<table class=\"stacks\">\n<thead><tr><th>Severity</th><th>Policy</th><th>Place</th>"
            "<th>What was found</th></tr></thead>\n<tbody>\n";
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

  void WriteErrors() {
    if (report_.errors.empty()) return;
    out_ << "<h2>Inputs that could not be read</h2>\n<ul>\n";
    for (const Status& error : report_.errors) {
      out_ << "<li class=\"fatal\">" << Markup(error.ToText()) << "</li>\n";
    }
    out_ << "</ul>\n";
  }

  const Report& report_;
  const Catalogue& catalogue_;
  const RenderOptions& options_;
  std::ostream& out_;
};

}  // namespace

void RenderHtml(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                std::ostream& out) {
  HtmlReport(report, catalogue, options, out).Write();
}

}  // namespace pmproof::validator

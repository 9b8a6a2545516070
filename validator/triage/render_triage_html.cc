// SPDX-License-Identifier: Apache-2.0
#include "validator/triage/render_triage.h"

#include <algorithm>
#include <map>
#include <utility>

#include "validator/text/display.h"
#include "validator/text/duration.h"
#include "validator/text/html_data.h"
#include "validator/text/html_page.h"

namespace pmproof::validator {
namespace {

// Shown of each list of a directory; JSON has all.
constexpr std::size_t kMostShown = 500;

const char* StyleOf(Condition condition) {
  switch (condition) {
    case Condition::kUndecided:
    case Condition::kLost:
      return "fatal";
    case Condition::kOrphan:
    case Condition::kDuplicate:
      return "error";
    case Condition::kSalvageable:
      return "warning";
    case Condition::kLive:
      return "info";
    case Condition::kSound:
      return "good";
  }
  return "";
}

Json SecondsJson(const std::optional<Timestamp>& time) {
  if (!time) return nullptr;
  return static_cast<double>(time->seconds) + static_cast<double>(time->nanoseconds) / 1e9;
}

// A row of the table, as triage.js takes it apart.
Json RowJson(const TriagedArchive& archive) {
  const Summary& summary = archive.summary;
  return Json::array({archive.name, static_cast<int>(archive.condition), archive.why, archive.next,
                      archive.host, archive.archive_version, summary.bytes, summary.records,
                      summary.metrics, SecondsJson(summary.start), SecondsJson(summary.finish)});
}

class TriagePage {
 public:
  TriagePage(const Triage& triage, const Catalogue& catalogue, Timestamp made, std::ostream& out)
      : triage_(triage), catalogue_(catalogue), made_(made), out_(out) {}

  void Write() {
    WriteHead();
    WriteTable();
    if (!triage_.directories.empty()) {
      out_ << "<h2>Directories that readers open as one archive</h2>\n";
      for (const Neighbours& directory : triage_.directories) WriteDirectory(directory);
    }
    WriteErrors();
    WriteData();
    EndHtmlPage({"list.js", "triage.js"}, out_);
  }

 private:
  void WriteHead() {
    std::map<Condition, std::uint64_t> counts;
    for (const TriagedArchive& archive : triage_.archives) ++counts[archive.condition];
    const auto worst = std::ranges::find_if(
        kConditions, [&](Condition condition) { return counts[condition] > 0; });
    BeginHtmlPage(
        {.command = "triage",
         .title = "Which archives need a person",
         .verdict = TriageLine(triage_),
         .style =
             !triage_.errors.empty() || worst == std::end(kConditions) ? "fatal" : StyleOf(*worst),
         .time = made_},
        {"list.css"}, out_);
    out_ << "<p class=\"faint\">rules <code>" << catalogue_.digest()
         << "</code></p>\n<div class=\"tiles\">\n";
    for (const Condition condition : kConditions) {
      WriteHtmlTile(counts[condition], ToText(condition), StyleOf(condition), out_);
    }
    if (!triage_.errors.empty()) {
      WriteHtmlTile(triage_.errors.size(), "inputs not read", "fatal", out_);
    }
    out_ << "</div>\n";
  }

  // Filled by the script, which also shows what it needs a script for.
  void WriteTable() {
    out_ << "<noscript><p>The table needs JavaScript; <code>--format csv</code> and "
            "<code>json</code> say the same.</p></noscript>\n<div id=\"controls\" hidden>\n"
            "<fieldset class=\"bar\">";
    WriteHtmlSearch("Search name, host, reason", out_);
    for (const Condition condition : kConditions) {
      out_ << "<label><input type=\"checkbox\" data-condition=\"" << static_cast<int>(condition)
           << "\" checked> " << ToText(condition) << "</label>\n";
    }
    out_ << "<span class=\"faint\" id=\"count\" role=\"status\"></span></fieldset>\n"
            "<div class=\"list\" id=\"list\" role=\"table\" aria-label=\"Archives\" tabindex=\"0\">"
            "\n<div class=\"row head\" role=\"row\">";
    static constexpr std::pair<const char*, const char*> kColumns[] = {{"condition", "condition"},
                                                                       {"name", "archive"},
                                                                       {"start", "span"},
                                                                       {"bytes", "size"},
                                                                       {"records", "records"}};
    for (const auto& [key, title] : kColumns) {
      out_ << "<span role=\"columnheader\" data-key=\"" << key
           << (key == kColumns[0].first ? "\" aria-sort=\"ascending" : "")
           << "\"><button type=\"button\">" << title << "</button></span>";
    }
    out_ << "</div>\n<div id=\"rows\" role=\"rowgroup\"></div>\n</div>\n<section class=\"detail\" "
            "id=\"detail\" aria-live=\"polite\"></section>\n</div>\n";
  }

  void WriteDirectory(const Neighbours& directory) {
    const bool calm = directory.gaps.empty() && directory.overlaps.empty() &&
                      directory.partial.empty() && directory.hiding.empty() &&
                      std::ranges::all_of(directory.findings, IsToldOtherwise);
    out_ << "<details class=\"fold\"" << (calm ? "" : " open") << ">\n<summary>"
         << Markup(directory.directory) << " <span class=\"faint\">"
         << Plural(directory.members.size(), "archive") << ", "
         << Plural(directory.gaps.size(), "gap") << ", "
         << Plural(directory.overlaps.size(), "overlap") << ", " << directory.partial.size()
         << " of " << Plural(directory.metrics, "metric")
         << " not in all</span></summary>\n<div>\n";
    WriteFindings(directory);
    WriteHiding(directory);
    WriteSeams("Gap", directory, directory.gaps);
    WriteSeams("Overlap", directory, directory.overlaps);
    WritePartial(directory);
    out_ << "</div>\n</details>\n";
  }

  void WriteFindings(const Neighbours& directory) {
    std::size_t count = 0;
    for (const Finding& finding : directory.findings) {
      if (IsToldOtherwise(finding) || ++count > kMostShown) continue;
      out_ << (count == 1 ? "<ul>\n" : "") << "<li><b class=\"" << ToText(finding.severity) << "\">"
           << ToText(finding.severity) << "</b> " << finding.rule.ToString() << " "
           << Markup(finding.file) << ": " << Markup(finding.message) << "</li>\n";
    }
    if (count > 0) out_ << "</ul>\n";
    More(count);
  }

  void WriteHiding(const Neighbours& directory) {
    if (directory.hiding.empty()) return;
    out_ << "<ul>\n";
    for (const std::size_t i : directory.hiding) {
      const Neighbour& member = directory.members[i];
      out_ << "<li class=\"fatal\">" << Markup(member.name)
           << (member.opens ? " hides what comes after its first fault"
                            : " is passed over: readers cannot open it")
           << "</li>\n";
    }
    out_ << "</ul>\n";
  }

  void WriteSeams(const char* what, const Neighbours& directory, const std::vector<Seam>& seams) {
    if (seams.empty()) return;
    out_ << "<ul>\n";
    for (std::size_t i = 0; i < std::min(kMostShown, seams.size()); ++i) {
      const Seam& seam = seams[i];
      out_ << "<li>" << what << " of " << DurationText(seam.nanoseconds)
           << " <span class=\"faint\">" << ToIsoText(seam.from) << " to " << ToIsoText(seam.to)
           << ", between " << Markup(directory.members[seam.before].name) << " and "
           << Markup(directory.members[seam.after].name) << "</span></li>\n";
    }
    out_ << "</ul>\n";
    More(seams.size());
  }

  // A line for each metric, a column for each archive: together they are the matrix.
  void WritePartial(const Neighbours& directory) {
    if (directory.partial.empty()) return;
    out_ << "<h3>Metrics that some archives lack</h3>\n<table class=\"metrics\">\n";
    for (std::size_t i = 0; i < std::min(kMostShown, directory.partial.size()); ++i) {
      const PartialMetric& metric = directory.partial[i];
      std::string text;
      std::size_t count = 0;
      out_ << "<tr><td><code>" << Markup(metric.name)
           << "</code></td><td><svg class=\"strip\" preserveAspectRatio=\"none\" viewBox=\"0 0 "
           << directory.members.size() << " 1\" aria-hidden=\"true\">";
      for (const auto& [first, last] : metric.missing) {
        out_ << "<rect x=\"" << first << "\" y=\"0\" width=\"" << last - first + 1
             << "\" height=\"1\"/>";
        count += last - first + 1;
      }
      const Neighbour& first = directory.members[metric.missing.front().first];
      out_ << "</svg></td><td class=\"faint\">not in " << Markup(first.name);
      if (count > 1) out_ << " and " << count - 1 << " more";
      out_ << "</td></tr>\n";
    }
    out_ << "</table>\n";
    More(directory.partial.size());
  }

  void More(std::size_t count) {
    if (count > kMostShown) {
      out_ << "<p class=\"faint\">and " << count - kMostShown
           << " more, in <code>--format json</code></p>\n";
    }
  }

  void WriteErrors() {
    if (triage_.errors.empty()) return;
    out_ << "<h2>Inputs that could not be read</h2>\n<ul>\n";
    for (const Status& error : triage_.errors) {
      out_ << "<li class=\"fatal\">" << Markup(error.ToText()) << "</li>\n";
    }
    out_ << "</ul>\n";
  }

  void WriteData() {
    BeginHtmlData(out_);
    const char* separator = "[\n";
    for (const TriagedArchive& archive : triage_.archives) {
      out_ << std::exchange(separator, ",\n") << HtmlData(RowJson(archive));
    }
    out_ << (triage_.archives.empty() ? "[]" : "]");
    EndHtmlData(out_);
  }

  const Triage& triage_;
  const Catalogue& catalogue_;
  Timestamp made_;
  std::ostream& out_;
};

}  // namespace

void RenderTriageHtml(const Triage& triage, const Catalogue& catalogue, Timestamp made,
                      std::ostream& out) {
  TriagePage(triage, catalogue, made, out).Write();
}

}  // namespace pmproof::validator

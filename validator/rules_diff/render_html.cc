// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include "validator/rules_diff/chart.h"
#include "validator/rules_diff/comparison_text.h"
#include "validator/rules_diff/render_comparison.h"
#include "validator/text/display.h"
#include "validator/text/html_page.h"

namespace pmproof::validator {
namespace {

// So many archives are shown open.
constexpr std::size_t kOpen = 5;

class HtmlComparison {
 public:
  HtmlComparison(const ComparisonReport& report, Timestamp made, std::ostream& out)
      : report_(report), made_(made), out_(out) {}

  void Write() {
    const Comparison total = report_.Total();
    WriteHead(total);
    if (report_.archives.size() > 1 && total.total.Differing() > 0) {
      out_ << "<h2>All archives</h2>\n";
      WriteTable(GroupTable(total));
      WriteTable(OneSidedTable(total, report_));
      WriteTable(ClauseTable(total, report_));
    }
    if (report_.archives.size() > 1) WriteArchives();
    for (const Comparison& comparison : report_.archives) WriteArchive(comparison);
    if (!report_.errors.empty()) {
      out_ << "<h2>Inputs that could not be read</h2>\n<ul>\n";
      for (const Status& error : report_.errors) {
        out_ << "<li class=\"fatal\">" << Markup(error.ToText()) << "</li>\n";
      }
      out_ << "</ul>\n";
    }
    EndHtmlPage({"rows.js"}, out_);
  }

 private:
  void WriteHead(const Comparison& total) {
    const auto profile = [this](const SideNote& note, const char* role) {
      out_ << "<dt>" << role << "</dt><dd><b class=\"" << role << "\">" << Markup(note.name)
           << "</b> " << Markup(note.summary) << "</dd>\n";
    };
    const std::uint64_t differing = total.total.Differing();
    std::size_t failed = report_.errors.size();
    for (const Comparison& comparison : report_.archives) failed += comparison.failure ? 1 : 0;
    BeginHtmlPage({.command = "rules diff",
                   .title = "Interpolation compared",
                   .verdict = VerdictText(total.total),
                   .style = failed > 0 || total.total.compared == 0 ? "fatal"
                            : differing > 0                         ? "warning"
                                                                    : "good",
                   .time = made_},
                  {"chart.css", "rules_diff.css"}, out_);
    out_ << "<dl>\n";
    profile(report_.baseline, "baseline");
    profile(report_.candidate, "candidate");
    out_ << "</dl>\n<div class=\"tiles\">\n";
    WriteHtmlTile(std::to_string(differing), "values differ", differing > 0 ? "warning" : "good",
                  out_);
    if (total.total.compared > 0) {
      WriteHtmlTile(ShareText(differing, total.total.compared), "of those compared", "", out_);
    }
    WriteHtmlTile(std::to_string(total.total.compared), "values compared", "", out_);
    WriteHtmlTile(std::to_string(total.differing_series), "metric-instances differ", "", out_);
    WriteHtmlTile(std::to_string(report_.archives.size()),
                  report_.archives.size() == 1 ? "archive" : "archives", "", out_);
    if (failed > 0)
      WriteHtmlTile(std::to_string(failed), "not compared, or not all of it", "fatal", out_);
    out_ << "</div>\n";
  }

  // The kinds of an archive, for rows.js.
  static const char* KindOf(const Comparison& comparison) {
    const bool differs = comparison.total.Differing() > 0;
    if (comparison.failure || comparison.total.compared == 0) {
      return differs ? "differs failed" : "failed";
    }
    return differs ? "differs" : "same";
  }

  static const char* StyleOf(const Comparison& comparison) {
    if (comparison.total.compared == 0) return "fatal";
    return comparison.total.Differing() > 0 ? "warning" : "good";
  }

  std::size_t NumberOf(const Comparison& comparison) const {
    return static_cast<std::size_t>(&comparison - report_.archives.data());
  }

  // All of them in a table that can be sorted, each with a link to what follows.
  void WriteArchives() {
    out_ << "<h2>Each archive</h2>\n";
    WriteHtmlControls(
        "Search archive, metric, clause",
        {{"differs", "differ"}, {"same", "do not differ"}, {"failed", "not compared to the end"}},
        "archives", out_);
    out_ << "<div class=\"scroll group\"><table class=\"figures sorts\" id=\"archives\">\n"
            "<thead><tr><th>archive</th><th class=\"right\">values</th><th class=\"right\">differ"
            "</th><th class=\"right\">share</th></tr></thead>\n<tbody>\n";
    for (const Comparison& comparison : report_.archives) {
      const Tally& tally = comparison.total;
      out_ << "<tr data-kind=\"" << KindOf(comparison) << "\" data-again><td><a href=\"#archive-"
           << NumberOf(comparison) << "\">" << Markup(comparison.archive)
           << "</a></td><td class=\"right\">" << tally.compared << "</td><td class=\"right\">"
           << tally.Differing() << "</td><td class=\"right " << StyleOf(comparison) << "\">"
           << (tally.compared > 0 ? ShareText(tally.Differing(), tally.compared) : "not compared")
           << "</td></tr>\n";
    }
    out_ << "</tbody>\n</table></div>\n";
  }

  void WriteArchive(const Comparison& comparison) {
    const std::uint64_t differing = comparison.total.Differing();
    const bool open = report_.archives.size() <= kOpen || comparison.failure;
    const bool nothing = comparison.total.compared == 0;
    const char* style = StyleOf(comparison);
    out_ << "<details class=\"fold\" id=\"archive-" << NumberOf(comparison) << "\" data-kind=\""
         << KindOf(comparison) << "\"" << (open ? " open" : "") << ">\n<summary>"
         << Markup(comparison.archive) << " <span class=\"" << style << "\">"
         << VerdictText(comparison.total) << "</span></summary>\n<div>\n";
    const auto warn = [this](const std::string& text) {
      out_ << "<p class=\"fatal\">" << Markup(text) << "</p>\n";
    };
    if (comparison.failure) {
      warn((nothing ? "not compared: " : "not compared to the end: ") +
           comparison.failure->ToText());
    }
    for (const Status& status : comparison.passed_over) warn("passed over: " + status.ToText());
    for (const std::string& name : comparison.unknown) warn("no such metric: " + name);
    if (!comparison.failure || !nothing) {
      out_ << "<p class=\"faint\">" << Plural(comparison.metrics, "metric") << " at "
           << TimesText(comparison) << "</p>\n";
    }
    for (const std::string& text : ExplainedTexts(comparison, report_)) {
      out_ << "<p>" << Markup(text) << "</p>\n";
    }
    for (const std::string& text : UnansweredTexts(comparison, report_)) warn(text);
    if (differing > 0) {
      WriteTable(GroupTable(comparison));
      WriteTable(OneSidedTable(comparison, report_));
      const WordTable clauses = ClauseTable(comparison, report_);
      if (!clauses.rows.empty()) out_ << "<h3>Clauses cited</h3>\n";
      WriteTable(clauses);
      WriteExamples(comparison);
      WriteMost(comparison);
    }
    out_ << "</div>\n</details>\n";
  }

  void WriteTable(const WordTable& table) {
    if (table.rows.empty()) return;
    out_ << "<div class=\"scroll\"><table class=\"figures sorts\">\n";
    for (const std::vector<std::string>& row : table.rows) {
      const bool head = &row == &table.rows.front();
      const char* cell = head ? "th" : "td";
      out_ << (head ? "<thead><tr>" : "<tr>");
      for (std::size_t i = 0; i < row.size(); ++i) {
        out_ << '<' << cell << (i < table.left ? ">" : " class=\"right\">") << Markup(row[i])
             << "</" << cell << '>';
      }
      out_ << (head ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
    }
    out_ << "</tbody>\n</table></div>\n";
  }

  void WriteExamples(const Comparison& comparison) {
    if (comparison.examples.empty()) return;
    out_ << "<h3>First differences of each kind</h3>\n<div class=\"scroll\"><table "
            "class=\"figures sorts\">\n<thead><tr><th>Time</th><th>Metric</th><th>"
         << Markup(report_.baseline.name) << "</th><th>" << Markup(report_.candidate.name)
         << "</th><th>Where it comes from</th></tr></thead>\n<tbody>\n";
    for (const Example& example : comparison.examples) {
      const Descriptor& descriptor = example.series.descriptor;
      out_ << "<tr><td class=\"time\">" << ToIsoText(example.time) << "</td><td>"
           << Markup(SeriesText(example.series)) << "<br><span class=\"faint\">"
           << ToText(descriptor.semantics) << ' ' << ToText(descriptor.type) << "</span></td>";
      WriteAnswer("baseline", report_.baseline, example.baseline, descriptor.type);
      WriteAnswer("candidate", report_.candidate, example.candidate, descriptor.type);
      out_ << "<td class=\"faint\">" << Markup(ReasonText(example)) << "</td></tr>\n";
    }
    out_ << "</tbody>\n</table></div>\n";
    if (comparison.more_examples > 0) {
      out_ << "<p class=\"faint\">and " << comparison.more_examples
           << " more: --examples shows more</p>\n";
    }
  }

  void WriteAnswer(const char* role, const SideNote& side, const RuleAnswer& answer,
                   MetricType type) {
    out_ << "<td class=\"" << role << "\"><code>" << Markup(AnswerText(answer, type)) << "</code>";
    if (side.kind != SideNote::Kind::kImplementation) {
      out_ << "<br><span class=\"faint\">" << ClauseText(answer.why) << "</span>";
    }
    out_ << "</td>";
  }

  void WriteMost(const Comparison& comparison) {
    out_ << "<h3>Metric-instances that differ most</h3>\n";
    std::size_t drawn = 0;
    for (const DifferingSeries& series : comparison.most) drawn += series.curves ? 1 : 0;
    if (drawn > 0) WriteLegend();
    for (const DifferingSeries& series : comparison.most) {
      if (series.curves) WriteFigure(series);
    }
    if (drawn < comparison.most.size()) {
      WordTable rest = MostTable(comparison);
      rest.rows.erase(rest.rows.begin() + 1,
                      rest.rows.begin() + 1 + static_cast<std::ptrdiff_t>(drawn));
      WriteTable(rest);
    }
    const std::uint64_t more = comparison.differing_series - comparison.most.size();
    if (more > 0) {
      out_ << "<p class=\"faint\">and " << Plural(more, "metric-instance")
           << " more that differ: --most shows more</p>\n";
    }
  }

  void WriteLegend() {
    const auto item = [this](std::string_view drawing, const std::string& words) {
      out_ << "<span><svg viewBox=\"0 0 34 14\" aria-hidden=\"true\">" << drawing << "</svg>"
           << Markup(words) << "</span>\n";
    };
    out_ << "<div class=\"legend\">\n";
    item("<path class=\"curve baseline\" d=\"M3 7L31 7\"/>", report_.baseline.name);
    item("<path class=\"curve candidate\" d=\"M3 7L31 7\"/>", report_.candidate.name);
    item("<circle class=\"observation\" cx=\"17\" cy=\"7\" r=\"3.5\"/>", "recorded value");
    item("<line class=\"mark\" x1=\"17\" y1=\"0\" x2=\"17\" y2=\"14\"/>", "mark");
    item(
        "<circle class=\"ring baseline\" cx=\"9\" cy=\"7\" r=\"5\"/>"
        "<circle class=\"ring candidate\" cx=\"25\" cy=\"7\" r=\"5\"/>",
        "compared here, and they differ");
    item(
        "<line class=\"gap baseline\" x1=\"3\" y1=\"10\" x2=\"31\" y2=\"10\"/>"
        "<line class=\"gap candidate\" x1=\"3\" y1=\"5\" x2=\"31\" y2=\"5\"/>",
        "bar at the foot: no value");
    out_ << "</div>\n";
  }

  void WriteFigure(const DifferingSeries& series) {
    const Descriptor& descriptor = series.name.descriptor;
    out_ << "<figure>\n<figcaption><b>" << Markup(SeriesText(series.name))
         << "</b> <span class=\"faint\">" << ToText(descriptor.semantics) << ' '
         << ToText(descriptor.type) << ", " << Plural(series.differing, "difference");
    if (series.measured) out_ << ", the largest " << DistanceText(series.largest, true);
    out_ << "; here around the place where it differs most</span></figcaption>\n";
    WriteChart(series, report_, ++charts_, out_);
    out_ << "</figure>\n";
  }

  const ComparisonReport& report_;
  Timestamp made_;
  std::ostream& out_;
  std::size_t charts_ = 0;
};

}  // namespace

void RenderComparisonHtml(const ComparisonReport& report, Timestamp made, std::ostream& out) {
  HtmlComparison(report, made, out).Write();
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "validator/rules_diff/comparison_text.h"
#include "validator/rules_diff/render_comparison.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

class TextComparison {
 public:
  TextComparison(const ComparisonReport& report, const Screen& screen, std::ostream& out)
      : report_(report), screen_(screen), out_(out) {}

  void Write() {
    out_ << "baseline " << Bold(report_.baseline.name) << ", candidate "
         << Bold(report_.candidate.name) << '\n';
    for (const SideNote* side : {&report_.baseline, &report_.candidate}) {
      if (side->implementation) {
        out_ << Displayable(side->name + ": " + side->summary) << '\n';
      }
    }
    for (const Comparison& comparison : report_.archives) WriteArchive(comparison);
    for (const Status& error : report_.errors) {
      out_ << '\n' << Styled(screen_, Style::kRed, "not compared: " + Displayable(error.ToText()));
      out_ << '\n';
    }
    if (report_.archives.size() > 1) {
      const Comparison total = report_.Total();
      out_ << '\n';
      WriteVerdict("all " + std::to_string(report_.archives.size()) + " archives", total.total);
      WriteExplained(total);
      if (total.total.Differing() > 0) WriteTables(total);
    }
  }

 private:
  std::string Bold(const std::string& text) const {
    return Styled(screen_, Style::kBold, Displayable(text));
  }

  void WriteVerdict(const std::string& what, const Tally& tally) {
    const Style style = tally.compared == 0      ? Style::kRed
                        : tally.Differing() == 0 ? Style::kGreen
                                                 : Style::kYellow;
    out_ << Bold(what) << ": " << Styled(screen_, style, VerdictText(tally)) << '\n';
  }

  void WriteArchive(const Comparison& comparison) {
    out_ << '\n';
    if (comparison.failure && comparison.total.compared == 0) {
      out_ << Bold(comparison.archive) << ": "
           << Styled(screen_, Style::kRed,
                     "not compared: " + Displayable(comparison.failure->ToText()))
           << '\n';
      return;
    }
    WriteVerdict(comparison.archive, comparison.total);
    const auto warn = [this](const std::string& text) {
      out_ << "  " << Styled(screen_, Style::kRed, Displayable(text)) << '\n';
    };
    if (comparison.failure) warn("not compared to the end: " + comparison.failure->ToText());
    for (const Status& status : comparison.passed_over) warn("passed over: " + status.ToText());
    for (const std::string& name : comparison.unknown) warn("no such metric: " + name);
    out_ << "  "
         << Wrap(Plural(comparison.metrics, "metric") + " at " + TimesText(comparison),
                 screen_.width, 2)
         << '\n';
    WriteExplained(comparison);
    for (const std::string& text : UnansweredTexts(comparison, report_)) {
      out_ << "  " << Styled(screen_, Style::kRed, Wrap(Displayable(text), screen_.width, 4))
           << '\n';
    }
    if (comparison.total.Differing() == 0) return;
    WriteTables(comparison);
    WriteExamples(comparison);
    if (!comparison.most.empty()) {
      WriteTable(MostTable(comparison));
      const std::uint64_t rest = comparison.differing_series - comparison.most.size();
      if (rest > 0) {
        out_ << "  and " << Plural(rest, "metric-instance") << " more (--most shows more)\n";
      }
    }
  }

  void WriteExplained(const Comparison& comparison) {
    for (const std::string& text : ExplainedTexts(comparison, report_)) {
      out_ << "  " << Wrap(Displayable(text), screen_.width, 4) << '\n';
    }
  }

  void WriteTables(const Comparison& comparison) {
    WriteTable(GroupTable(comparison));
    WriteTable(OneSidedTable(comparison, report_));
    WriteTable(ClauseTable(comparison, report_));
  }

  void WriteExamples(const Comparison& comparison) {
    if (comparison.examples.empty()) return;
    out_ << "\n  " << Styled(screen_, Style::kDim, "first differences of each kind") << '\n';
    const std::size_t name = std::max(Columns(Displayable(report_.baseline.name)),
                                      Columns(Displayable(report_.candidate.name)));
    for (const Example& example : comparison.examples) {
      out_ << "  " << ToIsoText(example.time) << "  " << Displayable(SeriesText(example.series))
           << "  " << ToText(example.series.descriptor.semantics) << ' '
           << ToText(example.series.descriptor.type) << '\n';
      WriteAnswer(report_.baseline, name, example.baseline, example);
      WriteAnswer(report_.candidate, name, example.candidate, example);
      WriteReason(ReasonText(example));
    }
    if (comparison.more_examples > 0) {
      out_ << "  and " << comparison.more_examples << " more (--examples shows more)\n";
    }
  }

  void WriteReason(std::string reason) {
    if (reason.empty()) return;
    const std::size_t second = reason.find(" and ");
    if (Columns(reason) + 4 > screen_.width && second != std::string::npos) reason[second] = '\n';
    out_ << "    " << Wrap(reason, screen_.width, 4) << '\n';
  }

  void WriteAnswer(const SideNote& side, std::size_t width, const RuleAnswer& answer,
                   const Example& example) {
    std::string name = Displayable(side.name);
    name.resize(name.size() + width - Columns(name), ' ');
    out_ << "    " << name << "  "
         << Displayable(AnswerText(answer, example.series.descriptor.type));
    if (side.kind != SideNote::Kind::kImplementation) {
      out_ << "  " << Styled(screen_, Style::kDim, "[" + ClauseText(answer.why) + "]");
    }
    out_ << '\n';
  }

  void WriteTable(const WordTable& table) {
    if (table.rows.empty()) return;
    std::vector<std::size_t> widths(table.rows.front().size());
    std::vector<std::vector<std::string>> rows = table.rows;
    for (std::vector<std::string>& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = Displayable(row[i]);
        widths[i] = std::max(widths[i], Columns(row[i]));
      }
    }
    out_ << '\n';
    for (const std::vector<std::string>& row : rows) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string blanks(widths[i] - Columns(row[i]), ' ');
        line += "  " + (i < table.left ? row[i] + blanks : blanks + row[i]);
      }
      line.resize(line.find_last_not_of(' ') + 1);
      out_ << (&row == &rows.front() ? Styled(screen_, Style::kDim, line) : line) << '\n';
    }
  }

  const ComparisonReport& report_;
  const Screen& screen_;
  std::ostream& out_;
};

}  // namespace

void RenderComparisonText(const ComparisonReport& report, const Screen& screen, std::ostream& out) {
  TextComparison(report, screen, out).Write();
}

}  // namespace pmproof::validator

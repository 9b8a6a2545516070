// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "reference/core/timestamp.h"
#include "validator/salvage/render_salvage.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

// "a, b, c" of what is not empty.
class Enumeration {
 public:
  void Add(const std::string& part) {
    if (!part.empty()) text_ += (text_.empty() ? "" : ", ") + part;
  }
  void Add(std::uint64_t count, const char* singular) {
    if (count > 0) Add(Plural(count, singular));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string Sets(std::uint64_t sets, std::uint64_t values) {
  return Plural(sets, "value set") + " (" + Plural(values, "value") + ")";
}

std::string KeptText(const SalvageReport& report) {
  const SalvageReport::Kept& kept = report.kept;
  Enumeration parts;
  parts.Add(Plural(kept.records, "data record") + " with " + Plural(kept.values, "value"));
  parts.Add(kept.marks, "mark");
  parts.Add(kept.metadata, "metadata record");
  parts.Add(kept.volumes, "volume");
  parts.Add(ByteSize(kept.bytes));
  std::string text = parts.text();
  if (kept.first) text += "; from " + ToIsoText(*kept.first) + " to " + ToIsoText(*kept.last);
  return text;
}

std::string LostText(const SalvageReport::Lost& lost) {
  Enumeration parts;
  if (lost.bytes > 0) parts.Add(Plural(lost.bytes, "byte") + " that are in no record");
  parts.Add(lost.records, "data record");
  if (lost.value_sets > 0) parts.Add(Sets(lost.value_sets, lost.values));
  parts.Add(lost.marks, "mark");
  parts.Add(lost.metadata, "metadata record");
  return parts.text().empty() ? "see below" : parts.text();
}

std::string What(const Loss& loss) {
  const std::string size = loss.length > 0 ? Plural(loss.length, "byte") : "";
  switch (loss.kind) {
    case Loss::Kind::kBytes:
      return size.empty() ? "all that follows" : size + " that are in no record";
    case Loss::Kind::kRecords:
      return Plural(loss.count, "data record") + ", " + size;
    case Loss::Kind::kMarks:
      return Plural(loss.count, "mark");
    case Loss::Kind::kValues:
      return Sets(loss.count, loss.values) + " of " + Displayable(loss.subject);
    case Loss::Kind::kMetadata:
      return Displayable(loss.subject) + ", " + size;
    case Loss::Kind::kLabel:
      return "its label";
    case Loss::Kind::kFile:
      return "the file";
  }
  return "";
}

// "between A and B", "after A", "before B", ""
std::string Between(std::optional<Timestamp> from, std::optional<Timestamp> until) {
  if (from && until) return "between " + ToIsoText(*from) + " and " + ToIsoText(*until);
  if (from) return "after " + ToIsoText(*from);
  return until ? "before " + ToIsoText(*until) : "";
}

// "; between A and B", "; from A to B", "; at A"
std::string Span(const Loss& loss) {
  if (loss.kind == Loss::Kind::kBytes || loss.kind == Loss::Kind::kFile) {
    const std::string between = Between(loss.from, loss.until);
    return between.empty() ? "" : "; " + between;
  }
  if (!loss.from) return "";
  if (!loss.until || *loss.until == *loss.from) return "; at " + ToIsoText(*loss.from);
  return "; from " + ToIsoText(*loss.from) + " to " + ToIsoText(*loss.until);
}

std::string LineOf(const Loss& loss) {
  std::string line = Displayable(loss.file);
  const bool has_place = loss.kind != Loss::Kind::kLabel && loss.kind != Loss::Kind::kFile;
  if (has_place) {
    line += loss.kind == Loss::Kind::kValues ? " from offset " : " offset ";
    line += std::to_string(loss.offset);
  }
  return line + ": " + What(loss) + ": " + Displayable(loss.message) + " [" +
         loss.clause.ToString() + "]" + Span(loss);
}

// "all metrics", "a (1.2.3), b (1.2.4)", "a (1.2.3), b (1.2.4), c (1.2.5) and 7 more"
std::string MetricsOf(const SalvageReport& report, const AnswerSpan& span) {
  if (span.metrics.empty()) return "all metrics";
  constexpr std::size_t kShown = 3;
  Enumeration names;
  for (std::size_t i = 0; i < std::min(kShown, span.metrics.size()); ++i) {
    names.Add(Displayable(report.metrics[span.metrics[i]]));
  }
  if (span.metrics.size() <= kShown) return names.text();
  return names.text() + " and " + std::to_string(span.metrics.size() - kShown) + " more";
}

void RenderAnswers(const SalvageReport& report, std::ostream& out) {
  if (report.answers.empty()) return;
  out << "  answers of replay that may be other than they were, where no value was recorded at the "
         "very time:\n";
  for (const AnswerSpan& span : report.answers) {
    const std::string between = Between(span.from, span.until);
    out << "    " << MetricsOf(report, span) << ": " << (between.empty() ? "always" : between)
        << '\n';
  }
}

}  // namespace

void RenderSalvageText(const SalvageReport& report, const Screen& screen, std::ostream& out) {
  using Outcome = SalvageReport::Outcome;
  out << Displayable(report.in) << ": ";
  switch (report.outcome) {
    case Outcome::kWhole:
      out << Styled(screen, Style::kGreen, "nothing lost") << ", saved as "
          << Displayable(report.out) << '\n';
      break;
    case Outcome::kSaved:
      out << Styled(screen, Style::kYellow, "saved with losses") << " as "
          << Displayable(report.out) << '\n';
      break;
    case Outcome::kNothing:
      out << Styled(screen, Style::kRed, "nothing to save") << ": "
          << Displayable(report.why_nothing) << '\n';
      break;
  }
  if (report.outcome != Outcome::kNothing) {
    out << "  kept: " << KeptText(report) << '\n';
    out << "  version " << report.version << ", label of " << Displayable(report.label_from)
        << (report.index_was_missing ? ", the missing index made anew\n" : ", index made anew\n");
    if (report.marks_written > 0) {
      out << "  " << Plural(report.marks_written, "mark")
          << " written where records were lost: readers do not interpolate there\n";
    }
  }
  if (report.losses.empty()) return;
  out << "  lost: " << LostText(report.lost) << '\n';
  for (const Loss& loss : report.losses) out << "    " << LineOf(loss) << '\n';
  RenderAnswers(report, out);
}

}  // namespace pmproof::validator

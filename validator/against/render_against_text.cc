// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "validator/against/render_against.h"
#include "validator/check/report/summary_text.h"
#include "validator/text/display.h"
#include "validator/text/duration.h"

namespace pmproof::validator::against {
namespace {

constexpr std::size_t kIndent = 24;  // "  changed  descriptors  "

Style StyleOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kNothingLost:
      return Style::kGreen;
    case Outcome::kLossyAsDeclared:
      return Style::kYellow;
    case Outcome::kLoss:
    case Outcome::kNoAnswer:
      return Style::kRedBold;
  }
  return Style::kPlain;
}

// "demo", "3 archives"
std::string NameOf(const Report& report) {
  std::vector<std::string> names;
  for (const ArchiveReport& archive : report.archives) {
    if (archive.members.empty()) names.push_back(archive.archive);
  }
  if (names.size() == 1) return names.front();
  return names.empty() ? "nothing" : Plural(names.size(), "archive");
}

std::string Padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string VerdictOf(const ArchiveReport& archive) {
  if (archive.failure) return "no verdict";
  return archive.conformant ? "conformant"
         : archive.readable ? "readable, not conformant"
                            : "not readable, not conformant";
}

// "at T", "from T to T"
std::string SpanText(const std::optional<Timestamp>& first, const std::optional<Timestamp>& last) {
  if (!first) return "";
  if (!last || *first == *last) return " at " + ToIsoText(*first);
  return " from " + ToIsoText(*first) + " to " + ToIsoText(*last);
}

const char* NounOf(Kind kind) {
  switch (kind) {
    case Kind::kMetrics:
    case Kind::kValues:
      return "value";
    case Kind::kDescriptors:
      return "field";
    case Kind::kNames:
      return "name";
    case Kind::kMarks:
      return "mark";
    case Kind::kSeams:
      return "seam";
    case Kind::kInstances:
      return "instance";
    case Kind::kLabels:
      return "label set";
    case Kind::kHelp:
      return "text";
    case Kind::kHost:
      return "host";
    case Kind::kZone:
      return "time zone";
  }
  return "";
}

std::string CountText(const Difference& difference) {
  std::string count = Plural(difference.count, NounOf(difference.kind));
  if (difference.kind == Kind::kMetrics) {
    return difference.count == 0 ? "without values" : "with " + count;
  }
  if (difference.change == Change::kAdded || !difference.of) return count;
  if (difference.count == *difference.of) {
    return difference.count == 1 ? "the only " + std::string(NounOf(difference.kind))
                                 : "all " + count;
  }
  return std::to_string(difference.count) + " of " +
         Plural(*difference.of, NounOf(difference.kind));
}

std::string ExampleText(const Example& example) {
  std::string text = example.item;
  const auto add = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : ": ") + more;
  };
  if (!example.was.empty() && !example.is.empty()) {
    add(example.was + ", now " + example.is);
  } else {
    add(example.was + example.is);
  }
  return text;
}

class TextWriter {
 public:
  TextWriter(const AgainstReport& report, const AgainstTextOptions& options, std::ostream& out)
      : report_(report), options_(options), screen_(options.screen), out_(out) {}

  void Write() {
    const Outcome outcome = report_.outcome();
    if (options_.quiet && outcome == Outcome::kNothingLost) return;
    out_ << Styled(screen_, Style::kBold, Displayable(NameOf(report_.replacement))) << " against "
         << Styled(screen_, Style::kBold, Displayable(NameOf(report_.original))) << ": "
         << Styled(screen_, StyleOf(outcome), ToText(outcome)) << '\n';
    if (report_.failure) WriteLine("because", report_.failure->ToText());
    WriteSide("original", report_.original);
    WriteSide("replacement", report_.replacement);
    for (const std::string& name : report_.on_both_sides) {
      WriteLine("careful", name + " is on both sides: if the original goes, so does it");
    }
    if (!report_.comparison) return;
    WriteTotals(*report_.comparison);
    WriteDifferences(report_.comparison->differences);
    if (!report_.comparison->differences.empty() && !options_.quiet) {
      out_ << Styled(screen_, Style::kBold, SummaryOf(report_)) << '\n';
    }
  }

 private:
  void WriteLine(const std::string& head, const std::string& text) {
    out_ << "  " << Styled(screen_, Style::kBold, head)
         << std::string(head.size() < 13 ? 13 - head.size() : 1, ' ')
         << Wrap(Displayable(text), screen_.width, 15) << '\n';
  }

  // Archives that are conformant, together; each other one by itself.
  void WriteSide(const std::string& head, const Report& report) {
    std::size_t sound = 0;
    std::string name;
    for (const ArchiveReport& archive : report.archives) {
      if (!archive.members.empty() || archive.failure || !archive.conformant) continue;
      ++sound;
      name = archive.archive;
    }
    if (sound == 1) WriteLine(head, name + ": conformant");
    if (sound > 1) WriteLine(head, Plural(sound, "archive") + ": conformant");
    for (const ArchiveReport& archive : report.archives) {
      if (!archive.failure && archive.conformant) continue;
      if (!archive.members.empty() && !archive.failure) continue;
      std::string text = archive.archive + ": " + VerdictOf(archive);
      if (archive.failure) text += ": " + archive.failure->ToText();
      text += InBrackets(CountsText(archive.counts));
      if (!archive.failure) text += "; 'pmproof check' says more";
      WriteLine(head, text);
    }
    for (const Status& error : report.errors) WriteLine(head, error.ToText());
  }

  void WriteTotals(const Comparison& comparison) {
    if (options_.quiet) return;
    const Totals& was = comparison.original;
    std::string text = Plural(was.records, "record") + " with " + Plural(was.values, "value") +
                       " of " + Plural(comparison.metrics, "metric") + ", " +
                       Plural(was.marks, "mark") + SpanText(comparison.first, comparison.last);
    const Totals& is = comparison.replacement;
    if (is.values != was.values || is.marks != was.marks) {
      text +=
          "; in the replacement " + Plural(is.values, "value") + ", " + Plural(is.marks, "mark");
    }
    WriteLine("compared", text);
    if (comparison.reduction) WriteReduction(*comparison.reduction);
    if (comparison.repeated > 0) {
      WriteLine("repeated",
                Plural(comparison.repeated, "value") + " of the original, which is no difference");
    }
  }

  void WriteReduction(const Reduction& reduction) {
    std::string text = Plural(reduction.times, "time");
    if (reduction.times > 0) text += SpanText(reduction.first, reduction.last);
    if (reduction.times > 1) text += ", " + DurationText(reduction.interval) + " apart";
    if (!reduction.as.empty()) text += ", as " + reduction.as + " answers about the original";
    if (reduction.unobserved > 0) {
      text += "; " + Plural(reduction.unobserved, "value") +
              " left out since nothing of them was recorded meanwhile";
    }
    WriteLine("reduced", text);
  }

  // They come by kind and change.
  void WriteDifferences(const std::vector<Difference>& differences) {
    for (std::size_t i = 0; i < differences.size();) {
      const auto which = std::pair(differences[i].kind, differences[i].change);
      std::uint64_t number = 0;
      for (; i < differences.size(); ++i) {
        if (std::pair(differences[i].kind, differences[i].change) != which) break;
        if (++number <= options_.differences) WriteDifference(differences[i]);
      }
      if (number <= options_.differences) continue;
      const std::string text = "and " + std::to_string(number - options_.differences) + " more " +
                               ToText(which.second) + " (--max-findings, --format json)";
      out_ << "           " << Styled(screen_, Style::kDim, Padded(ToText(which.first), 13) + text)
           << '\n';
    }
  }

  void WriteDifference(const Difference& difference) {
    const bool allowed = report_.allowed.Covers(difference);
    const std::string change = Padded(ToText(difference.change), 9);
    out_ << "  " << Styled(screen_, allowed ? Style::kYellow : Style::kRed, change)
         << Padded(ToText(difference.kind), 13);
    std::string text = Displayable(difference.subject);
    if (difference.pmid && difference.subject != ToText(*difference.pmid)) {
      text += " (" + ToText(*difference.pmid) + ")";
    }
    if (!text.empty()) text += difference.kind == Kind::kMetrics ? " " : ": ";
    text += CountText(difference) + SpanText(difference.first, difference.last);
    if (allowed) text += " (declared)";
    out_ << Wrap(text, screen_.width, kIndent) << '\n';
    if (difference.examples.empty()) return;
    std::string example = Displayable(ExampleText(difference.examples.front()));
    if (example.empty()) return;
    if (difference.count > 1) example = "first " + example;
    out_ << std::string(kIndent, ' ')
         << Styled(screen_, Style::kDim, Wrap(example, screen_.width, kIndent)) << '\n';
  }

  const AgainstReport& report_;
  const AgainstTextOptions& options_;
  const Screen& screen_;
  std::ostream& out_;
};

}  // namespace

std::string SummaryOf(const AgainstReport& report) {
  std::string text = ToText(report.outcome());
  if (!report.comparison || report.comparison->differences.empty()) return text;
  const std::vector<Difference>& differences = report.comparison->differences;
  const auto declared = static_cast<std::uint64_t>(std::ranges::count_if(
      differences, [&](const Difference& each) { return report.allowed.Covers(each); }));
  text += ": " + Plural(differences.size(), "difference");
  if (declared > 0 && declared < differences.size()) {
    text += ", " + std::to_string(declared) + " of them declared";
  }
  return text;
}

void RenderAgainstText(const AgainstReport& report, const AgainstTextOptions& options,
                       std::ostream& out) {
  TextWriter(report, options, out).Write();
}

}  // namespace pmproof::validator::against

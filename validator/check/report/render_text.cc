#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/layout.h"
#include "validator/check/report/render.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

using LeftOutSet = std::set<std::pair<std::string, std::string>>;

Style StyleOf(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return Style::kCyan;
    case Severity::kWarning:
      return Style::kYellow;
    case Severity::kError:
      return Style::kRed;
    case Severity::kFatal:
      return Style::kRedBold;
  }
  return Style::kPlain;
}

// "1 fatal, 2 errors, 3 warnings": those that occur; empty if none does.
std::string CountsText(const Counts& counts) {
  std::string text;
  const auto add = [&](std::uint64_t count, const std::string& words) {
    if (count > 0) text += (text.empty() ? "" : ", ") + words;
  };
  add(counts.fatal, std::to_string(counts.fatal) + " fatal");
  add(counts.error, Plural(counts.error, "error"));
  add(counts.warning, Plural(counts.warning, "warning"));
  add(counts.info, std::to_string(counts.info) + " info");
  return text;
}

std::string InBrackets(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

std::string SummaryText(const ArchiveReport& archive) {
  const Summary& summary = archive.summary;
  std::string text = archive.archive_version > 0
                         ? "version " + std::to_string(archive.archive_version)
                         : "version unknown";
  if (!archive.members.empty()) {
    text = "set of " + Plural(archive.members.size(), "archive") +
           (archive.archive_version > 0 ? ", all " + text : "");
  }
  text += ", " + Plural(summary.files, "file") + ", " + ByteSize(summary.bytes) + ", " +
          Plural(summary.records, "record") + ", " + Plural(summary.metrics, "metric");
  if (summary.marks > 0) text += ", " + Plural(summary.marks, "mark");
  if (summary.start) text += ", from " + ToIsoText(*summary.start);
  if (summary.finish) text += " to " + ToIsoText(*summary.finish);
  return text;
}

// "offset 1234, record 7"
std::string Place(const Finding& finding) {
  if (finding.part == archive::kWholeArchive) return "";
  std::string text = "offset " + std::to_string(finding.offset);
  if (finding.part == archive::kIndexPart) {
    if (finding.record > 0) text += ", entry " + std::to_string(finding.record);
  } else if (finding.record > 0) {
    text += ", record " + std::to_string(finding.record);
  } else if (finding.offset < archive::kLayoutV3.label) {
    text += ", label";
  }
  return text;
}

// "numnames: 0, expected 1 or more"
std::string Comparison(const Finding& finding) {
  std::string values = Displayable(finding.actual);
  if (!finding.expected.empty()) {
    values += (values.empty() ? "expected " : ", expected ") + Displayable(finding.expected);
  }
  const std::string field = Displayable(finding.field);
  return field + (field.empty() || values.empty() ? "" : ": ") + values;
}

class TextReport {
 public:
  TextReport(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
             std::ostream& out)
      : report_(report),
        catalogue_(catalogue),
        options_(options),
        screen_(options.screen),
        out_(out) {}

  void Write() {
    const LeftOutSet everywhere = LeftOutEverywhere();
    const bool one = report_.archives.size() == 1;
    for (const ArchiveReport& archive : report_.archives) {
      const bool calm = archive.findings.empty() && archive.internal_errors.empty();
      if (calm && !archive.failure && options_.quiet) continue;
      WriteVerdict(archive);
      if (!archive.failure && (one || !calm))
        out_ << "  " << Wrap(SummaryText(archive), screen_.width, 2) << '\n';
      WriteFindings(archive);
      LeftOutSet own;
      for (const NotChecked& item : archive.not_checked) {
        if (std::pair entry(item.what, item.because); !everywhere.contains(entry))
          own.insert(entry);
      }
      WriteNotChecked(own, "not checked");
      for (const std::string& error : archive.internal_errors) {
        out_ << "  " << Styled(screen_, Style::kRedBold, "internal error of pmproof: ")
             << Displayable(error) << '\n';
      }
      if (!calm || !own.empty()) out_ << '\n';
    }
    for (const Status& error : report_.errors) {
      out_ << Styled(screen_, Style::kRed, "not checked: ") << Displayable(error.ToText()) << '\n';
    }
    if (options_.quiet) return;
    WriteNotChecked(everywhere, "not checked in any archive");
    out_ << Styled(screen_, Style::kBold, SummaryLine(report_)) << '\n';
    WriteHint();
  }

 private:
  // What is left out in each of several archives is said once, at the end.
  LeftOutSet LeftOutEverywhere() const {
    LeftOutSet common;
    std::size_t archives = 0;
    for (const ArchiveReport& archive : report_.archives) {
      if (archive.failure) continue;
      LeftOutSet own;
      for (const NotChecked& item : archive.not_checked) own.emplace(item.what, item.because);
      if (++archives == 1) {
        common = std::move(own);
      } else {
        std::erase_if(common, [&](const auto& entry) { return !own.contains(entry); });
      }
    }
    return archives > 1 ? common : LeftOutSet();
  }

  void WriteVerdict(const ArchiveReport& archive) {
    out_ << Styled(screen_, Style::kBold, Displayable(archive.archive)) << ": ";
    if (archive.failure) {
      Status failure = *archive.failure;
      if (failure.file == archive.archive) failure.file.clear();
      out_ << Styled(screen_, Style::kRedBold, "no verdict") << ": "
           << Displayable(failure.ToText()) << '\n';
      return;
    }
    const char* verdict = archive.conformant ? "conformant"
                          : archive.readable ? "readable, not conformant"
                                             : "not readable, not conformant";
    const Style style = !archive.readable     ? Style::kRedBold
                        : !archive.conformant ? Style::kRed
                                              : Style::kGreen;
    out_ << Styled(screen_, style, verdict) << InBrackets(CountsText(archive.counts)) << '\n';
  }

  // Findings of a file in their order; of info the first of each rule alone, with the number of the
  // others: they would bury what matters, and machine formats have them all.
  void WriteFindings(const ArchiveReport& archive) {
    const std::vector<Finding>& findings = archive.findings;
    std::size_t end = 0;
    for (std::size_t begin = 0; begin < findings.size(); begin = end) {
      while (end < findings.size() && findings[end].part == findings[begin].part &&
             findings[end].file == findings[begin].file) {
        ++end;
      }
      const std::string file =
          findings[begin].part == archive::kWholeArchive && archive.members.empty()
              ? "the archive as a whole"
              : findings[begin].file;
      out_ << "  " << Styled(screen_, Style::kBold, Displayable(file)) << '\n';
      std::map<Clause, std::uint64_t> infos;
      for (std::size_t i = begin; i < end; ++i) {
        if (findings[i].severity == Severity::kInfo) infos[findings[i].rule] += findings[i].count;
      }
      for (std::size_t i = begin; i < end; ++i) {
        if (findings[i].severity != Severity::kInfo) {
          WriteFinding(findings[i], findings[i].count);
        } else if (const auto info = infos.find(findings[i].rule); info != infos.end()) {
          WriteFinding(findings[i], info->second);
          infos.erase(info);
        }
      }
    }
  }

  // `count`: how many this finding stands for.
  void WriteFinding(const Finding& finding, std::uint64_t count) {
    constexpr std::size_t kIndent = 23;  // "    warning  ARC-1606  "
    const std::string severity = ToText(finding.severity);
    const std::string rule = finding.rule.ToString();
    out_ << "    " << Styled(screen_, StyleOf(finding.severity), severity)
         << std::string(9 - severity.size(), ' ') << rule
         << std::string(rule.size() < 8 ? 10 - rule.size() : 2, ' ');
    std::string text = Place(finding);
    if (!text.empty()) text += ": ";
    if (finding.message.empty()) {
      const Rule* known = catalogue_.Find(finding.rule);
      text += known != nullptr ? "violates: " + known->title : "";
    } else {
      text += Displayable(finding.message);
    }
    out_ << Wrap(text, screen_.width, kIndent) << '\n';
    const std::string indent(kIndent, ' ');
    if (const std::string comparison = Comparison(finding); !comparison.empty()) {
      out_ << indent << Wrap(comparison, screen_.width, kIndent) << '\n';
    }
    if (count > 1) {
      out_ << indent
           << Styled(screen_, Style::kDim,
                     "and " + std::to_string(count - 1) + " more from here on")
           << '\n';
    }
  }

  void WriteNotChecked(const LeftOutSet& items, const std::string& heading) {
    std::map<std::string, std::vector<std::string>> by_reason;
    for (const auto& [what, because] : items) by_reason[because].push_back(what);
    for (const auto& [because, whats] : by_reason) {
      const std::string text =
          Wrap(heading + ": " + Displayable(Ranges(whats)) + " (" + Displayable(because) + ")",
               screen_.width, 4);
      out_ << "  " << Styled(screen_, Style::kDim, text.substr(0, heading.size()))
           << text.substr(heading.size()) << '\n';
    }
  }

  // "ARC-1001 to ARC-1016, ARC-1101": rules that follow each other in the catalogue together.
  std::string Ranges(const std::vector<std::string>& whats) const {
    const auto position = [&](std::size_t i) -> const Rule* {
      const std::optional<Clause> rule = Clause::Parse(whats[i]);
      return rule ? catalogue_.Find(*rule) : nullptr;
    };
    std::string text;
    for (std::size_t i = 0; i < whats.size(); ++i) {
      const std::size_t first = i;
      while (i + 1 < whats.size() && position(i) != nullptr && position(i + 1) == position(i) + 1)
        ++i;
      text += (text.empty() ? "" : ", ") + whats[first];
      if (i > first) text += (i == first + 1 ? ", " : " to ") + whats[i];
    }
    return text;
  }

  void WriteHint() {
    for (const ArchiveReport& archive : report_.archives) {
      if (archive.findings.empty()) continue;
      const auto worst = std::max_element(
          archive.findings.begin(), archive.findings.end(),
          [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
      out_ << Styled(screen_, Style::kDim,
                     "What a rule means and what to do: pmproof explain " + worst->rule.ToString())
           << '\n';
      return;
    }
  }

  const Report& report_;
  const Catalogue& catalogue_;
  const RenderOptions& options_;
  const Screen& screen_;
  std::ostream& out_;
};

}  // namespace

std::string SummaryLine(const Report& report) {
  std::uint64_t conformant = 0;
  std::uint64_t failed = 0;
  std::uint64_t sets = 0;
  Counts counts;
  for (const ArchiveReport& archive : report.archives) {
    sets += archive.members.empty() ? 0 : 1;
    failed += archive.failure ? 1 : 0;
    conformant += !archive.failure && archive.conformant ? 1 : 0;
    counts += archive.counts;
  }
  const std::uint64_t archives = report.archives.size();
  std::string text = Plural(archives - sets, "archive");
  if (sets > 0) text += " and " + Plural(sets, "set");
  text += ": ";
  if (archives == 0) {
    text += "nothing was checked";
  } else {
    std::string parts;
    const auto add = [&](std::uint64_t count, const char* words) {
      if (count > 0) parts += (parts.empty() ? "" : ", ") + std::to_string(count) + " " + words;
    };
    add(conformant, "conformant");
    add(archives - conformant - failed, "not conformant");
    add(failed, "without verdict");
    text += parts + InBrackets(CountsText(counts));
  }
  if (!report.errors.empty()) {
    text += "; " + Plural(report.errors.size(), "input") + " could not be read";
  }
  return text;
}

void RenderText(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                std::ostream& out) {
  TextReport(report, catalogue, options, out).Write();
}

}  // namespace pmproof::validator

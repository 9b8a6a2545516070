// SPDX-License-Identifier: Apache-2.0
#include "validator/triage/render_triage.h"

#include <algorithm>
#include <map>
#include <vector>

#include "validator/text/csv.h"
#include "validator/text/display.h"
#include "validator/text/duration.h"

namespace pmproof::validator {
namespace {

// Shown of each list of a directory; JSON and the page have all.
constexpr std::size_t kMostShown = 5;

Style StyleOf(Condition condition) {
  switch (condition) {
    case Condition::kUndecided:
    case Condition::kLost:
      return Style::kRedBold;
    case Condition::kOrphan:
    case Condition::kDuplicate:
    case Condition::kSalvageable:
      return Style::kYellow;
    case Condition::kLive:
    case Condition::kSound:
      return Style::kGreen;
  }
  return Style::kPlain;
}

class TriageText {
 public:
  TriageText(const Triage& triage, const Screen& screen, std::ostream& out)
      : triage_(triage), screen_(screen), out_(out) {}

  void Write() {
    for (const Condition condition : kConditions) {
      if (condition == Condition::kSound) continue;
      for (const TriagedArchive& archive : triage_.archives) {
        if (archive.condition == condition) WriteArchive(archive);
      }
    }
    for (const Neighbours& directory : triage_.directories) WriteDirectory(directory);
    for (const Status& error : triage_.errors) {
      Line(0, Styled(screen_, Style::kRed, "not looked at: ") + Displayable(error.ToText()));
    }
    out_ << TriageLine(triage_) << '\n';
  }

 private:
  void Line(std::size_t indent, const std::string& text) {
    out_ << std::string(indent, ' ') << Wrap(text, screen_.width - indent, indent + 6) << '\n';
  }

  void WriteArchive(const TriagedArchive& archive) {
    out_ << Styled(screen_, StyleOf(archive.condition), ToText(archive.condition)) << "  "
         << Displayable(archive.name) << '\n';
    Line(2, "why: " + Displayable(archive.why));
    // On one line, so that it can be copied.
    out_ << "  next: " << Displayable(archive.next) << '\n';
  }

  void WriteDirectory(const Neighbours& directory) {
    std::vector<const Finding*> findings;
    for (const Finding& finding : directory.findings) {
      if (!IsToldOtherwise(finding)) findings.push_back(&finding);
    }
    if (directory.gaps.empty() && directory.overlaps.empty() && directory.partial.empty() &&
        directory.hiding.empty() && findings.empty()) {
      return;
    }
    out_ << Displayable(directory.directory) << ": " << Plural(directory.members.size(), "archive")
         << " that readers open as one\n";
    for (std::size_t i = 0; i < std::min(kMostShown, findings.size()); ++i) {
      const Finding& finding = *findings[i];
      Line(2, std::string(ToText(finding.severity)) + " " + finding.rule.ToString() + " " +
                  Displayable(finding.file) + ": " + Displayable(finding.message));
    }
    More(findings.size());
    for (const std::size_t i : directory.hiding) {
      const Neighbour& member = directory.members[i];
      Line(2,
           Displayable(member.name) + (member.opens ? " hides what comes after its first fault"
                                                    : " is passed over: readers cannot open it"));
    }
    WriteSeams("gap", directory, directory.gaps);
    WriteSeams("overlap", directory, directory.overlaps);
    if (directory.partial.empty()) return;
    Line(2, std::to_string(directory.partial.size()) + " of " +
                Plural(directory.metrics, "metric") + " are missing in some:");
    for (std::size_t i = 0; i < std::min(kMostShown, directory.partial.size()); ++i) {
      const PartialMetric& metric = directory.partial[i];
      std::size_t count = 0;
      for (const auto& [first, last] : metric.missing) count += last - first + 1;
      const Neighbour& first = directory.members[metric.missing.front().first];
      Line(4, Displayable(metric.name) + ": not in " + Displayable(first.name) +
                  (count > 1 ? " and " + std::to_string(count - 1) + " more" : ""));
    }
    More(directory.partial.size());
  }

  void WriteSeams(const char* what, const Neighbours& directory, const std::vector<Seam>& seams) {
    for (std::size_t i = 0; i < std::min(kMostShown, seams.size()); ++i) {
      const Seam& seam = seams[i];
      Line(2, std::string(what) + " of " + DurationText(seam.nanoseconds) + ", from " +
                  ToIsoText(seam.from) + " to " + ToIsoText(seam.to) + ", between " +
                  Displayable(directory.members[seam.before].name) + " and " +
                  Displayable(directory.members[seam.after].name));
    }
    More(seams.size());
  }

  void More(std::size_t count) {
    if (count > kMostShown) {
      out_ << "    and " << count - kMostShown << " more, in --format json\n";
    }
  }

  const Triage& triage_;
  const Screen& screen_;
  std::ostream& out_;
};

}  // namespace

bool IsToldOtherwise(const Finding& finding) {
  return finding.rule == "ARC-2102"_clause || finding.rule == "ARC-2107"_clause ||
         finding.rule == "ARC-2109"_clause;
}

std::string TriageLine(const Triage& triage) {
  std::map<Condition, std::size_t> counts;
  for (const TriagedArchive& archive : triage.archives) ++counts[archive.condition];
  std::string text = Plural(triage.archives.size(), "archive") + ":";
  // What is good first, as in the summary of `check`.
  for (auto condition = std::rbegin(kConditions); condition != std::rend(kConditions);
       ++condition) {
    if (counts[*condition] == 0) continue;
    text += (text.back() == ':' ? " " : ", ") + std::to_string(counts[*condition]) + " " +
            ToText(*condition);
  }
  if (triage.archives.empty()) text += " nothing to look at";
  if (!triage.errors.empty()) {
    text += "; " + Plural(triage.errors.size(), "input") + " could not be read";
  }
  return text;
}

void RenderTriageText(const Triage& triage, const Screen& screen, std::ostream& out) {
  TriageText(triage, screen, out).Write();
}

void RenderTriageCsv(const Triage& triage, std::ostream& out) {
  out << "archive,condition,why,next,host,version,bytes,records,metrics,start,finish,fatal,error,"
         "warning,info\r\n";
  const auto time = [](const std::optional<Timestamp>& each) {
    return each ? ToEpochText(*each) : std::string();
  };
  for (const TriagedArchive& archive : triage.archives) {
    for (const std::string_view text :
         {std::string_view(archive.name), std::string_view(ToText(archive.condition)),
          std::string_view(archive.why), std::string_view(archive.next),
          std::string_view(archive.host)}) {
      out << CsvField(text, Formulas::kQuote) << ',';
    }
    const Summary& summary = archive.summary;
    out << archive.archive_version << ',' << summary.bytes << ',' << summary.records << ','
        << summary.metrics << ',' << time(summary.start) << ',' << time(summary.finish) << ','
        << archive.counts.fatal << ',' << archive.counts.error << ',' << archive.counts.warning
        << ',' << archive.counts.info << "\r\n";
  }
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "validator/bisect/bisect_report.h"
#include "validator/replay/emulated_version.h"
#include "validator/replay/value_text.h"
#include "validator/rules_diff/comparison_text.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kMostRecords = 12;

std::string NameOf(PcpVersion version) {
  for (const auto& [name, of] : EmulatedVersions()) {
    if (of == version) return std::string("PCP ") + name;
  }
  return "";
}

std::string Joined(const std::vector<std::string>& words, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last : ", ";
    text += words[i];
  }
  return text;
}

std::string Joined(DeviationMask mask, const char* last) {
  std::vector<std::string> words;
  for (const auto deviation : DeviationsIn(mask)) words.push_back(ToText(deviation));
  return Joined(words, last);
}

std::string Quoted(const std::string& value) { return value.empty() ? "no value" : value; }

class BisectText {
 public:
  BisectText(const BisectReport& report, const HypothesisSpace& space, const Screen& screen,
             std::ostream& out)
      : report_(report), space_(space), screen_(screen), out_(out) {}

  void Write() {
    const SearchResult& found = report_.found;
    const bool same = found.differing == 0;
    out_ << Styled(screen_, Style::kBold, Displayable(report_.implementation.name));
    if (found.asked.empty()) {
      out_ << ": " << Styled(screen_, Style::kRed, "no question was answered") << '\n';
    } else {
      out_ << (same ? " behaves like " : " behaves most like ")
           << Styled(screen_, same ? Style::kGreen : Style::kYellow,
                     Displayable(HeadlineOf(report_, space_)))
           << '\n';
    }
    if (!report_.implementation.summary.empty()) {
      Line(report_.implementation.summary);
    }
    if (!found.asked.empty()) WriteOthers();
    WriteCounts();
    for (const auto& [why, count] : found.unanswered) {
      Warn("no answer to " + Plural(count, "question") + ": " + KindText(why.kind) + ": " +
           why.text);
    }
    for (const Status& status : report_.unused) Warn("not asked about: " + status.ToText());
    for (std::size_t i = 0; i < report_.witnesses.size(); ++i) WriteWitness(i);
  }

 private:
  void Line(const std::string& text) {
    out_ << "  " << Wrap(Displayable(text), screen_.width, 4) << '\n';
  }
  void Warn(const std::string& text) {
    out_ << "  " << Styled(screen_, Style::kRed, Wrap(Displayable(text), screen_.width, 4)) << '\n';
  }

  void WriteOthers() {
    const std::string headline = HeadlineOf(report_, space_);
    std::vector<std::string> others;
    DeviationMask undecided = 0;
    for (const std::size_t i : report_.found.profiles) {
      others.push_back("profile " + std::string(space_.profiles()[*space_[i].profile]->name()));
    }
    for (const ExplainedVersion& version : report_.found.versions) {
      others.push_back(ExplanationText(version));
      undecided |= version.undecided;
    }
    std::erase(others, headline);
    if (!others.empty()) {
      Line("so does " + Joined(others, " and ") + ": no question tells them apart");
    }
    if (undecided != 0) Line("no question tells whether it has " + Joined(undecided, " or "));
  }

  void WriteCounts() {
    const SearchResult& found = report_.found;
    const std::size_t asked = found.asked.size();
    std::string text = Plural(asked, "question") + " asked of " + std::to_string(report_.questions);
    if (asked > 0) {
      text += ": " + std::to_string(found.separating) + " to tell hypotheses apart";
      if (asked > found.separating)
        text += ", then " + std::to_string(asked - found.separating) +
                " to see whether anything else differs";
    }
    Line(text);
    if (asked == 0) return;
    if (found.differing == 0) {
      Line("all " + Plural(found.compared, "value") + " agree");
    } else {
      Line(std::to_string(found.differing) + " of " + Plural(found.compared, "value") +
           " differ from every hypothesis");
    }
  }

  void WriteWitness(std::size_t number) {
    const Witness& witness = report_.witnesses[number];
    const Question& question = witness.question;
    out_ << '\n'
         << Styled(screen_, Style::kBold,
                   "differs from all in " + witness.kind.clause + " (" +
                       ToText(witness.kind.semantics) + ")")
         << ", " << Plural(witness.count, "value") << "; "
         << (witness.shrunk ? "smallest witness:" : "a witness, not shrunk to the end:") << '\n';
    WriteRecords(question);
    out_ << "  asked\n";
    const std::vector<Timestamp> times = TimesOf(question);
    for (std::size_t i = 0; i < question.steps.size(); ++i) {
      std::vector<std::string> names;
      for (const std::size_t metric : question.steps[i].metrics) {
        names.push_back(question.archive->NameOf(metric));
      }
      out_ << "    " << TimeText(times[i]) << "  " << Displayable(Joined(names, ", "));
      if (question.steps[i].seek) {
        const replay::Delta delta = question.steps[i].seek->delta;
        out_ << "  (pmSetMode, " << (replay::DirectionOf(delta) < 0 ? "backward" : "forward")
             << ")";
      }
      if (i == witness.cell.fetch) {
        out_ << "  " << Displayable(CellText(witness)) << "expected "
             << Displayable(Quoted(witness.expected)) << ", answered "
             << Styled(screen_, Style::kYellow, Displayable(Quoted(witness.answered)));
      }
      out_ << '\n';
    }
    if (number < report_.kept.size()) {
      out_ << "  kept as " << Displayable(report_.kept[number]) << '\n';
    }
  }

  static std::string CellText(const Witness& witness) {
    if (witness.cell.metric == AnswerCell::kWholeFetch) return "";
    const auto& metrics = witness.question.steps[witness.cell.fetch].metrics;
    std::string text;
    if (metrics.size() > 1) {
      text =
          witness.question.archive->NameOf(metrics[static_cast<std::size_t>(witness.cell.metric)]);
    }
    if (witness.cell.instance >= 0) text += " [" + std::to_string(witness.cell.instance) + "]";
    return text.empty() ? "" : text + " ";
  }

  void WriteRecords(const Question& question) {
    const auto& log = question.archive->log();
    out_ << "  " << Displayable(question.archive->name()) << ": "
         << Plural(log.records().size(), "record") << '\n';
    if (log.records().size() > kMostRecords) return;
    for (const auto& record : log.records()) {
      const Timestamp start = log.origin().start();
      const auto after = static_cast<std::int64_t>(record.at * 1e9 + 0.5);
      out_ << "    " << TimeText(start + after);
      if (record.mark) out_ << "  mark";
      for (const auto& value : record.values) WriteValue(question, value);
      if (!record.mark && record.values.empty()) out_ << "  nothing that is asked for";
      out_ << '\n';
    }
  }

  void WriteValue(const Question& question, const replay::emulation::LoggedValue& value) {
    const auto& metrics = question.archive->log().metrics();
    std::size_t i = 0;
    while (i + 1 < metrics.size() && metrics[i + 1].first_cell <= value.cell) ++i;
    out_ << "  " << Displayable(question.archive->NameOf(i));
    if (!metrics[i].singular) {
      out_ << " [" << metrics[i].instances[value.cell - metrics[i].first_cell] << ']';
    }
    out_ << ' ' << Displayable(ValueText(value.value));
  }

  const BisectReport& report_;
  const HypothesisSpace& space_;
  const Screen& screen_;
  std::ostream& out_;
};

}  // namespace

std::string ExplanationText(const ExplainedVersion& version) {
  const std::string name = NameOf(version.version);
  if (version.off == 0) return name;
  if (version.on == 0) return "the rule of " + name + " without any deviation";
  if (std::popcount(version.off) <= std::popcount(version.on)) {
    return name + " without " + Joined(version.off, " and ");
  }
  return "the rule of " + name + " with " + Joined(version.on, " and ") + " alone";
}

std::string HeadlineOf(const BisectReport& report, const HypothesisSpace& space) {
  const Hypothesis& plainest = space[report.found.plainest];
  if (plainest.profile) {
    return "profile " + std::string(space.profiles()[*plainest.profile]->name());
  }
  const auto& versions = report.found.versions;
  const auto found = std::ranges::find(versions, plainest.version, &ExplainedVersion::version);
  return found == versions.end() ? "" : ExplanationText(*found);
}

void RenderBisectText(const BisectReport& report, const HypothesisSpace& space,
                      const Screen& screen, std::ostream& out) {
  BisectText(report, space, screen, out).Write();
}

}  // namespace pmproof::validator

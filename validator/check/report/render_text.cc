// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/layout.h"
#include "validator/check/report/reading_order.h"
#include "validator/check/report/render.h"
#include "validator/check/report/summary_text.h"
#include "validator/check/report/survival_text.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

using LeftOut = std::pair<std::string, std::string>;  // what, and because of what
using LeftOutSet = std::set<LeftOut>;

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

// "bad.0 offset 1234, record 7: "
std::string Place(const ArchiveReport& archive, const Finding& finding) {
  std::string text = Displayable(finding.file);
  if (finding.part == archive::kWholeArchive) return archive.members.empty() ? "" : text + ": ";
  text += " offset " + std::to_string(finding.offset);
  if (finding.part == archive::kIndexPart) {
    if (finding.record > 0) text += ", entry " + std::to_string(finding.record);
  } else if (finding.record > 0) {
    text += ", record " + std::to_string(finding.record);
  } else if (finding.offset < archive::kLayoutV3.label) {
    text += ", label";
  }
  return text + ": ";
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
    std::map<LeftOut, std::uint64_t> elsewhere;  // in how many of the archives with one line alone
    for (const ArchiveReport& archive : report_.archives) {
      const std::vector<RootCause> shown = Shown(archive);
      const bool calm = shown.empty() && !IsShown(archive.unmet) &&
                        archive.internal_errors.empty() && !archive.survival &&
                        !archive.disclosures;
      if (calm && !archive.failure && options_.quiet) continue;
      WriteVerdict(archive);
      if (!archive.failure && (one || !calm))
        out_ << "  " << Wrap(SummaryText(archive), screen_.width, 2) << '\n';
      if (archive.survival) WriteSurvival(*archive.survival);
      WriteFindings(archive, shown);
      WritePolicyFindings(archive.unmet);
      if (archive.disclosures) WriteDisclosures(*archive.disclosures);
      LeftOutSet own;
      for (const NotChecked& item : archive.not_checked) {
        if (LeftOut entry(item.what, item.because); !everywhere.contains(entry)) own.insert(entry);
      }
      for (const std::string& error : archive.internal_errors) {
        out_ << "  " << Styled(screen_, Style::kRedBold, "internal error of pmproof: ")
             << Displayable(error) << '\n';
      }
      if (calm && !one) {
        for (const LeftOut& item : own) ++elsewhere[item];
      } else {
        WriteNotChecked(own, "not checked");
        if (!calm || !own.empty()) out_ << '\n';
      }
    }
    for (const Status& error : report_.errors) {
      out_ << Styled(screen_, Style::kRed, "not checked: ") << Displayable(error.ToText()) << '\n';
    }
    WritePolicy();
    if (options_.quiet) return;
    WriteNotChecked(everywhere, "not checked in any archive");
    WriteNotCheckedElsewhere(elsewhere);
    WriteNotShown();
    if (!one) WriteTotals();
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
    out_ << Styled(screen_, style, verdict) << InBrackets(CountsText(archive.counts));
    if (!archive.unmet.empty()) out_ << "; policy: " << CountsText(CountsOf(archive.unmet));
    out_ << '\n';
  }

  // Those that are grave enough. What follows from one is never graver.
  std::vector<RootCause> Shown(const ArchiveReport& archive) const {
    std::vector<RootCause> roots = InReadingOrder(archive.findings);
    std::erase_if(roots, [&](const RootCause& root) {
      return archive.findings[root.finding].severity < options_.show;
    });
    return roots;
  }

  bool IsShown(const std::vector<PolicyFinding>& findings) const {
    return std::ranges::any_of(
        findings, [&](const PolicyFinding& finding) { return finding.severity >= options_.show; });
  }

  void WriteSurvival(const Survival& survival) {
    const auto write = [&](const std::string& name, const std::string& text) {
      if (text.empty()) return;
      out_ << "  " << Styled(screen_, Style::kBold, name)
           << Wrap(Displayable(text), screen_.width, 2 + name.size()) << '\n';
    };
    write("survives: ", SurvivesText(survival));
    write("lost:     ", LostText(survival));
    write("next:     ", NextText(survival));
  }

  void WriteDisclosures(const Disclosures& disclosures) {
    constexpr std::size_t kIndent = 23;
    const auto write = [&](const std::string& kind, const std::string& text) {
      out_ << "  " << Styled(screen_, Style::kBold, "tells") << "    " << kind
           << std::string(12 - kind.size(), ' ') << Wrap(text, screen_.width, kIndent) << '\n';
    };
    for (const Disclosure& disclosure : disclosures.fields) {
      const Disclosure::Place& first = disclosure.places.front();
      write(ToText(disclosure.kind),
            Displayable(disclosure.field) + ": " + disclosure.example + "\n" +
                Plural(disclosure.count, "place") + (disclosure.count > 1 ? ", first " : ", ") +
                Displayable(first.file) + " offset " + std::to_string(first.offset));
    }
    if (disclosures.more > 0) write("", Plural(disclosures.more, "place") + " in further fields");
    if (disclosures.fields.empty()) write("", "nothing of people or machines that was recognised");
  }

  // Of info the first of each rule alone, with the number of the others: they would bury what
  // matters, and machine formats have them all.
  void WriteFindings(const ArchiveReport& archive, const std::vector<RootCause>& shown) {
    std::map<Clause, std::uint64_t> infos;
    for (const RootCause& root : shown) {
      const Finding& finding = archive.findings[root.finding];
      if (finding.severity == Severity::kInfo) infos[finding.rule] += finding.count;
    }
    for (const RootCause& root : shown) {
      const Finding& finding = archive.findings[root.finding];
      if (finding.severity != Severity::kInfo) {
        WriteFinding(archive, root, finding.count);
      } else if (const auto info = infos.find(finding.rule); info != infos.end()) {
        WriteFinding(archive, root, info->second);
        infos.erase(info);
      }
    }
  }

  // `count`: how many this finding stands for.
  void WriteFinding(const ArchiveReport& archive, const RootCause& root, std::uint64_t count) {
    const Finding& finding = archive.findings[root.finding];
    WriteSeverity(finding.severity, finding.rule.ToString());
    std::string text = Place(archive, finding);
    if (finding.message.empty()) {
      const Rule* known = catalogue_.Find(finding.rule);
      text += known != nullptr ? "violates: " + std::string(known->title) : "";
    } else {
      text += Displayable(finding.message);
    }
    out_ << Wrap(text, screen_.width, kFindingIndent) << '\n';
    if (const std::string comparison = Comparison(finding); !comparison.empty()) {
      out_ << std::string(kFindingIndent, ' ') << Wrap(comparison, screen_.width, kFindingIndent)
           << '\n';
    }
    if (count > 1) WriteDim("and " + std::to_string(count - 1) + " more from here on");
    if (finding.reclassified) {
      WriteDim(std::string(ToText(finding.reclassified->from)) + " by the rule; " +
               OfPolicy(finding.reclassified->line, finding.reclassified->reason));
    }
    if (!root.followers.empty()) WriteDim("from this follows: " + FollowersText(archive, root));
  }

  // Of the entries of the policy, at the end.
  void WritePolicy() {
    if (!report_.policy || !IsShown(report_.policy->findings)) return;
    out_ << Styled(screen_, Style::kBold, "policy") << '\n';
    WritePolicyFindings(report_.policy->findings);
    if (!options_.quiet) out_ << '\n';
  }

  void WritePolicyFindings(const std::vector<PolicyFinding>& findings) {
    for (const PolicyFinding& finding : findings) {
      if (finding.severity < options_.show) continue;
      WriteSeverity(finding.severity, IdOf(finding.check));
      out_ << Wrap(Displayable(finding.message), screen_.width, kFindingIndent) << '\n';
      WriteDim(OfPolicy(finding.line, finding.reason));
    }
  }

  // "policy.toml, line 12: REASON"
  std::string OfPolicy(std::uint64_t line, const std::string& reason) const {
    const std::string file = report_.policy ? report_.policy->file : "policy";
    return Displayable(file) + ", line " + std::to_string(line) +
           (reason.empty() ? "" : ": " + Displayable(reason));
  }

  void WriteSeverity(Severity severity, const std::string& rule) {
    const std::string name = ToText(severity);
    out_ << "  " << Styled(screen_, StyleOf(severity), name) << std::string(9 - name.size(), ' ')
         << rule << std::string(rule.size() < 8 ? 10 - rule.size() : 2, ' ');
  }

  void WriteDim(const std::string& line) {
    out_ << std::string(kFindingIndent, ' ')
         << Styled(screen_, Style::kDim, Wrap(line, screen_.width, kFindingIndent)) << '\n';
  }

  // "ARC-1111 (error), 3 of ARC-1915 (error)"
  static std::string FollowersText(const ArchiveReport& archive, const RootCause& root) {
    std::map<std::pair<Clause, Severity>, std::uint64_t> counts;
    for (const std::size_t i : root.followers) {
      const Finding& finding = archive.findings[i];
      counts[{finding.rule, finding.severity}] += finding.count;
    }
    std::string text;
    for (const auto& [what, count] : counts) {
      text += (text.empty() ? "" : ", ") + (count > 1 ? std::to_string(count) + " of " : "") +
              what.first.ToString() + " (" + ToText(what.second) + ")";
    }
    return text;
  }

  // Of the archives that have one line.
  void WriteNotCheckedElsewhere(const std::map<LeftOut, std::uint64_t>& elsewhere) {
    std::map<std::pair<std::uint64_t, std::string>, std::vector<std::string>> by_reason;
    for (const auto& [item, count] : elsewhere)
      by_reason[{count, item.second}].push_back(item.first);
    for (const auto& [key, whats] : by_reason) {
      WriteNotCheckedLine("not checked in " + Plural(key.first, "archive"), whats, key.second);
    }
  }

  // Counted, so that nobody takes silence for absence.
  void WriteNotShown() {
    Counts all = PolicyCounts(report_);
    for (const ArchiveReport& archive : report_.archives) all += archive.counts;
    Counts counts;
    for (const Severity severity : {Severity::kInfo, Severity::kWarning, Severity::kError}) {
      if (options_.show > severity) CountOf(counts, severity) = CountOf(all, severity);
    }
    if (!Worst(counts)) return;
    std::string rules;
    for (const RuleTotal& total : TotalsByRule(report_)) {
      if (total.severity < options_.show) rules += " " + total.rule.ToString();
    }
    for (const std::string& check : PolicyChecksNotShown()) rules += " " + check;
    std::string text = "not shown: " + CountsText(counts) + ";" + rules;
    text += std::string(" (--show ") + ToText(LeastOf(counts)) + ")";
    out_ << "  " << Styled(screen_, Style::kDim, Wrap(text, screen_.width, 4)) << '\n';
  }

  std::set<std::string> PolicyChecksNotShown() const {
    std::set<std::string> checks;
    const auto add = [&](const std::vector<PolicyFinding>& findings) {
      for (const PolicyFinding& finding : findings) {
        if (finding.severity < options_.show) checks.insert(IdOf(finding.check));
      }
    };
    if (report_.policy) add(report_.policy->findings);
    for (const ArchiveReport& archive : report_.archives) add(archive.unmet);
    return checks;
  }

  static Severity LeastOf(const Counts& counts) {
    return counts.info > 0      ? Severity::kInfo
           : counts.warning > 0 ? Severity::kWarning
                                : Severity::kError;
  }

  void WriteTotals() {
    std::vector<RuleTotal> totals = TotalsByRule(report_);
    std::erase_if(totals, [&](const RuleTotal& total) { return total.severity < options_.show; });
    if (totals.empty()) return;
    out_ << Styled(screen_, Style::kBold, "by rule") << '\n';
    for (const RuleTotal& total : totals) {
      const std::string severity = ToText(total.severity);
      const Rule* rule = catalogue_.Find(total.rule);
      const std::string text = Plural(total.findings, "finding") + " in " +
                               Plural(total.archives, "archive") +
                               (rule != nullptr ? ": " + std::string(rule->title) : "");
      out_ << "  " << Styled(screen_, StyleOf(total.severity), severity)
           << std::string(9 - severity.size(), ' ') << total.rule.ToString() << "  "
           << Wrap(text, screen_.width, 21) << '\n';
    }
  }

  void WriteNotChecked(const LeftOutSet& items, const std::string& heading) {
    std::map<std::string, std::vector<std::string>> by_reason;
    for (const auto& [what, because] : items) by_reason[because].push_back(what);
    for (const auto& [because, whats] : by_reason) WriteNotCheckedLine(heading, whats, because);
  }

  void WriteNotCheckedLine(const std::string& heading, const std::vector<std::string>& whats,
                           const std::string& because) {
    const std::string text =
        Wrap(heading + ": " + Displayable(Ranges(whats)) + " (" + Displayable(because) + ")",
             screen_.width, 4);
    out_ << "  " << Styled(screen_, Style::kDim, text.substr(0, heading.size()))
         << text.substr(heading.size()) << '\n';
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
    const std::vector<RuleTotal> totals = TotalsByRule(report_);
    if (totals.empty() || totals.front().severity < options_.show) return;
    // Of the gravest the one that most archives break.
    const auto gravest =
        std::max_element(totals.begin(), totals.end(), [](const RuleTotal& a, const RuleTotal& b) {
          return std::pair(a.severity, a.archives) < std::pair(b.severity, b.archives);
        });
    const std::string rule = gravest->rule.ToString();
    out_ << Styled(screen_, Style::kDim,
                   "What " + rule + " means and what to do: pmproof explain " + rule)
         << '\n';
  }

  static constexpr std::size_t kFindingIndent = 21;  // "  warning  ARC-1606  "

  const Report& report_;
  const Catalogue& catalogue_;
  const RenderOptions& options_;
  const Screen& screen_;
  std::ostream& out_;
};

}  // namespace

void RenderText(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                std::ostream& out) {
  TextReport(report, catalogue, options, out).Write();
}

}  // namespace pmproof::validator

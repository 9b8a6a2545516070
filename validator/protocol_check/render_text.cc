// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "validator/protocol_check/render.h"
#include "validator/text/display.h"

namespace pmproof::validator::agent {
namespace {

std::string Padded(const std::string& text, std::size_t width) {
  return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$") == std::string::npos;
    text += (text.empty() ? "" : " ") + (plain ? word : "'" + word + "'");
  }
  return Displayable(text);
}

Style StyleOf(Severity severity) {
  switch (severity) {
    case Severity::kFatal:
      return Style::kRedBold;
    case Severity::kError:
      return Style::kRed;
    case Severity::kWarning:
      return Style::kYellow;
    case Severity::kInfo:
      break;
  }
  return Style::kCyan;
}

class TextReport {
 public:
  TextReport(const AgentReport& report, const CheckCatalogue& catalogue,
             const RenderOptions& options, std::ostream& out)
      : report_(report),
        catalogue_(catalogue),
        options_(options),
        screen_(options.screen),
        out_(out) {}

  void Write() {
    if (!options_.quiet) WriteHead();
    if (report_.failure) {
      out_ << Styled(screen_, Style::kRedBold,
                     report_.collector ? "The collector could not be checked"
                                       : "The agent could not be checked")
           << "\n  " << Wrap(Displayable(*report_.failure), screen_.width, 2) << "\n\n";
    }
    if (!options_.quiet) WriteSections();
    WriteFailures();
    WriteListFaults();
    if (!options_.quiet) {
      WriteDeclared();
      WriteNotes();
      WriteNotChecked();
    }
    WriteLast();
  }

 private:
  void WriteField(const std::string& name, const std::string& value) {
    const std::size_t kColumn = std::max<std::size_t>(11, name.size() + 2);
    out_ << Styled(screen_, Style::kDim, Padded(name, kColumn))
         << Wrap(Displayable(value), screen_.width, kColumn) << '\n';
  }

  void WriteHeading(const std::string& heading) {
    out_ << Styled(screen_, Style::kBold, heading) << '\n';
  }

  void WriteCollector(const CollectorFacts& collector) {
    WriteField("collector", collector.address);
    WriteField("version", collector.version
                              ? *collector.version + " (" + collector.version_from + ")"
                              : "not known: what any version does is right");
    if (!collector.agents) {
      WriteField("agents", "none that do what they are told: see pmproof collector config --help");
    }
  }

  void WriteAgent() {
    if (!report_.files.empty()) WriteField("files", report_.files);
    if (!report_.command.empty()) {
      WriteField("agent", Joined(report_.command) + " (" + report_.transport + ")");
    }
    if (!report_.failure) {
      std::string known =
          Plural(report_.metrics, "metric") + ", " + Plural(report_.indoms, "instance domain") +
          ", " + Plural(report_.instances, "instance") + "; found by " + report_.names_from;
      if (report_.domain) known = "domain " + std::to_string(*report_.domain) + ", " + known;
      WriteField("known", known);
    }
  }

  void WriteHead() {
    if (report_.collector) {
      WriteCollector(*report_.collector);
    } else {
      WriteAgent();
    }
    for (const std::string& remark : report_.remarks) WriteField("remark", remark);
    out_ << '\n';
  }

  const CheckEntry& EntryOf(const CheckOutcome& outcome) const {
    return *catalogue_.Find(outcome.id);
  }

  // How many of each section.
  void WriteSections() {
    struct Row {
      std::string heading;
      std::size_t counts[3] = {};
    };
    std::map<std::string_view, Row> rows;
    std::size_t width = 0;
    for (const CheckOutcome& outcome : report_.checks) {
      const CheckEntry& entry = EntryOf(outcome);
      Row& row = rows[entry.section];
      row.heading = std::string(entry.section) + " " + std::string(entry.heading);
      width = std::max(width, row.heading.size());
      ++row.counts[static_cast<std::size_t>(outcome.verdict.outcome)];
    }
    const auto cell = [&](std::size_t count, Style style) {
      const std::string text = std::to_string(count);
      out_ << std::string(13 - std::min<std::size_t>(13, text.size()), ' ')
           << Styled(screen_, count > 0 ? style : Style::kDim, text);
    };
    out_ << Styled(screen_, Style::kDim,
                   Padded("section", width) + "       passed       failed  not checked")
         << '\n';
    for (const auto& [section, row] : rows) {
      out_ << Padded(row.heading, width);
      cell(row.counts[0], Style::kGreen);
      cell(row.counts[1], Style::kRed);
      cell(row.counts[2], Style::kPlain);
      out_ << '\n';
    }
    out_ << '\n';
  }

  void WriteFailures() {
    for (const CheckOutcome& outcome : report_.checks) {
      if (!outcome.failed()) continue;
      const CheckEntry& entry = EntryOf(outcome);
      const std::string id = outcome.id.ToString();
      const std::string severity = validator::ToText(entry.severity);
      out_ << Styled(screen_, StyleOf(entry.severity), severity) << ' '
           << Styled(screen_, Style::kBold, id) << "  "
           << Wrap(entry.title, screen_.width, severity.size() + id.size() + 3) << '\n'
           << "  " << Wrap(Displayable(outcome.verdict.because), screen_.width, 2) << '\n';
      WriteFurther(outcome);
      WriteExchange(outcome);
      WriteSaid(outcome);
      out_ << '\n';
    }
  }

  void WriteFurther(const CheckOutcome& outcome) {
    const std::vector<std::string> sentences = Sentences(outcome);
    for (std::size_t i = 1; i < sentences.size(); ++i) {
      out_ << "  " << Wrap(Displayable(sentences[i]), screen_.width, 2) << '\n';
    }
  }

  void WriteSaid(const CheckOutcome& outcome) {
    for (const AgentOutput& output : outcome.said) {
      out_ << "    "
           << Styled(screen_, Style::kDim,
                     Wrap(Displayable(SaidHeading(output, Several(outcome))), screen_.width, 6))
           << '\n';
      for (const std::string& line : output.lines) {
        out_ << "      " << Wrap(Displayable(line), screen_.width, 8) << '\n';
      }
    }
  }

  void WriteExchange(const CheckOutcome& outcome) {
    const bool several = Several(outcome);
    for (const ExchangeLine& line : outcome.exchange) {
      out_ << "    "
           << Styled(screen_, Style::kDim,
                     Wrap(Displayable(Caption(line, several)), screen_.width, 6))
           << '\n';
      if (line.bytes.empty()) continue;
      constexpr std::size_t kShown = 192;
      std::vector<std::uint8_t> bytes = line.bytes;
      bytes.resize(std::min(bytes.size(), kShown));
      out_ << "      " << Wrap(HexWords(bytes), screen_.width, 6);
      if (line.size > bytes.size()) {
        out_ << " ... (" << bytes.size() << " of " << Plural(line.size, "byte") << ")";
      }
      out_ << '\n';
    }
  }

  void WriteItem(const std::string& id, const std::string& text) {
    out_ << "  " << id << "  " << Wrap(Displayable(text), screen_.width, 4 + id.size()) << '\n';
  }

  void WriteListFaults() {
    if (report_.list_faults.empty()) return;
    WriteHeading("Not true in the list of expected failures");
    for (const std::string& fault : report_.list_faults) {
      out_ << "  " << Wrap(Displayable(fault), screen_.width, 2) << '\n';
    }
    out_ << '\n';
  }

  void WriteDeclared() {
    bool any = false;
    for (const CheckOutcome& outcome : report_.checks) {
      if (outcome.declared.empty()) continue;
      if (!any) WriteHeading("Declared deviations");
      any = true;
      const std::uint64_t offences = outcome.verdict.offences;
      WriteItem(outcome.id.ToString(),
                outcome.declared + ": " + outcome.verdict.because +
                    (offences > 1 ? ", and " + Plural(offences - 1, "more offence") : ""));
    }
    if (any) out_ << '\n';
  }

  void WriteNotes() {
    bool any = false;
    for (const CheckOutcome& outcome : report_.checks) {
      if (!outcome.verdict.passed() || outcome.verdict.because.empty()) continue;
      if (!any) WriteHeading("Recorded");
      any = true;
      WriteItem(outcome.id.ToString(), outcome.verdict.because);
    }
    if (any) out_ << '\n';
  }

  // Reasons that several checks share are told once.
  void WriteNotChecked() {
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const CheckOutcome& outcome : report_.checks) {
      if (outcome.verdict.outcome != Outcome::kNotChecked) continue;
      const auto found = std::find_if(reasons.begin(), reasons.end(), [&](const auto& reason) {
        return reason.first == outcome.verdict.because;
      });
      if (found == reasons.end()) {
        reasons.emplace_back(outcome.verdict.because, outcome.id.ToString());
      } else {
        found->second += " " + outcome.id.ToString();
      }
    }
    if (reasons.empty()) return;
    WriteHeading("Not checked");
    for (const auto& [because, checks] : reasons) {
      out_ << "  " << Wrap(Displayable(because), screen_.width, 2) << ":\n    "
           << Wrap(checks, screen_.width, 4) << '\n';
    }
    out_ << '\n';
  }

  void WriteLast() {
    const Claim claim = ClaimOf(report_, catalogue_);
    const Style style = claim.conformant()                          ? Style::kGreen
                        : claim.kind == Claim::Kind::kNotConformant ? Style::kRedBold
                                                                    : Style::kYellow;
    if (!options_.quiet && !claim.not_covered.empty()) {
      WriteField("Not covered", NotCoveredText(claim));
    }
    out_ << Styled(screen_, style, SummaryLine(report_, catalogue_)) << '\n';
  }

  const AgentReport& report_;
  const CheckCatalogue& catalogue_;
  const RenderOptions& options_;
  const Screen& screen_;
  std::ostream& out_;
};

}  // namespace

void RenderText(const AgentReport& report, const CheckCatalogue& catalogue,
                const RenderOptions& options, std::ostream& out) {
  TextReport(report, catalogue, options, out).Write();
}

}  // namespace pmproof::validator::agent

// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/render.h"

#include <algorithm>

#include "validator/text/display.h"

namespace pmproof::validator::agent {

void Render(ReportFormat format, const AgentReport& report, const CheckCatalogue& catalogue,
            const RenderOptions& options, std::ostream& out) {
  switch (format) {
    case ReportFormat::kText:
      return RenderText(report, catalogue, options, out);
    case ReportFormat::kJson:
      return RenderJson(report, catalogue, out);
    case ReportFormat::kJunit:
      return RenderJunit(report, catalogue, options.fail_on, out);
    case ReportFormat::kHtml:
      return RenderHtml(report, catalogue, options.made, out);
  }
}

const char* ToText(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass:
      return "pass";
    case Outcome::kFail:
      return "fail";
    case Outcome::kNotChecked:
      break;
  }
  return "not_checked";
}

std::vector<std::string> ShownOffences(const Verdict& verdict) {
  std::vector<std::string> shown = {verdict.because};
  const std::size_t more = std::min(verdict.further.size(), kShownOffences - 1);
  shown.insert(shown.end(), verdict.further.begin(),
               verdict.further.begin() + static_cast<std::ptrdiff_t>(more));
  return shown;
}

std::vector<std::string> Sentences(const CheckOutcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  if (verdict.outcome != Outcome::kFail) return {verdict.because};
  std::vector<std::string> sentences = ShownOffences(verdict);
  if (verdict.offences > sentences.size()) {
    sentences.push_back("and " + Plural(verdict.offences - sentences.size(), "more offence"));
  }
  if (outcome.expected > 0) {
    sentences.push_back(std::to_string(outcome.expected) + " of the " +
                        std::to_string(verdict.offences) +
                        " offences were expected: " + outcome.expected_because);
  }
  return sentences;
}

std::string SaidHeading(const AgentOutput& output, bool several) {
  const bool log = output.from.find('/') != std::string::npos || output.from.ends_with(".log");
  return (several ? "agent " + std::to_string(output.agent) : std::string("the agent")) + "'s " +
         (log ? "log " : "") + output.from + (output.cut ? " ends:" : ":");
}

std::string HexWords(const std::vector<std::uint8_t>& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0 && i % 4 == 0) text += ' ';
    text += {kDigits[bytes[i] >> 4], kDigits[bytes[i] & 15]};
  }
  return text;
}

bool Several(const CheckOutcome& outcome) {
  return std::any_of(outcome.exchange.begin(), outcome.exchange.end(),
                     [](const ExchangeLine& line) { return line.agent > 1; });
}

std::string Caption(const ExchangeLine& line, bool several) {
  const char* const sign = line.kind == ExchangeLine::Kind::kSent       ? "> "
                           : line.kind == ExchangeLine::Kind::kReceived ? "< "
                                                                        : "- ";
  return sign + (several ? "[" + std::to_string(line.agent) + "] " : std::string()) + line.text;
}

std::string SummaryLine(const AgentReport& report, const CheckCatalogue& catalogue) {
  const Tally tally = TallyOf(report, catalogue);
  const Claim claim = ClaimOf(report, catalogue);
  std::string text = claim.ToText();
  text += ": " + std::to_string(tally.passed) + " passed, " + std::to_string(tally.failures()) +
          " failed";
  std::string parts;
  const auto part = [&](std::uint64_t count, const char* name) {
    if (count > 0) parts += (parts.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  };
  part(tally.failed.fatal, "fatal");
  part(tally.failed.error, "error");
  part(tally.failed.warning, "warning");
  part(tally.failed.info, "info");
  if (!parts.empty()) text += " (" + parts + ")";
  text += ", " + std::to_string(tally.not_checked) + " not checked";
  if (tally.declared > 0) text += ", " + std::to_string(tally.declared) + " failed as declared";
  if (!claim.because.empty()) text += "; " + claim.because;
  if (!report.list_faults.empty()) text += "; the list of expected failures is not true";
  for (const CheckOutcome& outcome : report.checks) {
    const CheckEntry* const entry = catalogue.Find(outcome.id);
    if (!outcome.failed() || entry->summary.empty()) continue;
    text += "; the agent " + std::string(entry->summary) + " (" + outcome.id.ToString() + ")";
  }
  return text;
}

}  // namespace pmproof::validator::agent

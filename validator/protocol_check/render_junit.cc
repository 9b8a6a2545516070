// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "validator/protocol_check/render.h"
#include "validator/text/display.h"

namespace pmproof::validator::agent {
namespace {

struct Suite {
  std::string heading{};
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t skipped = 0;
  std::string cases{};
};

std::string Seconds(std::chrono::milliseconds took) {
  const std::string fraction = std::to_string(1000 + took.count() % 1000).substr(1);
  return std::to_string(took.count() / 1000) + "." + fraction;
}

std::string Exchange(const CheckOutcome& outcome) {
  const bool several = Several(outcome);
  std::string text;
  for (const ExchangeLine& line : outcome.exchange) {
    text += Caption(line, several) + "\n";
    if (!line.bytes.empty()) text += "  " + HexWords(line.bytes) + "\n";
  }
  return text;
}

// What there is to say of a failure after its first offence.
std::string Details(const CheckOutcome& outcome) {
  const std::vector<std::string> sentences = Sentences(outcome);
  std::string text;
  if (sentences.size() > 1) {
    for (const std::string& sentence : sentences) text += sentence + "\n";
  }
  text += Exchange(outcome);
  for (const AgentOutput& output : outcome.said) {
    text += SaidHeading(output, Several(outcome)) + "\n";
    for (const std::string& line : output.lines) text += "  " + line + "\n";
  }
  return text;
}

void Add(const CheckOutcome& outcome, const CheckEntry& entry, Severity fail_on, Suite* suite) {
  ++suite->tests;
  suite->cases += "    <testcase classname=\"" + Markup(entry.heading) + "\" name=\"" +
                  Markup(entry.id.ToString() + ": " + std::string(entry.title)) + "\" time=\"" +
                  Seconds(outcome.took) + "\"";
  const std::string because = Markup(outcome.verdict.because);
  std::string content;
  if (outcome.verdict.outcome == Outcome::kNotChecked) {
    ++suite->skipped;
    content = "      <skipped message=\"" + because + "\"/>\n";
  } else if (!outcome.declared.empty()) {
    ++suite->skipped;
    content = "      <skipped message=\"declared: " + Markup(outcome.declared) + "\"/>\n";
  } else if (outcome.verdict.outcome == Outcome::kFail && entry.severity >= fail_on) {
    ++suite->failures;
    content = std::string("      <failure type=\"") + validator::ToText(entry.severity) +
              "\" message=\"" + because + "\">" + Markup(Details(outcome)) + "</failure>\n";
  } else if (outcome.verdict.outcome == Outcome::kFail) {
    content = std::string("      <system-out>") + validator::ToText(entry.severity) + ": " +
              because + "\n" + Markup(Details(outcome)) + "</system-out>\n";
  } else if (!because.empty()) {
    content = "      <system-out>" + because + "</system-out>\n";
  }
  suite->cases += content.empty() ? "/>\n" : ">\n" + content + "    </testcase>\n";
}

// In every suite, since not every reader takes them elsewhere.
std::string Properties(const Claim& claim) {
  const auto property = [](const char* name, const std::string& value) {
    return std::string("      <property name=\"") + name + "\" value=\"" + Markup(value) + "\"/>\n";
  };
  std::string text = "    <properties>\n" + property("claim", claim.ToText());
  if (!claim.because.empty()) text += property("undetermined because", claim.because);
  if (!claim.not_covered.empty()) text += property("not covered", NotCoveredText(claim));
  return text + "    </properties>\n";
}

}  // namespace

void RenderJunit(const AgentReport& report, const CheckCatalogue& catalogue, Severity fail_on,
                 std::ostream& out) {
  const std::string kind = report.collector ? "collector" : "agent";
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pmproof " << kind
      << (report.files.empty() ? " check" : " files") << "\">\n";
  if (report.failure) {
    out << "  <testsuite name=\"" << kind
        << "\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    <testcase classname=\""
        << kind << "\" name=\"can be checked\">\n      <error message=\"" << Markup(*report.failure)
        << "\"/>\n    </testcase>\n  </testsuite>\n";
  }
  if (!report.list_faults.empty()) {
    std::string faults;
    for (const std::string& fault : report.list_faults) faults += fault + "\n";
    out << "  <testsuite name=\"expected failures\" tests=\"1\" failures=\"1\" errors=\"0\" "
           "skipped=\"0\">\n    <testcase classname=\"expected failures\" name=\"the list is "
           "true\">\n      <failure message=\"the list of expected failures is not true\">"
        << Markup(faults) << "</failure>\n    </testcase>\n  </testsuite>\n";
  }
  const std::string properties = Properties(ClaimOf(report, catalogue));
  std::map<std::string_view, Suite> suites;
  for (const CheckOutcome& outcome : report.checks) {
    const CheckEntry& entry = *catalogue.Find(outcome.id);
    Suite& suite = suites[entry.section];
    suite.heading = std::string(entry.section) + " " + std::string(entry.heading);
    Add(outcome, entry, fail_on, &suite);
  }
  for (const auto& [section, suite] : suites) {
    out << "  <testsuite name=\"" << Markup(suite.heading) << "\" tests=\"" << suite.tests
        << "\" failures=\"" << suite.failures << "\" errors=\"0\" skipped=\"" << suite.skipped
        << "\">\n"
        << properties << suite.cases << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

}  // namespace pmproof::validator::agent

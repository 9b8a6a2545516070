// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/report_outputs.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "reference/archive/output_storage.h"
#include "validator/cli/identifier.h"
#include "validator/cli/report_time.h"
#include "validator/output/report_file.h"
#include "validator/protocol_check/expected_failures.h"
#include "validator/protocol_check/known_library.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kLargestList = std::size_t{1} << 20;

agent::ReportFormat FormatOf(const std::string& name) {
  if (name == "json") return agent::ReportFormat::kJson;
  if (name == "junit") return agent::ReportFormat::kJunit;
  if (name == "html") return agent::ReportFormat::kHtml;
  return agent::ReportFormat::kText;
}

// Of all --known and of --baseline, which need not be there if it is written. Error: what is wrong.
tl::expected<std::vector<agent::ExpectedFailure>, std::string> ExpectedOf(
    const ReportArguments& arguments) {
  std::vector<agent::ExpectedFailure> expected;
  if (arguments.baseline) {
    std::ifstream file(*arguments.baseline, std::ios::binary);
    std::string text(kLargestList + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (!file.is_open() && !arguments.fix) {
      return tl::unexpected("--baseline: " + *arguments.baseline + " cannot be read");
    }
    if (text.size() > kLargestList) {
      return tl::unexpected("--baseline: " + *arguments.baseline + " is larger than 1 MB");
    }
    auto list = agent::ParseExpectedFailures(text);
    if (!list) return tl::unexpected(*arguments.baseline + ", " + list.error());
    expected = *std::move(list);
  }
  for (const std::string& name : arguments.known) {
    const auto known = agent::KnownLibrary(name);
    if (!known) return tl::unexpected("--known: " + known.error());
    expected.insert(expected.end(), known->begin(), known->end());
  }
  return expected;
}

// The report with the declared failures in it; --fix writes the list before.
tl::expected<agent::AgentReport, std::string> Declared(const agent::AgentReport& made,
                                                       const ReportArguments& arguments) {
  auto expected = ExpectedOf(arguments);
  if (!expected) return tl::unexpected(expected.error());
  agent::AgentReport report = made;
  const std::string today = agent::Today();
  if (!arguments.fix) {
    agent::Declare(*expected, today, &report);
    return report;
  }
  std::vector<agent::ExpectedFailure> known;
  std::ranges::copy_if(*expected, std::back_inserter(known),
                       [](const agent::ExpectedFailure& one) { return !one.strict; });
  agent::AgentReport of_libraries = made;
  agent::Declare(known, today, &of_libraries);
  const std::string text = agent::BaselineOf(of_libraries, *expected, today);
  const auto output = archive::MakePosixOutput();
  if (const auto failed =
          WriteReport(*output, *arguments.baseline, [&](std::ostream& out) { out << text; })) {
    return tl::unexpected("--fix: " + failed->ToText());
  }
  auto list = *agent::ParseExpectedFailures(text);
  list.insert(list.end(), known.begin(), known.end());
  agent::Declare(list, today, &report);
  return report;
}

}  // namespace

ExitStatus WriteReports(const agent::AgentReport& made, const CheckCatalogue& catalogue,
                        const ReportArguments& arguments, const CommonArguments& common,
                        ReportWriting& reports, const Environment& environment) {
  const auto declared = Declared(made, arguments);
  if (!declared) {
    environment.err << "pmproof: " << Displayable(declared.error()) << '\n';
    return ExitStatus::kUnreadable;
  }
  const agent::AgentReport& report = *declared;
  agent::RenderOptions render{
      .fail_on = ParseSeverity(arguments.fail_on).value_or(Severity::kError),
      .quiet = common.quiet,
      .made = TimeOfPage()};
  const auto failed = reports.Write(
      common, [&](const std::string& format, const Screen& screen, std::ostream& out) {
        render.screen = screen;
        agent::Render(FormatOf(format), report, catalogue, render, out);
      });
  if (failed) return *failed;
  if (!reports.OnStandardOutput("text")) {
    if (report.failure) environment.err << "pmproof: " << Displayable(*report.failure) << '\n';
    if (!common.quiet) environment.err << agent::SummaryLine(report, catalogue) << '\n';
  }
  return agent::ExitStatusOf(report, catalogue, render.fail_on);
}

bool CheckSelection::Selects(Clause id) const {
  const auto has = [id](const std::vector<Clause>& list) {
    return std::find(list.begin(), list.end(), id) != list.end();
  };
  return (added.empty() || has(added)) && !has(removed);
}

tl::expected<CheckSelection, std::string> SelectChecks(const ReportArguments& arguments,
                                                       const CheckCatalogue& catalogue,
                                                       CheckEntry::Subject subject) {
  CheckSelection selection;
  std::vector<Clause> known;
  for (const CheckEntry& entry : catalogue.entries()) {
    if (entry.subject == subject) known.push_back(entry.id);
  }
  if (arguments.fix && !arguments.baseline)
    return tl::unexpected<std::string>("--fix needs --baseline FILE");
  if (const auto expected = ExpectedOf(arguments); !expected) {
    return tl::unexpected(expected.error());
  }
  for (const std::string& text : arguments.checks) {
    const bool is_signed = text.starts_with('+') || text.starts_with('-');
    const std::string name = is_signed ? text.substr(1) : text;
    const std::optional<Clause> id = ParseIdentifier(name);
    const CheckEntry* const entry = id ? catalogue.Find(*id) : nullptr;
    if (entry == nullptr || entry->subject != subject) {
      return tl::unexpected("--check: there is no check " + name + NearestHint(name, known));
    }
    (text.starts_with('-') ? selection.removed : selection.added).push_back(*id);
  }
  return selection;
}

}  // namespace pmproof::validator

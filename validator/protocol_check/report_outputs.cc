// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/report_outputs.h"

#include <algorithm>
#include <utility>

#include "validator/cli/identifier.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

agent::ReportFormat FormatOf(const std::string& name) {
  if (name == "json") return agent::ReportFormat::kJson;
  if (name == "junit") return agent::ReportFormat::kJunit;
  if (name == "html") return agent::ReportFormat::kHtml;
  return agent::ReportFormat::kText;
}

}  // namespace

ExitStatus WriteReports(const agent::AgentReport& report, const CheckCatalogue& catalogue,
                        const ReportArguments& arguments, const CommonArguments& common,
                        ReportWriting& reports, const Environment& environment) {
  agent::RenderOptions render{
      .fail_on = ParseSeverity(arguments.fail_on).value_or(Severity::kError),
      .quiet = common.quiet};
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

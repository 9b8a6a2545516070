#include "validator/protocol_check/report_outputs.h"

#include <algorithm>
#include <utility>

#include "validator/cli/command_line.h"
#include "validator/cli/command_support.h"
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

tl::expected<std::vector<ReportOutput>, std::string> OpenOutputs(const ReportArguments& arguments) {
  std::vector<std::string> formats = arguments.formats;
  if (formats.empty()) formats.emplace_back("text");
  std::vector<ReportOutput> outputs;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    ReportOutput& output = outputs.emplace_back();
    output.format = FormatOf(formats[i]);
    if (i >= arguments.outputs.size() || arguments.outputs[i] == "-") continue;
    auto file = OutputFile::Create(arguments.outputs[i], arguments.force);
    if (!file) return tl::unexpected(file.error());
    output.file = *std::move(file);
  }
  return outputs;
}

ExitStatus WriteReports(const agent::AgentReport& report, const CheckCatalogue& catalogue,
                        const ReportArguments& arguments, const CommonArguments& common,
                        std::vector<ReportOutput>& outputs, const Environment& environment) {
  agent::RenderOptions render{
      .fail_on = ParseSeverity(arguments.fail_on).value_or(Severity::kError),
      .quiet = common.quiet};
  bool text_on_stdout = false;
  for (ReportOutput& output : outputs) {
    std::ostream& out = output.file ? output.file->stream() : environment.out;
    render.screen = output.file ? Screen() : environment.out_screen;
    text_on_stdout |= !output.file && output.format == agent::ReportFormat::kText;
    agent::Render(output.format, report, catalogue, render, out);
    if (output.file) {
      const auto published = output.file->Publish();
      if (!published) return Fail(environment, ExitStatus::kInternal, published.error());
    } else if (!out.flush()) {
      return Fail(environment, ExitStatus::kInternal,
                  "standard output: the report could not be written");
    }
  }
  if (!text_on_stdout) {
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
                                                       Clause::Chapter chapter) {
  CheckSelection selection;
  std::vector<Clause> known;
  for (const CheckEntry& entry : catalogue.checks()) {
    if (entry.id.chapter() == chapter) known.push_back(entry.id);
  }
  for (const std::string& text : arguments.checks) {
    const bool is_signed = text.starts_with('+') || text.starts_with('-');
    const std::string name = is_signed ? text.substr(1) : text;
    const std::optional<Clause> id = ParseIdentifier(name);
    if (!id || catalogue.Find(*id) == nullptr || id->chapter() != chapter) {
      std::string message = "--check: there is no check " + name;
      for (const Clause near : Nearest(name, known)) {
        message += (message.find("; nearest: ") == std::string::npos ? "; nearest: " : ", ") +
                   near.ToString();
      }
      return tl::unexpected(std::move(message));
    }
    (text.starts_with('-') ? selection.removed : selection.added).push_back(*id);
  }
  return selection;
}

}  // namespace pmproof::validator

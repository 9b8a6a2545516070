#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "validator/check/check.h"
#include "validator/cli/command_support.h"
#include "validator/cli/environment.h"
#include "validator/schema/report_schema.h"
#include "validator/text/display.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

// Why the reports can not be written where they shall be; empty if they can. Before the check:
// nobody wants to hear of it an hour later.
std::string RefuseOutputs(const CheckArguments& arguments, const archive::Storage& storage) {
  for (const OutputRequest& output : arguments.outputs) {
    if (!output.path) continue;
    std::string refusal = RefuseOutput(*output.path, arguments.force, arguments.archives, storage);
    if (!refusal.empty()) return refusal;
  }
  return "";
}

// The files of the reports, opened before the check so that what can not be written is known at
// once.
class Outputs {
 public:
  // Empty, or why a file can not be opened.
  std::string Open(const std::vector<OutputRequest>& requests) {
    for (const OutputRequest& request : requests) {
      files_.emplace_back();
      if (!request.path) continue;
      files_.back() =
          std::make_unique<std::ofstream>(*request.path, std::ios::binary | std::ios::trunc);
      if (!*files_.back()) return *request.path + ": " + std::strerror(errno);
    }
    return "";
  }

  std::ostream& StreamOf(std::size_t i, std::ostream& standard) {
    return files_[i] ? static_cast<std::ostream&>(*files_[i]) : standard;
  }

 private:
  std::vector<std::unique_ptr<std::ofstream>> files_;  // null: standard output
};

void WriteErrors(const Report& report, std::ostream& err) {
  const auto write = [&](const std::string& text) {
    err << "pmproof: " << Displayable(text) << '\n';
  };
  for (const ArchiveReport& archive : report.archives) {
    if (archive.failure) write(archive.archive + ": no verdict: " + archive.failure->ToText());
    for (const std::string& error : archive.internal_errors) {
      err << "pmproof: " << Displayable(archive.archive)
          << ": internal error: " << Displayable(error) << '\n';
    }
  }
  for (const Status& error : report.errors) write(error.ToText());
}

}  // namespace

ExitStatus RunCheck(const CheckArguments& arguments, const CommonArguments& common,
                    const Environment& environment) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : report_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  if (const std::string refusal = RefuseOutputs(arguments, environment.storage); !refusal.empty()) {
    return Fail(environment, ExitStatus::kUsage, refusal);
  }
  Outputs outputs;
  if (const std::string problem = outputs.Open(arguments.outputs); !problem.empty()) {
    return Fail(environment, ExitStatus::kUsage, problem);
  }

  MachineCheck machine(common, environment);
  CheckOptions& options = machine.options;
  options.profile = arguments.profile;
  options.max_findings = arguments.max_findings;
  options.sets = arguments.sets;
  options.rules = arguments.rules;
  options.memory = arguments.memory;
  Report report;
  {
    std::unique_ptr<ProgressBar> bar;
    if (WantsBar(common, environment)) bar = std::make_unique<ProgressBar>(environment.err);
    report = CheckAll(environment.storage, arguments.archives, environment.catalogue, options,
                      bar.get());
  }

  RenderOptions render;
  render.fail_on = arguments.fail_on;
  render.quiet = common.quiet;
  bool text_on_terminal = false;
  bool text_on_stdout = false;
  for (std::size_t i = 0; i < arguments.outputs.size(); ++i) {
    const OutputRequest& request = arguments.outputs[i];
    std::ostream& out = outputs.StreamOf(i, environment.out);
    render.screen = request.path ? Screen() : environment.out_screen;
    if (!request.path && request.format == Format::kText) {
      text_on_stdout = true;
      text_on_terminal = environment.out_screen.terminal;
    }
    Render(request.format, report, environment.catalogue, render, out);
    if (!out.flush()) {
      return Fail(environment, ExitStatus::kInternal,
                  request.path.value_or("standard output") + ": the report could not be written");
    }
  }
  // On a terminal the text has said it; a script reads it here in any case.
  if (!text_on_terminal || !environment.err_screen.terminal) WriteErrors(report, environment.err);
  if (!text_on_stdout && !common.quiet) environment.err << SummaryLine(report) << '\n';
  return ExitStatusOf(report, arguments.fail_on);
}

}  // namespace pmproof::validator

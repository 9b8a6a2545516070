// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/commands/check_against.h"

#include <memory>
#include <ostream>

#include "validator/against/against.h"
#include "validator/against/render_against.h"
#include "validator/cli/command_support.h"
#include "validator/cli/report_writing.h"
#include "validator/schema/against_schema.h"
#include "validator/text/display.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

void WriteErrors(const against::AgainstReport& report, std::ostream& err) {
  if (report.failure) {
    err << "pmproof: no answer: " << Displayable(report.failure->ToText()) << '\n';
  }
  for (const Report* side : {&report.original, &report.replacement}) {
    for (const ArchiveReport& archive : side->archives) {
      for (const std::string& error : archive.internal_errors) {
        err << "pmproof: " << Displayable(archive.archive)
            << ": internal error: " << Displayable(error) << '\n';
      }
    }
  }
}

}  // namespace

void AgainstOptions::Declare(Options& options) {
  options
      .Texts("--against", "ORIGINAL",
             "Also say what ARCHIVE, or all of them together, do not say as ORIGINAL does: an "
             "archive, a list or a directory. In text and json",
             &originals_)
      .Excludes({"--set", "--disclose", "--only", "--rule"});
  options.Add(
      {.kind = Option::Kind::kValue,
       .names = {"--allow"},
       .value_name = "WORDS",
       .help =
           "With --against: what may be lost or other, of metrics, descriptors, names, "
           "values (missing, never others), marks, seams (where archives meet), "
           "instances, labels, help, host, zone; 'added': what may be additional; 'reduce': values "
           "are those that pmlogreduce makes of ORIGINAL",
       .repeats = true,
       .take = [this](std::string_view text) {
         allows_ = true;
         return against::ParseAllowance(text, &allowed_);
       }});
}

std::string AgainstOptions::Wrong(const OutputOptions& outputs) const {
  if (!asked()) {
    return allows_ ? "--allow says what may be lost of an original: it needs --against" : "";
  }
  for (const OutputRequest& request : outputs.requests()) {
    if (request.format == "text" || request.format == "json") continue;
    return "what --against finds is written as text or json, not as " + request.format;
  }
  return "";
}

ExitStatus AgainstOptions::Run(const std::vector<std::string>& archives, const Judgement& judgement,
                               const OutputOptions& outputs, const CommonArguments& common,
                               const Environment& environment) const {
  ReportWriting reports(outputs, environment);
  std::vector<std::string> inputs = originals_;
  inputs.insert(inputs.end(), archives.begin(), archives.end());
  if (const std::string refusal = reports.Refuse(inputs); !refusal.empty()) {
    return Fail(environment, ExitStatus::kUsage, refusal);
  }
  against::AgainstRequest request;
  request.originals = originals_;
  request.archives = archives;
  request.allowed = allowed_;
  request.examples = judgement.max_findings;
  request.check = judgement.check;
  against::AgainstReport report;
  {
    std::unique_ptr<ProgressBar> bar;
    if (WantsBar(common, environment)) bar = std::make_unique<ProgressBar>(environment.err);
    report =
        against::CompareAgainst(environment.storage, request, environment.catalogue, bar.get());
  }
  const auto failed = reports.Write(
      common, [&](const std::string& format, const Screen& screen, std::ostream& out) {
        if (format == "json") return RenderAgainstJson(report, environment.catalogue, out);
        RenderAgainstText(report, {screen, common.quiet, judgement.max_findings}, out);
      });
  if (failed) return *failed;
  const bool text_on_stdout = reports.OnStandardOutput("text");
  // On a terminal the text has said it; a script reads it here in any case.
  if (!text_on_stdout || !environment.out_screen.terminal || !environment.err_screen.terminal) {
    WriteErrors(report, environment.err);
  }
  if (!text_on_stdout && !common.quiet) environment.err << SummaryOf(report) << '\n';
  return ExitStatusOf(report, judgement.fail_on);
}

void AgainstOptions::PrintSchema(const Environment& environment) {
  for (const EmbeddedFile& file : against_schema()) environment.out << file.content;
}

}  // namespace pmproof::validator

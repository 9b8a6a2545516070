#include "validator/protocol_check/report_arguments.h"

#include <algorithm>

namespace pmproof::validator {

void AddCheckSelection(CLI::App& check, std::string (*describe)(const char* text),
                       ReportArguments* arguments) {
  check
      .add_option("--check", arguments->checks,
                  describe("-ID leaves a check out; +ID or ID makes no others; may be repeated"))
      ->type_name("+ID|-ID")
      ->allow_extra_args(false);
}

void AddReportOutput(CLI::App& check, std::string (*describe)(const char* text),
                     ReportArguments* arguments) {
  check
      .add_option("--format", arguments->formats,
                  describe("text (default), json, junit or html; may be repeated"))
      ->check(
          CLI::IsMember(std::vector<std::string>{"text", "json", "junit", "html"}).description(""))
      ->type_name("FORMAT")
      ->allow_extra_args(false);
  check
      .add_option("--output", arguments->outputs,
                  describe("Write to a file that does not exist yet; the n-th --output belongs to "
                           "the n-th --format, a --format without one goes to standard output"))
      ->type_name("FILE")
      ->allow_extra_args(false);
  check.add_flag("--force", arguments->force, describe("Let --output overwrite files"));
  check
      .add_option("--fail-on", arguments->fail_on,
                  describe("Exit with 1 if a check of this severity or graver failed: error "
                           "(default), warning, info"))
      ->check(CLI::IsMember(std::vector<std::string>{"error", "warning", "info"}).description(""))
      ->type_name("SEVERITY");
  check.add_flag("--schema", arguments->print_schema,
                 describe("Print the JSON Schema of --format json"));
}

std::string WrongOutputs(const ReportArguments& arguments) {
  const std::size_t formats = std::max<std::size_t>(1, arguments.formats.size());
  if (arguments.outputs.size() > formats) return "more --output than --format";
  if (formats > arguments.outputs.size() + 1) {
    return "only one --format can go to standard output: give the others an --output";
  }
  for (std::size_t i = 0; i < arguments.outputs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (arguments.outputs[i] == arguments.outputs[j]) {
        return "two --output name one file: " + arguments.outputs[i];
      }
    }
  }
  return "";
}

}  // namespace pmproof::validator

#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

// What `agent check` and `collector check` have in common on the command line.

namespace pmproof::validator {

struct ReportArguments {
  std::vector<std::string> checks;  // "+CKA-030", "-CKA-030"
  std::vector<std::string> formats;
  std::vector<std::string> outputs;
  std::string fail_on = "error";
  bool force = false;
  bool print_schema = false;
};

// --check.
void AddCheckSelection(CLI::App& check, std::string (*describe)(const char* text),
                       ReportArguments* arguments);

// --format, --output, --force, --fail-on, --schema.
void AddReportOutput(CLI::App& check, std::string (*describe)(const char* text),
                     ReportArguments* arguments);

// What contradicts itself; empty if nothing does.
std::string WrongOutputs(const ReportArguments& arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_REPORT_ARGUMENTS_H_

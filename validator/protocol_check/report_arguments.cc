// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/report_arguments.h"

namespace pmproof::validator {

void DeclareReports(Options& options, ReportArguments* arguments) {
  options.Texts("--check", "+ID|-ID", "-ID leaves a check out; +ID or ID makes no others",
                &arguments->checks);
  arguments->outputs.Declare(options, "Let --output overwrite files");
  options
      .Choice("--fail-on", "SEVERITY", "Exit with 1 if a check of this severity or graver failed",
              {"error", "warning", "info"}, &arguments->fail_on)
      .Default("error");
  options.Text("--baseline", "FILE",
               "Failures that are expected, a line each: ID | glob of what an offence says | "
               "reason | until=YYYY-MM-DD. They are declared deviations; what is not true in FILE "
               "(surprise pass, expired, matches nothing) fails the run",
               &arguments->baseline);
  options.Flag("--fix", "Write FILE of --baseline anew, as it is true of this run",
               &arguments->fix);
  options.Texts("--known", "LIBRARY:VERSION",
                "Declare what that library does in every agent: libpcp_pmda:7.2, python:7.2",
                &arguments->known);
  options.Flag("--schema", "Print the JSON Schema of --format json", &arguments->print_schema);
}

}  // namespace pmproof::validator

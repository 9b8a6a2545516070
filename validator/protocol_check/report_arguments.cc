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
  options.Flag("--schema", "Print the JSON Schema of --format json", &arguments->print_schema);
}

}  // namespace pmproof::validator

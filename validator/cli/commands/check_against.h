// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_CHECK_AGAINST_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_CHECK_AGAINST_H_

#include <string>
#include <vector>

#include "validator/against/difference.h"
#include "validator/check/check.h"
#include "validator/cli/environment.h"
#include "validator/cli/options.h"
#include "validator/cli/output_options.h"

namespace pmproof::validator {

// check --against: may the original go?
class AgainstOptions {
 public:
  // This outlives `options`.
  void Declare(Options& options);

  // Whether archives are to be held against an original at all.
  bool asked() const { return !originals_.empty(); }

  // What is wrong with reports in the formats of `outputs`, or "". After outputs.Wrong().
  std::string Wrong(const OutputOptions& outputs) const;

  struct Judgement {
    CheckOptions check;  // with all rules
    Severity fail_on = Severity::kError;
    std::uint64_t max_findings = 20;
  };
  // Compares, and writes the reports.
  ExitStatus Run(const std::vector<std::string>& archives, const Judgement& judgement,
                 const OutputOptions& outputs, const CommonArguments& common,
                 const Environment& environment) const;

  static void PrintSchema(const Environment& environment);

 private:
  std::vector<std::string> originals_;
  against::Allowance allowed_;
  bool allows_ = false;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_CHECK_AGAINST_H_

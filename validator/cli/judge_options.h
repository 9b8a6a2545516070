// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_JUDGE_OPTIONS_H_
#define PMPROOF_VALIDATOR_CLI_JUDGE_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/catalogue/catalogue.h"
#include "validator/check/rule_selection.h"
#include "validator/cli/options.h"

namespace pmproof::validator {

// By what archives are judged: --fail-on, --profile, --only, --rule and --max-findings, the same in
// all commands that check archives.
class JudgeOptions {
 public:
  // This outlives `options`.
  void Declare(Options& options);

  // Selects the rules. Returns what is wrong, or "".
  std::string Wrong(const Catalogue& catalogue);
  // What is wrong with the rules that were selected in a profile, or "". After Wrong().
  std::string WrongIn(Profile profile, const Catalogue& catalogue) const;

  Severity fail_on() const { return fail_on_; }
  Profile profile() const { return profile_.value_or(Profile::kArchival); }
  bool has_profile() const { return profile_.has_value(); }  // --profile was given
  // After Wrong().
  const RuleSelection& rules() const { return rules_; }
  std::uint64_t max_findings() const { return max_findings_; }

 private:
  Severity fail_on_ = Severity::kError;
  std::optional<Profile> profile_;
  std::vector<std::string> rule_options_;  // "+ARC-1102", "-ARC-1102"
  RuleSelection rules_;
  std::uint64_t max_findings_ = 20;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_JUDGE_OPTIONS_H_

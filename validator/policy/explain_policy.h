// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_POLICY_EXPLAIN_POLICY_H_
#define PMPROOF_VALIDATOR_POLICY_EXPLAIN_POLICY_H_

#include <ostream>
#include <string>
#include <vector>

#include "validator/check/report/report.h"
#include "validator/policy/apply_policy.h"
#include "validator/text/terminal.h"

namespace pmproof::validator::policy {

// The verdicts on archives before a policy was applied.
struct Verdicts {
  explicit Verdicts(const Report& report);

  std::string summary;           // SummaryLine()
  std::vector<bool> conformant;  // of each archive
};

// What a policy does to a report, entry by entry, for people. `after` is the report that `before`
// was of, judged, and `unmet` what ApplyPolicy() returned; without archives, what the policy says
// is all.
void ExplainPolicy(const Verdicts& before, const Report& after,
                   const std::vector<UnmetEntry>& unmet, const Screen& screen, std::ostream& out);

}  // namespace pmproof::validator::policy

#endif  // PMPROOF_VALIDATOR_POLICY_EXPLAIN_POLICY_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_AGAINST_H_
#define PMPROOF_VALIDATOR_AGAINST_AGAINST_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "validator/against/compare_sides.h"
#include "validator/against/difference.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/check/report/report.h"
#include "validator/text/progress.h"

// May the original go? Archives held against what they are to replace.

namespace pmproof::validator::against {

enum class Outcome : std::uint8_t {
  kNothingLost,
  kLossyAsDeclared,  // each difference is one that was declared
  kLoss,
  kNoAnswer,  // one of the archives could not be read, or not to its end
};
const char* ToText(Outcome outcome);  // "nothing lost", "lossy as declared", "loss", "no answer"

struct AgainstRequest {
  std::vector<std::string> originals;  // as check takes names; all together are the original
  std::vector<std::string> archives;   // that replace it, all together
  Allowance allowed;
  std::size_t examples = 20;  // of each difference
  // By all rules, and with options.memory for both sides together.
  CheckOptions check;
};

struct AgainstReport {
  Report original;
  Report replacement;
  Allowance allowed;
  std::optional<Comparison> comparison;    // nothing: there is no answer
  std::optional<Status> failure;           // why not
  std::vector<std::string> on_both_sides;  // archives that would go with the original

  Outcome outcome() const;
};

// Checks both sides, and compares them if readers get to the end of every file. `progress` may be
// null.
AgainstReport CompareAgainst(const archive::Storage& storage, const AgainstRequest& request,
                             const Catalogue& catalogue, ProgressSink* progress);

// The first that applies of 5, 4, 6; 1 for a loss, and for findings of what replaces the original
// as grave as `fail_on` or graver; 0.
ExitStatus ExitStatusOf(const AgainstReport& report, Severity fail_on);

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_AGAINST_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULE_SELECTION_H_
#define PMPROOF_VALIDATOR_CHECK_RULE_SELECTION_H_

#include <vector>

#include "reference/core/clause.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/report/report.h"

namespace pmproof::validator {

// Which rules the user asked for (--only, --rule). Empty: all. A value.
struct RuleSelection {
  std::vector<RulePart> only;  // --only: rules about these; rules about files always belong to them
  std::vector<Clause>
      added;  // --rule +ID: beside those of `only`; where that is empty, these alone
  std::vector<Clause> removed;  // --rule -ID: has the last word

  bool Selects(const Rule& rule) const;
};

// The rules that a check with this selection and profile leaves out, for the report.
std::vector<NotChecked> LeftOut(const Catalogue& catalogue, const RuleSelection& selection,
                                Profile profile);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULE_SELECTION_H_

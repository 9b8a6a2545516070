// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_FIND_RECORDS_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_FIND_RECORDS_H_

#include <optional>

#include "validator/rules_diff/comparison.h"
#include "validator/rules_diff/side.h"

namespace pmproof::validator {

// What neither of two sides says, since none is a rule: the records around the places where they
// differ, as the reference finds them. Fills in the bounds of the examples, and from where to where
// each of the metric-instances that differ most is shown. Errors as of Side::AnswerPoints().
std::optional<Status> FindRecords(const SideTask& task, Comparison* comparison);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_FIND_RECORDS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_DESCRIBE_ANSWER_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_DESCRIBE_ANSWER_H_

#include <optional>
#include <string>

#include "reference/replay/replay.h"
#include "reference/replay/rule.h"
#include "validator/rules_diff/comparison.h"

// What a rule answered, and by which clause.

namespace pmproof::validator {

// One metric-instance at one time, as one of two rules answers it: a value, or the metric's error,
// or neither.
struct Reply {
  const replay::InstanceAnswer* value = nullptr;
  ErrorCode error = ErrorCode::kOk;
};

// The clause that a reply stands on; none without a rule (null) that can be asked. A fetch says
// nothing of values that are not there: the rule is asked again with `bounds`, those that the other
// rule's value has; may be null.
Clause WhyOf(const Reply& reply, const replay::Rule* rule, const replay::Bounds* bounds,
             const replay::Question& question);

RuleAnswer Describe(const Reply& reply, Clause why);

// A value as reports show it: ValueText(), cut after some 60 bytes, which it says.
std::string ShownText(const Value& value);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_DESCRIBE_ANSWER_H_

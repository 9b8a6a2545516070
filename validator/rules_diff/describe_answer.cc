// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/describe_answer.h"

#include "reference/core/utf8.h"
#include "validator/replay/value_text.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kLongest = 60;

Clause WhyOfError(ErrorCode error, const replay::Rule& rule, const replay::Question& question) {
  if (error == ErrorCode::kEndOfLog) {
    return rule.traits().exact_end ? "INT-1206"_clause : "INT-206"_clause;
  }
  if (error == ErrorCode::kType) {
    const bool opaque = question.type == MetricType::kString ||
                        question.type == MetricType::kAggregate || IsEvent(question.type);
    return opaque ? "INT-406"_clause : "INT-412"_clause;
  }
  return error == ErrorCode::kLogRecord ? "INT-903"_clause : Clause();
}

}  // namespace

Clause WhyOf(const Reply& reply, const replay::Rule* rule, const replay::Bounds* bounds,
             const replay::Question& question) {
  if (reply.error == ErrorCode::kOk && reply.value != nullptr) return reply.value->why;
  if (rule == nullptr) return {};
  if (reply.error != ErrorCode::kOk) return WhyOfError(reply.error, *rule, question);
  if (bounds == nullptr) return {};
  const replay::Answer again = rule->At(*bounds, question);
  if (again.kind != replay::Answer::Kind::kValue) return again.why;
  // The bounds give a value, yet the fetch has none.
  if (question.semantics == Semantics::kCounter) return "INT-706"_clause;
  if (question.semantics == Semantics::kDiscrete && rule->traits().lifetimes) {
    return "INT-403"_clause;
  }
  return "INT-905"_clause;  // its bounds are other ones: virtual marks lie elsewhere
}

std::string ShownText(const Value& value) {
  std::string text = ValueText(value);
  if (text.size() <= kLongest) return text;
  const std::size_t size = text.size();
  text.resize(kLongest);
  text.resize(FirstInvalidUtf8(text));
  return text + "... (" + std::to_string(size) + " bytes)";
}

RuleAnswer Describe(const Reply& reply, Clause why) {
  RuleAnswer answered;
  answered.why = why;
  if (reply.error != ErrorCode::kOk) {
    answered.kind = RuleAnswer::Kind::kError;
    answered.text = ErrorText(reply.error);
  } else if (reply.value != nullptr) {
    answered.kind = RuleAnswer::Kind::kValue;
    answered.text = ShownText(reply.value->value);
    answered.bounds = reply.value->bounds;
  }
  return answered;
}

}  // namespace pmproof::validator

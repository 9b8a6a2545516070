// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/rule.h"

namespace pmproof::replay {
namespace {

bool IsOpaque(MetricType type) {
  return type == MetricType::kString || type == MetricType::kAggregate || IsEvent(type);
}

Answer Stored(const Value& value, Clause why) { return {Answer::Kind::kValue, value, why}; }

}  // namespace

Answer Rule::At(const Bounds& bounds, const Question& question) const {
  const Bound& prior = bounds.prior;
  const Bound& next = bounds.next;
  const bool opaque = IsOpaque(question.type);
  if (!opaque && !IsNumeric(question.type)) {
    return {Answer::Kind::kTypeError, {}, "INT-412"_clause};
  }
  if (prior.kind == Bound::Kind::kDamage || next.kind == Bound::Kind::kDamage) {
    return {Answer::Kind::kDamaged, {}, "INT-903"_clause};
  }
  if (!prior.IsValue()) return {Answer::Kind::kNone, {}, "INT-502"_clause};
  if (!next.IsValue() && question.semantics != Semantics::kDiscrete) {
    return {Answer::Kind::kNone, {}, "INT-502"_clause};
  }
  if (opaque && question.semantics == Semantics::kCounter) {
    return {Answer::Kind::kTypeError, {}, "INT-406"_clause};
  }
  if (prior.moment.at == question.t) return Stored(prior.value, "INT-501"_clause);
  if (!next.IsValue()) {
    return Stored(prior.value, "INT-502"_clause);
  }
  const bool chosen =
      question.semantics == Semantics::kInstant || question.semantics == Semantics::kDiscrete;
  if (chosen) return Choose(bounds, question);
  // INT-505: other numbers are drawn as counters are.
  if (opaque) return Stored(prior.value, "INT-505"_clause);
  return Line(bounds, question);
}

Needs Rule::UsualNeeds(MetricType type, Semantics semantics) {
  if (!IsOpaque(type) && !IsNumeric(type)) return {};
  return {.prior = true, .next = semantics != Semantics::kDiscrete};
}

}  // namespace pmproof::replay

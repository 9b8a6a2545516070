// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/static_semantics.h"
#include "reference/derived/unit_fields.h"

namespace pmproof::derived {
namespace {

// DER-861..868.
Refusal CheckBranches(const Descriptor& first, const Descriptor& second, const Dialect& dialect) {
  if (first.type != second.type) {
    return {"Different types for ternary operands", "DER-861"_clause};
  }
  if (first.indom != second.indom && !first.indom.IsNull() && !second.indom.IsNull()) {
    return {"Different instance domains for ternary operands", "DER-862"_clause};
  }
  if (first.semantics != second.semantics) {
    return {"Different semantics for ternary operands", "DER-863"_clause};
  }
  const UnitFields a = UnitFields::Of(first.units);
  const UnitFields b = UnitFields::Of(second.units);
  const auto differ = [](UnitField left, UnitField right) {
    return left.dimension != right.dimension || left.scale != right.scale;
  };
  if (differ(a.space, b.space)) {
    return {"Different units or scale (space) for ternary operands", "DER-864"_clause};
  }
  if (differ(a.time, b.time)) {
    return {"Different units or scale (time) for ternary operands", "DER-865"_clause};
  }
  if (differ(a.count, b.count)) {
    return {"Different units or scale (count) for ternary operands", "DER-866"_clause};
  }
  if (dialect.extra_units && a.extra != b.extra) {
    return {"Different units or scale (extra) for ternary operands", "DER-868"_clause};
  }
  return {};
}

}  // namespace

Refusal ApplyTernary(const TernaryOperands& operands, const Dialect& dialect, Descriptor* result) {
  using Branches = BoundNode::Branches;
  const bool both = operands.in_play == Branches::kBoth;
  if (both && !operands.first_is_novalue && !operands.second_is_novalue) {
    if (const Refusal refusal = CheckBranches(operands.first, operands.second, dialect)) {
      return refusal;
    }
  }
  if (!IsNumeric(operands.guard.type)) {
    return {"Non-arithmetic operand for ternary guard", "DER-875"_clause};
  }
  if (operands.first.indom.IsNull() && operands.second.indom.IsNull() &&
      !operands.guard.indom.IsNull()) {
    return {"Non-scalar ternary guard with scalar expressions", "DER-876"_clause};
  }
  // DER-878.
  if (!both) {
    *result = operands.in_play == Branches::kFirst ? operands.first : operands.second;
  } else {
    *result = operands.first_is_novalue ? operands.second : operands.first;
    result->indom = operands.first.indom.IsNull() ? operands.second.indom : operands.first.indom;
  }
  result->pmid = Pmid::Null();
  return {};
}

}  // namespace pmproof::derived

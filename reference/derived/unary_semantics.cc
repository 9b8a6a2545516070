// SPDX-License-Identifier: Apache-2.0
#include "reference/core/convert_scale.h"
#include "reference/derived/function_semantics.h"
#include "reference/derived/static_semantics.h"

namespace pmproof::derived {

Refusal ApplyUnary(const Node& node, const Descriptor& operand, Units units, const Dialect& dialect,
                   Descriptor* result) {
  *result = operand;
  result->pmid = Pmid::Null();
  const bool numeric = IsNumeric(operand.type);
  if (node.kind == NodeKind::kFunction) return FunctionOf(node).bind(operand, dialect, result);
  if (node.kind == NodeKind::kNegate) {  // DER-811, 817
    if (!numeric) return {"Non-arithmetic operand for unary negation", "DER-817"_clause};
    if (operand.type == MetricType::kU32) result->type = MetricType::k32;
    if (operand.type == MetricType::kU64) result->type = MetricType::k64;
    result->semantics = Semantics::kInstant;
  } else if (node.kind == NodeKind::kRescale) {  // DER-814, 817: a trial
    if (!numeric) return kNotArithmetic;
    if (!ConvertScale(Value::Of(1.0), operand.units, units, dialect.version)) {
      return {"Incompatible dimensions", "DER-817"_clause};
    }
    result->units = units;
  }
  return {};  // DER-812, 813: ! and filters
}

}  // namespace pmproof::derived

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_FUNCTION_SEMANTICS_H_
#define PMPROOF_REFERENCE_DERIVED_FUNCTION_SEMANTICS_H_

#include "reference/core/metric.h"
#include "reference/derived/functions.h"

// What functions make of the descriptor of their operand (Function::bind).

namespace pmproof::derived {

inline constexpr Refusal kNotArithmetic{"Non-arithmetic operand for function", "DER-817"_clause};

Refusal BindDelta(const Descriptor& operand, const Dialect& dialect, Descriptor* result);
Refusal BindRate(const Descriptor& operand, const Dialect& dialect, Descriptor* result);
Refusal BindAverage(const Descriptor& operand, const Dialect& dialect, Descriptor* result);
// max() and min().
Refusal BindExtreme(const Descriptor& operand, const Dialect& dialect, Descriptor* result);
Refusal BindSum(const Descriptor& operand, const Dialect& dialect, Descriptor* result);
Refusal BindCount(const Descriptor& operand, const Dialect& dialect, Descriptor* result);
Refusal BindInstant(const Descriptor& operand, const Dialect& dialect, Descriptor* result);
Refusal BindScalar(const Descriptor& operand, const Dialect& dialect, Descriptor* result);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_FUNCTION_SEMANTICS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_EVALUATE_AGGREGATES_H_
#define PMPROOF_REFERENCE_DERIVED_EVALUATE_AGGREGATES_H_

#include <memory>
#include <vector>

#include "reference/derived/functions.h"

// One value of many (DER-1116..1120): Function::evaluate and Function::remember.

namespace pmproof::derived {

// DER-1116.
void Count(const FunctionCall& call, std::vector<Pair>* result);
// DER-1117: in the type of the pairs; 0 of none [Q].
void Sum(const FunctionCall& call, std::vector<Pair>* result);
// DER-1118: in single precision at each step; 0 of none [Q].
void Average(const FunctionCall& call, std::vector<Pair>* result);
// DER-1120; no pair of none [U].
void First(const FunctionCall& call, std::vector<Pair>* result);

// max() and min(). They remember their latest result, which is also that of no pairs (DER-1119)
// [Q]; no pair if there never was one [U].
std::unique_ptr<FunctionMemory> RememberMaximum(const FunctionOperand& operand,
                                                const Dialect& dialect);
std::unique_ptr<FunctionMemory> RememberMinimum(const FunctionOperand& operand,
                                                const Dialect& dialect);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_EVALUATE_AGGREGATES_H_

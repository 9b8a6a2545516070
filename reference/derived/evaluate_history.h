// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_EVALUATE_HISTORY_H_
#define PMPROOF_REFERENCE_DERIVED_EVALUATE_HISTORY_H_

#include <memory>

#include "reference/derived/functions.h"

// delta() and rate() (DER-1131..1139): Function::remember. They remember the pairs of their
// operand, and its error, for one evaluation.

namespace pmproof::derived {

std::unique_ptr<FunctionMemory> RememberDelta(const FunctionOperand& operand,
                                              const Dialect& dialect);
std::unique_ptr<FunctionMemory> RememberRate(const FunctionOperand& operand,
                                             const Dialect& dialect);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_EVALUATE_HISTORY_H_

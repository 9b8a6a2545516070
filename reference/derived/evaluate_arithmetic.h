// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_EVALUATE_ARITHMETIC_H_
#define PMPROOF_REFERENCE_DERIVED_EVALUATE_ARITHMETIC_H_

#include <span>
#include <vector>

#include "reference/core/metric.h"
#include "reference/derived/bind.h"
#include "reference/derived/expression.h"
#include "reference/derived/instance_index.h"
#include "reference/derived/operand_values.h"

// Prefix and binary operators (DER-1141..1148).

namespace pmproof::derived {

// DER-1141. `type` is that of the result. `result` is replaced.
void Negate(std::span<const Pair> pairs, MetricType type, std::vector<Pair>* result);

// DER-1141. `type` is that of the pairs and of the result; other types than 32 and U32 are [U]
// (DER-818): 0 or 1 in the type if it is numeric, else no pairs.
void Not(std::span<const Pair> pairs, MetricType type, std::vector<Pair>* result);

struct BinaryOperand {
  std::span<const Pair> pairs;
  const Descriptor& descriptor;
};

// DER-1143..1148. `type` is that of the result; `scaling` DER-851's. `index` finds the instances of
// the right side; `result` is replaced.
void Combine(NodeKind kind, const BinaryOperand& left, const BinaryOperand& right, MetricType type,
             const BinaryScaling& scaling, InstanceIndex* index, std::vector<Pair>* result);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_EVALUATE_ARITHMETIC_H_

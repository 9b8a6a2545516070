#ifndef PMPROOF_REFERENCE_DERIVED_EVALUATE_TERNARY_H_
#define PMPROOF_REFERENCE_DERIVED_EVALUATE_TERNARY_H_

#include <span>
#include <vector>

#include "reference/core/metric.h"
#include "reference/derived/operand_values.h"

// Ternaries with both branches in play (DER-1151..1155).

namespace pmproof::derived {

struct TernaryBranch {
  std::span<const Pair> pairs;
  bool singular = true;  // its descriptor
  bool novalue = false;
};

// Takes values by position, not by instance (DER-1153) [Q]. `guard_type` is that of the guard's
// pairs. `result` is replaced. Where positions have no instance or no value [U] there is no pair.
void Choose(std::span<const Pair> guard, MetricType guard_type, const TernaryBranch& first,
            const TernaryBranch& second, std::vector<Pair>* result);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_EVALUATE_TERNARY_H_

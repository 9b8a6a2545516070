#ifndef PMPROOF_REFERENCE_DERIVED_EVALUATE_AGGREGATES_H_
#define PMPROOF_REFERENCE_DERIVED_EVALUATE_AGGREGATES_H_

#include <optional>
#include <span>

#include "reference/core/metric.h"
#include "reference/core/value.h"
#include "reference/derived/operand_values.h"

// DER-1116..1119: one value of many. `type` is that of the pairs.

namespace pmproof::derived {

// DER-1117: in the type of the pairs; 0 of none [Q].
Value Sum(std::span<const Pair> pairs, MetricType type);

// DER-1118: in single precision at each step; 0 of none [Q].
Value Average(std::span<const Pair> pairs, MetricType type);

// max() or min() and its latest result, which is also that of no pairs (DER-1119) [Q].
class Extreme {
 public:
  // `largest`: max().
  Extreme(bool largest, MetricType type) : largest_(largest), type_(type) {}

  // Nothing if there never was one [U].
  const std::optional<Value>& Take(std::span<const Pair> pairs);

 private:
  bool largest_;
  MetricType type_;
  std::optional<Value> latest_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_EVALUATE_AGGREGATES_H_

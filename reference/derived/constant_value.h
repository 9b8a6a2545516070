#ifndef PMPROOF_REFERENCE_DERIVED_CONSTANT_VALUE_H_
#define PMPROOF_REFERENCE_DERIVED_CONSTANT_VALUE_H_

#include <string_view>

#include "reference/core/metric.h"
#include "reference/core/value.h"

namespace pmproof::derived {

// DER-1111: the number of a constant, digits with at most one point, as a value of a numeric type.
Value ConstantValue(std::string_view number, MetricType type);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_CONSTANT_VALUE_H_

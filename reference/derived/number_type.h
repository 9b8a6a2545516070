// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_NUMBER_TYPE_H_
#define PMPROOF_REFERENCE_DERIVED_NUMBER_TYPE_H_

#include <cstdint>
#include <type_traits>

#include "reference/core/metric.h"
#include "reference/core/value.h"

namespace pmproof::derived {

// DER-1145: the number of a value of that type as a T, the working type: integers are extended or
// taken bit for bit, and rounded once if T is floating. No operator asks for an integer of a
// floating value (DER-842); that is 0.
template <typename T>
T Load(const Value& value, MetricType type) {
  switch (type) {
    case MetricType::k32:
      return static_cast<T>(value.AsI32());
    case MetricType::kU32:
      return static_cast<T>(value.AsU32());
    case MetricType::k64:
      return static_cast<T>(value.AsI64());
    case MetricType::kU64:
      return static_cast<T>(value.AsU64());
    case MetricType::kFloat:
    case MetricType::kDouble:
      if constexpr (std::is_floating_point_v<T>) {
        if (type == MetricType::kFloat) return static_cast<T>(value.AsFloat());
        return static_cast<T>(value.AsDouble());
      }
      return T{};
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return T{};
}

// Calls `use` with a zero of the C++ type that has the values of `type`; not for types that are not
// numeric.
template <typename Use>
void WithNumberType(MetricType type, const Use& use) {
  switch (type) {
    case MetricType::k32:
      return use(std::int32_t{});
    case MetricType::kU32:
      return use(std::uint32_t{});
    case MetricType::k64:
      return use(std::int64_t{});
    case MetricType::kU64:
      return use(std::uint64_t{});
    case MetricType::kFloat:
      return use(float{});
    case MetricType::kDouble:
      return use(double{});
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return;
}

// DER-1146: integers wrap.
template <typename T, typename Operation>
T Wrapping(T left, T right, const Operation& operation) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(operation(static_cast<Unsigned>(left), static_cast<Unsigned>(right)));
  } else {
    return operation(left, right);
  }
}

// DER-1141, 1151: NaN is not zero.
inline bool IsZero(const Value& value, MetricType type) {
  return IsInteger(type) ? Load<std::int64_t>(value, type) == 0 : Load<double>(value, type) == 0;
}

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_NUMBER_TYPE_H_

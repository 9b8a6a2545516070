#include "reference/derived/evaluate_aggregates.h"

#include <functional>

#include "reference/derived/number_type.h"

namespace pmproof::derived {

Value Sum(std::span<const Pair> pairs, MetricType type) {
  Value sum;
  WithNumberType(type, [&]<typename T>(T total) {
    for (const Pair& pair : pairs) {
      total = Wrapping(total, Load<T>(pair.value, type), std::plus<>());
    }
    sum = Value::Of(total);
  });
  return sum;
}

Value Average(std::span<const Pair> pairs, MetricType type) {
  const float count = static_cast<float>(pairs.size());
  float average = 0;
  for (const Pair& pair : pairs) {
    const float share = Load<float>(pair.value, type) / count;
    average += share;
  }
  return Value::Of(average);
}

const std::optional<Value>& Extreme::Take(std::span<const Pair> pairs) {
  if (pairs.empty()) return latest_;
  WithNumberType(type_, [&]<typename T>(T) {
    T extreme = Load<T>(pairs[0].value, type_);
    for (const Pair& pair : pairs) {
      const T number = Load<T>(pair.value, type_);
      if (largest_ ? number > extreme : number < extreme) extreme = number;
    }
    latest_ = Value::Of(extreme);
  });
  return latest_;
}

}  // namespace pmproof::derived

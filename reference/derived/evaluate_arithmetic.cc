// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/evaluate_arithmetic.h"

#include <cstdint>
#include <functional>
#include <type_traits>

#include "reference/derived/number_type.h"

namespace pmproof::derived {
namespace {

// DER-1143: calls `use` with an instance and the values of both sides.
template <typename Use>
void ForEachMatch(const BinaryOperand& left, const BinaryOperand& right, InstanceIndex* index,
                  const Use& use) {
  if (left.pairs.empty() || right.pairs.empty()) return;
  if (left.descriptor.indom.IsNull()) {
    for (const Pair& pair : right.pairs) use(pair.instance, left.pairs[0].value, pair.value);
  } else if (right.descriptor.indom.IsNull()) {
    for (const Pair& pair : left.pairs) use(pair.instance, pair.value, right.pairs[0].value);
  } else {
    index->Set(right.pairs);
    for (const Pair& pair : left.pairs) {
      if (const Pair* const other = index->Find(pair.instance)) {
        use(pair.instance, pair.value, other->value);
      }
    }
  }
}

// DER-842 without the rule of relational operators (DER-1144).
MetricType Promoted(MetricType left, MetricType right) {
  for (const MetricType type : {MetricType::kDouble, MetricType::kFloat, MetricType::kU64,
                                MetricType::k64, MetricType::kU32}) {
    if (left == type || right == type) return type;
  }
  return MetricType::k32;
}

// DER-1146, 1147.
template <typename T>
T Calculate(NodeKind kind, T left, T right) {
  if (kind == NodeKind::kAdd) return Wrapping(left, right, std::plus<>());
  if (kind == NodeKind::kSubtract) return Wrapping(left, right, std::minus<>());
  if (kind == NodeKind::kMultiply) return Wrapping(left, right, std::multiplies<>());
  // The type of a quotient is DOUBLE.
  if constexpr (std::is_floating_point_v<T>) return left == 0 ? T{0} : left / right;
  return T{};
}

template <typename T>
bool Holds(NodeKind kind, T left, T right) {
  if (kind == NodeKind::kLess) return left < right;
  if (kind == NodeKind::kLessEqual) return left <= right;
  if (kind == NodeKind::kEqual) return left == right;
  if (kind == NodeKind::kGreaterEqual) return left >= right;
  if (kind == NodeKind::kGreater) return left > right;
  if (kind == NodeKind::kNotEqual) return left != right;
  if (kind == NodeKind::kAnd) return left != 0 && right != 0;
  return left != 0 || right != 0;
}

// DER-1145: a divisor of 0 occurs (DER-854).
template <typename T>
T Scaled(T number, const Scaling& scaling) {
  if constexpr (std::is_same_v<T, double>) {
    return number / scaling.divisor * scaling.multiplier;
  } else {
    return number;
  }
}

}  // namespace

void Negate(std::span<const Pair> pairs, MetricType type, std::vector<Pair>* result) {
  result->clear();
  WithNumberType(type, [&]<typename T>(T) {
    for (const Pair& pair : pairs) {
      // A U32 is negated as a 32, a U64 as a 64: bit for bit the same.
      T number = Load<T>(pair.value, type);
      if constexpr (std::is_integral_v<T>) {
        number = Wrapping(T{0}, number, std::minus<>());
      } else {
        number = -number;
      }
      result->push_back({pair.instance, Value::Of(number)});
    }
  });
}

void Not(std::span<const Pair> pairs, MetricType type, std::vector<Pair>* result) {
  result->clear();
  WithNumberType(type, [&]<typename T>(T) {
    for (const Pair& pair : pairs) {
      const T truth = IsZero(pair.value, type) ? T{1} : T{0};
      result->push_back({pair.instance, Value::Of(truth)});
    }
  });
}

void Combine(NodeKind kind, const BinaryOperand& left, const BinaryOperand& right, MetricType type,
             const BinaryScaling& scaling, InstanceIndex* index, std::vector<Pair>* result) {
  result->clear();
  const MetricType left_type = left.descriptor.type;
  const MetricType right_type = right.descriptor.type;
  const bool arithmetic = IsArithmeticKind(kind);
  WithNumberType(arithmetic ? type : Promoted(left_type, right_type), [&]<typename T>(T) {
    ForEachMatch(left, right, index, [&](std::int32_t instance, const Value& l, const Value& r) {
      const T a = Scaled(Load<T>(l, left_type), scaling.left);
      const T b = Scaled(Load<T>(r, right_type), scaling.right);
      result->push_back({instance, arithmetic ? Value::Of(Calculate(kind, a, b))
                                              : Value::Of(std::uint32_t{Holds(kind, a, b)})});
    });
  });
}

}  // namespace pmproof::derived

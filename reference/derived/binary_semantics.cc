// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "reference/derived/static_semantics.h"
#include "reference/derived/unit_fields.h"

namespace pmproof::derived {
namespace {

constexpr Refusal kDifferentDimensions825{"Dimensions are not the same", "DER-825"_clause};
constexpr Refusal kDifferentDimensions826{"Dimensions are not the same", "DER-826"_clause};
constexpr Refusal kDifferentDimensions827{"Dimensions are not the same", "DER-827"_clause};

bool HasExtra(const UnitFields& units, const Dialect& dialect) {
  return dialect.extra_units && (units.extra >> 3) != 0;
}

// "none" of the specification: all four dimensions are zero.
bool IsNone(const UnitFields& units, const Dialect& dialect) {
  return units.space.dimension == 0 && units.time.dimension == 0 && units.count.dimension == 0 &&
         !HasExtra(units, dialect);
}

// DER-825: the same dimensions, or none and count.
bool SameDimensions(const UnitFields& left, const UnitFields& right, const Dialect& dialect) {
  if (left.space.dimension != right.space.dimension ||
      left.time.dimension != right.time.dimension) {
    return false;
  }
  if (dialect.extra_units && (left.extra >> 3) != (right.extra >> 3)) return false;
  if (left.count.dimension == right.count.dimension) return true;
  if (dialect.seed_semantics) return false;  // DER-1504
  const bool only_count =
      left.space.dimension == 0 && left.time.dimension == 0 && !HasExtra(left, dialect);
  return only_count && left.count.dimension + right.count.dimension == 1 &&
         left.count.dimension * right.count.dimension == 0;
}

Refusal CheckSemantics(NodeKind kind, bool left_counter, bool right_counter) {
  const bool sum = kind == NodeKind::kAdd || kind == NodeKind::kSubtract;
  if (left_counter && right_counter) {
    if (!sum) return {"Illegal operator for counters", "DER-821"_clause};
  } else if (left_counter) {
    if (sum) return {"Illegal operator for counter and non-counter", "DER-822"_clause};
  } else if (right_counter) {
    if (kind != NodeKind::kMultiply) {
      return {"Illegal operator for non-counter and counter", "DER-823"_clause};
    }
  }
  return {};
}

Refusal CheckExtraUnits(NodeKind kind, const UnitFields& left, const UnitFields& right,
                        const Dialect& dialect) {
  if (!HasExtra(left, dialect) || !HasExtra(right, dialect)) return {};
  if (kind == NodeKind::kMultiply) {
    return {"Extra units not allowed for both operands of *", "DER-829"_clause};
  }
  if (left.extra == right.extra) return {};
  if (kind == NodeKind::kDivide) {
    return {"Different extra units not allowed for both operands of /", "DER-830"_clause};
  }
  return {"Operands have incompatible extra units or scale", "DER-831"_clause};
}

// DER-821..832, in this order.
Refusal Check(NodeKind kind, const BinaryOperands& operands, const UnitFields& left,
              const UnitFields& right, const Dialect& dialect) {
  const bool left_counter = operands.left.semantics == Semantics::kCounter;
  const bool right_counter = operands.right.semantics == Semantics::kCounter;
  if (IsArithmeticKind(kind)) {
    if (const Refusal refusal = CheckSemantics(kind, left_counter, right_counter)) return refusal;
  }
  if (!IsNumeric(operands.left.type)) {
    return {"Non-arithmetic type for left operand", "DER-824"_clause};
  }
  if (!IsNumeric(operands.right.type)) {
    return {"Non-arithmetic type for right operand", "DER-824"_clause};
  }
  if (kind == NodeKind::kAdd || kind == NodeKind::kSubtract) {
    if (!SameDimensions(left, right, dialect)) return kDifferentDimensions825;
  } else if (IsRelationalKind(kind)) {
    const bool exempt =
        operands.left.type == MetricType::kU32 || operands.right.type == MetricType::kU32;
    if (!exempt && !SameDimensions(left, right, dialect)) return kDifferentDimensions826;
  } else if (IsBooleanKind(kind)) {
    if (!IsNone(left, dialect) || !IsNone(right, dialect)) return kDifferentDimensions827;
  }
  if (left_counter != right_counter && !dialect.seed_semantics) {  // DER-1504
    if (left_counter && !IsNone(right, dialect)) {
      return {"Non-counter and not dimensionless for right operand", "DER-828"_clause};
    }
    if (right_counter && !IsNone(left, dialect)) {
      return {"Non-counter and not dimensionless for left operand", "DER-828"_clause};
    }
  }
  if (const Refusal refusal = CheckExtraUnits(kind, left, right, dialect)) return refusal;
  const Indom left_indom = operands.left.indom;
  const Indom right_indom = operands.right.indom;
  if (!left_indom.IsNull() && !right_indom.IsNull() && left_indom != right_indom &&
      !operands.equivalent_indoms) {
    return {"Operands should have the same instance domain", "DER-832"_clause};
  }
  return {};
}

// DER-842, scaling apart.
MetricType ResultType(NodeKind kind, MetricType left, MetricType right) {
  if (kind == NodeKind::kDivide) return MetricType::kDouble;
  if (!IsArithmeticKind(kind)) return MetricType::kU32;
  for (const MetricType type : {MetricType::kDouble, MetricType::kFloat, MetricType::kU64,
                                MetricType::k64, MetricType::kU32}) {
    if (left == type || right == type) return type;
  }
  return MetricType::k32;
}

// DER-844, 845.
UnitField ResultField(NodeKind kind, UnitField left, UnitField right, UnitField base) {
  UnitField result = base;
  if (kind == NodeKind::kMultiply) {
    result.dimension = WrappedDimension(left.dimension + right.dimension);
  } else if (kind == NodeKind::kDivide) {
    result.dimension = WrappedDimension(left.dimension - right.dimension);
  }
  if (result.dimension == 0) {
    result.scale = 0;
  } else if (left.dimension == 0 || (right.dimension != 0 && left.scale < right.scale)) {
    result.scale = right.scale;
  }
  return result;
}

// DER-844: before 7.2 the byte is padding, that of the base.
std::uint32_t ResultExtra(NodeKind kind, const UnitFields& left, const UnitFields& right,
                          const UnitFields& base, const Dialect& dialect) {
  if (!dialect.extra_units) return base.extra;
  const bool left_has = HasExtra(left, dialect);
  const bool right_has = HasExtra(right, dialect);
  if (kind == NodeKind::kMultiply) return left_has ? left.extra : right_has ? right.extra : 0;
  if (kind == NodeKind::kDivide) {
    if (left_has == right_has) return 0;
    if (left_has) return left.extra;
    return ((0U - (right.extra >> 3)) & 0x1f) << 3 | (right.extra & 7);
  }
  return base.extra;
}

// The largest scale that has a size is 5.
constexpr std::uint32_t kTimeSteps[] = {1000, 1000, 1000, 60, 60};
constexpr int kLargestTimeScale = 5;

// DER-851: the factor between two scales of a dimension, in a word that wraps (DER-854).
class FactorProduct {
 public:
  void Take(std::uint32_t step, int times, bool divides) {
    std::uint32_t& word = divides ? divisor_ : multiplier_;
    for (int i = 0; i < times; ++i) word *= step;
  }
  void TakeTime(int from, int to, bool divides) {
    for (int scale = from; scale < std::min(to, kLargestTimeScale); ++scale) {
      Take(kTimeSteps[scale], 1, divides);
    }
  }
  // DER-854: the words are signed.
  Scaling Get() const {
    return {static_cast<double>(static_cast<std::int32_t>(divisor_)),
            static_cast<double>(static_cast<std::int32_t>(multiplier_))};
  }

 private:
  std::uint32_t divisor_ = 1;
  std::uint32_t multiplier_ = 1;
};

constexpr bool NeedsScaling(UnitField left, UnitField right) {
  return left.dimension != 0 && right.dimension != 0 && left.scale != right.scale;
}

// DER-851..853.
BinaryScaling ScalingOf(const UnitFields& left, const UnitFields& right) {
  FactorProduct of_left;
  FactorProduct of_right;
  const auto smaller = [&](UnitField a, UnitField b) -> FactorProduct& {
    return a.scale < b.scale ? of_left : of_right;
  };
  const auto take = [&](UnitField a, UnitField b, std::uint32_t step) {
    if (!NeedsScaling(a, b)) return;
    const UnitField& scaled = a.scale < b.scale ? a : b;
    smaller(a, b).Take(step, std::abs(a.scale - b.scale), scaled.dimension > 0);
  };
  take(left.count, right.count, 10);
  take(left.space, right.space, 1024);
  if (NeedsScaling(left.time, right.time)) {
    // DER-853: the dimension of the right operand, whichever is scaled.
    const auto [from, to] = std::minmax(left.time.scale, right.time.scale);
    smaller(left.time, right.time).TakeTime(from, to, right.time.dimension > 0);
  }
  return {of_left.Get(), of_right.Get()};
}

// DER-1505: a unit of the larger scale in units of the smaller one.
double TimeFactor(int from, int to) {
  double factor = 1;
  for (int scale = from; scale < std::min(to, kLargestTimeScale); ++scale) {
    factor *= kTimeSteps[scale];
  }
  return factor;
}

// DER-1505.
BinaryScaling SeedScalingOf(const UnitFields& left, const UnitFields& right) {
  BinaryScaling scaling;
  const auto take = [&](UnitField a, UnitField b, double factor) {
    if (!NeedsScaling(a, b)) return;
    Scaling& smaller = a.scale < b.scale ? scaling.left : scaling.right;
    const int dimension = a.scale < b.scale ? a.dimension : b.dimension;
    (dimension > 0 ? smaller.divisor : smaller.multiplier) *= std::pow(factor, std::abs(dimension));
  };
  take(left.count, right.count, std::pow(10, std::abs(left.count.scale - right.count.scale)));
  take(left.space, right.space, std::pow(1024, std::abs(left.space.scale - right.space.scale)));
  const auto [from, to] = std::minmax(left.time.scale, right.time.scale);
  take(left.time, right.time, TimeFactor(from, to));
  return scaling;
}

bool AnyScaling(const UnitFields& left, const UnitFields& right) {
  return NeedsScaling(left.count, right.count) || NeedsScaling(left.space, right.space) ||
         NeedsScaling(left.time, right.time);
}

}  // namespace

Refusal ApplyBinary(NodeKind kind, const BinaryOperands& operands, const Dialect& dialect,
                    Descriptor* result, BinaryScaling* scaling) {
  const UnitFields left = UnitFields::Of(operands.left.units);
  const UnitFields right = UnitFields::Of(operands.right.units);
  if (const Refusal refusal = Check(kind, operands, left, right, dialect)) return refusal;

  const bool right_is_base = operands.left_is_constant;
  *result = right_is_base ? operands.right : operands.left;  // DER-841
  result->pmid = Pmid::Null();
  result->type = ResultType(kind, operands.left.type, operands.right.type);
  // DER-843: as soon as one is a counter the base's semantics stay.
  if (operands.left.semantics != Semantics::kCounter &&
      operands.right.semantics != Semantics::kCounter) {
    const bool discrete = operands.left.semantics == Semantics::kDiscrete &&
                          operands.right.semantics == Semantics::kDiscrete;
    result->semantics = discrete ? Semantics::kDiscrete : Semantics::kInstant;
  }
  if (result->indom.IsNull()) {  // DER-846
    result->indom = right_is_base ? operands.left.indom : operands.right.indom;
  }
  if (!IsArithmeticKind(kind)) {
    result->units = Units{};
    return {};
  }
  const UnitFields& base = right_is_base ? right : left;
  const UnitFields units{ResultField(kind, left.space, right.space, base.space),
                         ResultField(kind, left.time, right.time, base.time),
                         ResultField(kind, left.count, right.count, base.count),
                         ResultExtra(kind, left, right, base, dialect)};
  result->units = units.Pack();
  if (AnyScaling(left, right)) {
    *scaling = dialect.seed_semantics ? SeedScalingOf(left, right) : ScalingOf(left, right);
    result->type = MetricType::kDouble;
  }
  return {};
}

}  // namespace pmproof::derived

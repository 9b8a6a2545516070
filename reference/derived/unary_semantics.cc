#include "reference/core/convert_scale.h"
#include "reference/derived/static_semantics.h"
#include "reference/derived/unit_fields.h"

namespace pmproof::derived {
namespace {

constexpr int kScaleSecond = 3;
constexpr Units kCountUnits{1U << 20};

constexpr Refusal kNotArithmetic{"Non-arithmetic operand for function", "DER-817"_clause};

// DER-803.
MetricType DeltaType(MetricType type, const Dialect& dialect) {
  if (dialect.seed_semantics) return type;  // DER-1501
  if (type == MetricType::kU32) return MetricType::k64;
  if (type == MetricType::kU64) return MetricType::kDouble;
  return type;
}

// DER-804, 817.
Refusal ApplyRate(Descriptor* result) {
  UnitFields units = UnitFields::Of(result->units);
  if (units.time.dimension != 0 && units.time.dimension != 1) {
    return {"Incorrect time dimension for operand", "DER-817"_clause};
  }
  --units.time.dimension;
  units.time.scale = units.time.dimension == 0 ? 0 : kScaleSecond;
  result->type = MetricType::kDouble;
  result->semantics = Semantics::kInstant;
  result->units = units.Pack();
  return {};
}

}  // namespace

Refusal ApplyUnary(NodeKind kind, const Descriptor& operand, Units units, const Dialect& dialect,
                   Descriptor* result) {
  *result = operand;
  result->pmid = Pmid::Null();
  const bool numeric = IsNumeric(operand.type);
  switch (kind) {
    case NodeKind::kDelta:  // DER-803
      if (!numeric) return kNotArithmetic;
      result->type = DeltaType(operand.type, dialect);
      result->semantics = Semantics::kInstant;
      return {};
    case NodeKind::kRate:
      if (!numeric) return kNotArithmetic;
      return ApplyRate(result);
    case NodeKind::kAverage:  // DER-805
      if (!numeric) return kNotArithmetic;
      result->type = MetricType::kFloat;
      result->semantics = Semantics::kInstant;
      result->indom = Indom::Null();
      return {};
    case NodeKind::kMaximum:  // DER-806
    case NodeKind::kMinimum:
      if (!numeric) return kNotArithmetic;
      result->semantics = Semantics::kInstant;
      result->indom = Indom::Null();
      return {};
    case NodeKind::kSum:  // DER-807
      if (!numeric) return kNotArithmetic;
      result->indom = Indom::Null();
      return {};
    case NodeKind::kCount:  // DER-808
      *result = {Pmid::Null(), MetricType::kU32, Indom::Null(), Semantics::kInstant, kCountUnits};
      return {};
    case NodeKind::kInstant:  // DER-809
      if (operand.semantics == Semantics::kCounter) result->semantics = Semantics::kInstant;
      return {};
    case NodeKind::kScalar:  // DER-810
      result->indom = Indom::Null();
      return {};
    case NodeKind::kNegate:  // DER-811, 817
      if (!numeric) return {"Non-arithmetic operand for unary negation", "DER-817"_clause};
      if (operand.type == MetricType::kU32) result->type = MetricType::k32;
      if (operand.type == MetricType::kU64) result->type = MetricType::k64;
      result->semantics = Semantics::kInstant;
      return {};
    case NodeKind::kRescale: {  // DER-814, 817: a trial
      if (!numeric) return kNotArithmetic;
      const Value one = Value::Of(1.0);
      if (!ConvertScale(one, operand.units, units, dialect.version)) {
        return {"Incompatible dimensions", "DER-817"_clause};
      }
      result->units = units;
      return {};
    }
    default:  // DER-812, 813: ! and filters
      return {};
  }
}

}  // namespace pmproof::derived

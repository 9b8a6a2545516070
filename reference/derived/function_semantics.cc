// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/function_semantics.h"

#include "reference/derived/unit_fields.h"

namespace pmproof::derived {
namespace {

constexpr int kScaleSecond = 3;
constexpr Units kCountUnits{1U << 20};

MetricType DeltaType(MetricType type, const Dialect& dialect) {
  if (dialect.seed_semantics) return type;  // DER-1506
  if (type == MetricType::kU32) return MetricType::k64;
  if (type == MetricType::kU64) return MetricType::kDouble;
  return type;
}

}  // namespace

// DER-803.
Refusal BindDelta(const Descriptor& operand, const Dialect& dialect, Descriptor* result) {
  if (!IsNumeric(operand.type)) return kNotArithmetic;
  result->type = DeltaType(operand.type, dialect);
  result->semantics = Semantics::kInstant;
  return {};
}

// DER-804, 817.
Refusal BindRate(const Descriptor& operand, const Dialect&, Descriptor* result) {
  if (!IsNumeric(operand.type)) return kNotArithmetic;
  UnitFields units = UnitFields::Of(operand.units);
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

// DER-805.
Refusal BindAverage(const Descriptor& operand, const Dialect&, Descriptor* result) {
  if (!IsNumeric(operand.type)) return kNotArithmetic;
  result->type = MetricType::kFloat;
  result->semantics = Semantics::kInstant;
  result->indom = Indom::Null();
  return {};
}

// DER-806.
Refusal BindExtreme(const Descriptor& operand, const Dialect&, Descriptor* result) {
  if (!IsNumeric(operand.type)) return kNotArithmetic;
  result->semantics = Semantics::kInstant;
  result->indom = Indom::Null();
  return {};
}

// DER-807.
Refusal BindSum(const Descriptor& operand, const Dialect&, Descriptor* result) {
  if (!IsNumeric(operand.type)) return kNotArithmetic;
  result->indom = Indom::Null();
  return {};
}

// DER-808.
Refusal BindCount(const Descriptor&, const Dialect&, Descriptor* result) {
  *result = {Pmid::Null(), MetricType::kU32, Indom::Null(), Semantics::kInstant, kCountUnits};
  return {};
}

// DER-809.
Refusal BindInstant(const Descriptor& operand, const Dialect&, Descriptor* result) {
  if (operand.semantics == Semantics::kCounter) result->semantics = Semantics::kInstant;
  return {};
}

// DER-810.
Refusal BindScalar(const Descriptor&, const Dialect&, Descriptor* result) {
  result->indom = Indom::Null();
  return {};
}

}  // namespace pmproof::derived

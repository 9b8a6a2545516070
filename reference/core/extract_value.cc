// SPDX-License-Identifier: Apache-2.0
#include "reference/core/extract_value.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "reference/core/number_text.h"

namespace pmproof {
namespace {

using Converted = tl::expected<Value, ErrorCode>;

template <typename To, typename From>
Converted Checked(From number) {
  if (!std::in_range<To>(number)) {
    const bool sign = number < From{0} && std::is_unsigned_v<To>;
    return tl::unexpected(sign ? ErrorCode::kSign : ErrorCode::kTruncation);
  }
  return Value::Of(static_cast<To>(number));
}

// MET-401..404
template <typename From>
Converted FromInteger(From number, MetricType to) {
  switch (to) {
    case MetricType::k32:
      // MET-403: what is below the range of 32 wraps without a word.
      if constexpr (std::is_same_v<From, std::int64_t>) {
        if (number < 0) return Value::Of(static_cast<std::int32_t>(number));
      }
      return Checked<std::int32_t>(number);
    case MetricType::kU32:
      return Checked<std::uint32_t>(number);
    case MetricType::k64:
      return Checked<std::int64_t>(number);
    case MetricType::kU64:
      return Checked<std::uint64_t>(number);
    case MetricType::kFloat:
      return Value::Of(static_cast<float>(number));
    case MetricType::kDouble:
      return Value::Of(static_cast<double>(number));
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return tl::unexpected(ErrorCode::kConversion);
}

// The first number that is too large for 32 and for U32: one less from DOUBLE (MET-405, MET-406).
struct Limits {
  double too_large_32;
  double too_large_u32;
};
constexpr Limits kOfFloat = {0x1p31, 0x1p32};
constexpr Limits kOfDouble = {0x1p31 - 1, 0x1p32 - 1};

Converted FromFloating(double number, const Limits& limits, MetricType to) {
  if (to == MetricType::kFloat) return Value::Of(static_cast<float>(number));
  if (to == MetricType::kDouble) return Value::Of(number);
  const auto refuse = [](ErrorCode code) { return tl::unexpected(code); };
  if (!IsInteger(to)) return refuse(ErrorCode::kConversion);
  if (std::isnan(number)) return refuse(ErrorCode::kTruncation);
  const bool negative = number < 0;
  switch (to) {
    case MetricType::k32:
      if (std::abs(number) >= limits.too_large_32) return refuse(ErrorCode::kTruncation);
      return Value::Of(static_cast<std::int32_t>(number));
    case MetricType::kU32:
      if (number >= limits.too_large_u32) return refuse(ErrorCode::kTruncation);
      if (negative) return refuse(ErrorCode::kSign);
      return Value::Of(static_cast<std::uint32_t>(number));
    case MetricType::k64:
      if (number >= 0x1p63 || number < -0x1p63) return refuse(ErrorCode::kTruncation);
      return Value::Of(static_cast<std::int64_t>(number));
    case MetricType::kNoSupport:
    case MetricType::kU64:
    case MetricType::kFloat:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  if (number >= 0x1p64) return refuse(ErrorCode::kTruncation);
  if (negative) return refuse(ErrorCode::kSign);
  return Value::Of(static_cast<std::uint64_t>(number));
}

// MET-410; at most 21 characters, as PCP has room for.
std::string NumberText(const Value& value) {
  switch (value.type) {
    case MetricType::k32:
      return std::to_string(value.AsI32());
    case MetricType::kU32:
      return std::to_string(value.AsU32());
    case MetricType::k64:
      return std::to_string(value.AsI64());
    case MetricType::kU64:
      return std::to_string(value.AsU64());
    case MetricType::kNoSupport:
    case MetricType::kFloat:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  const double number = value.type == MetricType::kFloat ? value.AsFloat() : value.AsDouble();
  return pmproof::NumberText(number, std::chars_format::general, 16).substr(0, 21);
}

bool IsPointer(ValueFormat format) {
  return format == ValueFormat::kPointer || format == ValueFormat::kStaticPointer;
}

// The bytes of the number in a block of that type (MET-302).
tl::expected<Value, ErrorCode> StoredNumber(const StoredValue& stored, MetricType type) {
  if (stored.format == ValueFormat::kInPlace) {
    if (NumericSize(type) != 4) return tl::unexpected(ErrorCode::kConversion);
    return Value{type, true, stored.word, {}};
  }
  // MET-412: no block holds a 32 or U32.
  const bool in_block = NumericSize(type) == 8 || type == MetricType::kFloat;
  if (!in_block || stored.payload.size() != NumericSize(type)) {
    return tl::unexpected(ErrorCode::kConversion);
  }
  const std::uint8_t* const bytes = stored.payload.data();
  return Value{type, false, NumericSize(type) == 4 ? LoadU32(bytes) : LoadU64(bytes), {}};
}

}  // namespace

tl::expected<Value, ErrorCode> ConvertNumber(const Value& value, MetricType to) {
  switch (value.type) {
    case MetricType::k32:
      return FromInteger(value.AsI32(), to);
    case MetricType::kU32:
      return FromInteger(value.AsU32(), to);
    case MetricType::k64:
      return FromInteger(value.AsI64(), to);
    case MetricType::kU64:
      return FromInteger(value.AsU64(), to);
    case MetricType::kFloat:
      if (to == MetricType::kFloat) return value;  // a NaN keeps its payload
      return FromFloating(value.AsFloat(), kOfFloat, to);
    case MetricType::kDouble:
      if (to == MetricType::kDouble) return value;
      return FromFloating(value.AsDouble(), kOfDouble, to);
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return tl::unexpected(ErrorCode::kConversion);
}

tl::expected<Atom, ErrorCode> ExtractValue(const StoredValue& stored, MetricType from,
                                           MetricType to, PcpVersion version) {
  const bool in_place = stored.format == ValueFormat::kInPlace;
  if (!in_place && !IsPointer(stored.format)) return tl::unexpected(ErrorCode::kConversion);
  const bool block_fits = static_cast<int>(stored.block_type) == 0 || stored.block_type == from;
  if (!in_place && !block_fits) return tl::unexpected(ErrorCode::kConversion);

  if (from == MetricType::kString || from == MetricType::kAggregate) {  // MET-407, MET-408
    if (in_place || to != from) return tl::unexpected(ErrorCode::kConversion);
    return Atom{to, {}, std::string(AsText(stored.payload))};
  }
  const MetricType number_type = from == MetricType::kUnknown ? MetricType::k32 : from;  // MET-401
  if (!IsNumeric(number_type)) return tl::unexpected(ErrorCode::kConversion);
  const auto number = StoredNumber(stored, number_type);
  if (!number) return tl::unexpected(number.error());
  if (to == MetricType::kString) {
    if (version != PcpVersion::k7_2) return tl::unexpected(ErrorCode::kConversion);
    return Atom{to, {}, NumberText(*number)};
  }
  const auto converted = ConvertNumber(*number, to);
  if (!converted) return tl::unexpected(converted.error());
  return Atom{to, *converted, {}};
}

}  // namespace pmproof

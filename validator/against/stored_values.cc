// SPDX-License-Identifier: Apache-2.0
#include "validator/against/stored_values.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "reference/core/event_array.h"
#include "reference/core/print_value.h"
#include "reference/core/value.h"
#include "reference/replay/stored_value.h"
#include "validator/against/difference_log.h"
#include "validator/replay/value_text.h"

namespace pmproof::validator::against {
namespace {

bool IsInsitu(const StoredItem& item) { return item.set.format() == archive::kInsitu; }

bool SameBytes(Bytes a, Bytes b) { return std::ranges::equal(a, b); }

bool SameBlocks(const archive::ValueBlock& a, const archive::ValueBlock& b, MetricType type) {
  const auto meant = [type](MetricType stored) {
    return stored == MetricType::k32 && !IsNumeric(type) ? type : stored;
  };
  return meant(a.type) == meant(b.type) && SameBytes(a.payload, b.payload);
}

// As wide as all types together: either a whole number, as sign and magnitude, or a real one.
struct Number {
  bool is_whole = false;
  bool negative = false;
  std::uint64_t magnitude = 0;
  double real = 0;
};

Number Whole(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return {true, number < 0, number < 0 ? 0 - bits : bits, 0};
}

Number Real(double real) { return {false, false, 0, real}; }

Number NumberOf(const Value& value) {
  switch (value.type) {
    case MetricType::k32:
      return Whole(value.AsI32());
    case MetricType::kU32:
      return Whole(value.AsU32());
    case MetricType::k64:
      return Whole(value.AsI64());
    case MetricType::kU64:
      return {true, false, value.AsU64(), 0};
    case MetricType::kFloat:
      return Real(static_cast<double>(value.AsFloat()));
    case MetricType::kDouble:
      return Real(value.AsDouble());
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return {};
}

bool Same(double real, const Number& whole) {
  const double magnitude = std::abs(real);
  return magnitude < 0x1p64 && std::trunc(magnitude) == magnitude &&
         static_cast<std::uint64_t>(magnitude) == whole.magnitude &&
         (magnitude == 0 || (real < 0) == whole.negative);
}

bool SameNumber(const Number& x, const Number& y) {
  if (x.is_whole && y.is_whole) return x.negative == y.negative && x.magnitude == y.magnitude;
  if (x.is_whole) return Same(y.real, x);
  if (y.is_whole) return Same(x.real, y);
  return x.real == y.real && std::signbit(x.real) == std::signbit(y.real);
}

}  // namespace

bool SameValue(const StoredItem& a, const StoredItem& b, MetricType type) {
  if (a.is_status() || b.is_status()) return a.set.numval() == b.set.numval();
  if (IsInsitu(a) && IsInsitu(b)) return a.set.Word(a.index) == b.set.Word(b.index);
  if (!IsInsitu(a) && !IsInsitu(b)) {
    return SameBlocks(a.set.Block(a.index), b.set.Block(b.index), type);
  }
  const StoredItem& insitu = IsInsitu(a) ? a : b;
  const archive::ValueBlock block = IsInsitu(a) ? b.set.Block(b.index) : a.set.Block(a.index);
  return type == MetricType::kFloat && block.type == type && block.payload.size() == 4 &&
         LoadU32(block.payload.data()) == insitu.set.Word(insitu.index);
}

bool SameNumber(const StoredItem& a, MetricType type_a, const StoredItem& b, MetricType type_b) {
  if (a.is_status() || b.is_status()) return a.set.numval() == b.set.numval();
  const std::optional<Value> was = replay::ReadStoredValue(a.set, a.index, type_a);
  const std::optional<Value> is = replay::ReadStoredValue(b.set, b.index, type_b);
  if (!was || !is) return false;
  if (!IsNumeric(type_a) || !IsNumeric(type_b)) {
    return !IsNumeric(type_a) && !IsNumeric(type_b) && !IsInsitu(a) && !IsInsitu(b) &&
           SameBytes(was->opaque, is->opaque);
  }
  return SameNumber(NumberOf(*was), NumberOf(*is));
}

bool SameNumber(const Value& a, const Value& b) {
  if (a.type == b.type) return a.bits == b.bits && SameBytes(a.opaque, b.opaque);
  return IsNumeric(a.type) && IsNumeric(b.type) && SameNumber(NumberOf(a), NumberOf(b));
}

std::string Shown(const Value& value) { return Shortened(ValueText(value)); }

std::string Shown(const StoredItem& item, MetricType type) {
  if (item.set.numval() == 0) return "no values";
  if (item.is_status()) return ErrorText(static_cast<ErrorCode>(item.set.numval()));
  // Without a descriptor all that is known is how it is stored.
  if (type == MetricType::kUnknown) {
    type = IsInsitu(item) ? MetricType::kU32 : item.set.Block(item.index).type;
  }
  if (IsInsitu(item) && !replay::MayBeInsitu(type)) {
    return std::to_string(item.set.Word(item.index)) + " (stored as no " + ToText(type) + " is)";
  }
  if (!IsInsitu(item) && !replay::MayBeInBlock(type)) {
    return "a block (stored as no " + ToText(type) + " is)";
  }
  const std::optional<Value> value = replay::ReadStoredValue(item.set, item.index, type);
  if (!value) return "a block of another size than " + ToText(type);
  if (IsEvent(type)) {
    const EventArray events(value->opaque, type == MetricType::kHighresEvent);
    return EventAtomText(events.record_count().value_or(0)) + ", " +
           std::to_string(value->opaque.size()) + " bytes";
  }
  return Shortened(ValueText(*value));
}

}  // namespace pmproof::validator::against

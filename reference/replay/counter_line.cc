// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/counter_line.h"

#include <cmath>
#include <limits>

#include "reference/replay/relative_time.h"

namespace pmproof::replay {
namespace {

constexpr double kTwo31 = 2147483648.0;
constexpr double kTwo63 = 9223372036854775808.0;

// INT-608: what x86-64 makes of conversions that C leaves undefined.
std::int32_t ToI32(double d) {
  if (!(d > -kTwo31 - 1 && d < kTwo31)) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(d);
}

std::int64_t ToI64(double d) {
  if (!(d >= -kTwo63 && d < kTwo63)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(d);
}

std::uint32_t ToU32(double d) { return static_cast<std::uint32_t>(ToI64(d)); }

std::uint64_t ToU64(double d) {
  if (d < kTwo63) return static_cast<std::uint64_t>(ToI64(d));
  return static_cast<std::uint64_t>(ToI64(d - kTwo63)) ^ std::uint64_t{1} << 63;
}

// a - b, wrapped to the width of the type.
std::int32_t WrappedDifference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
std::int64_t WrappedDifference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

// INT-601: q(x) = (dt * x) / dd.
struct Slope {
  double dt;
  double dd;
  double operator()(double x) const { return (dt * x) / dd; }
};

Value Line32(std::int32_t p, std::int32_t n, Slope q, CounterWrap wrap) {
  const double rise = q(static_cast<double>(WrappedDifference(n, p)));
  // INT-804: PCP forgets to add the earlier value.
  if (wrap == CounterWrap::kOn && n < p) return Value::Of(ToI32(0.5 + rise));
  return Value::Of(ToI32((0.5 + static_cast<double>(p)) + rise));  // INT-602
}

Value LineU32(std::uint32_t p, std::uint32_t n, Slope q, CounterWrap wrap) {
  if (n >= p)
    return Value::Of(ToU32((0.5 + static_cast<double>(p)) + q(static_cast<double>(n - p))));
  if (wrap == CounterWrap::kOn) {
    return Value::Of(ToU32(0.5 + q(static_cast<double>(n - p))) + p);  // INT-803
  }
  return Value::Of(
      ToU32((0.5 + static_cast<double>(p)) - q(static_cast<double>(p - n))));  // INT-603
}

Value Line64(std::int64_t p, std::int64_t n, Slope q) {  // INT-604, INT-805
  return Value::Of(
      ToI64((0.5 + static_cast<double>(p)) + q(static_cast<double>(WrappedDifference(n, p)))));
}

Value LineU64(std::uint64_t prior, std::uint64_t next, Slope q, CounterWrap wrap) {
  const auto p = static_cast<std::int64_t>(prior);
  const auto n = static_cast<std::int64_t>(next);
  const double from = 0.5 + static_cast<double>(p);
  if (n >= p) return Value::Of(ToU64(from + q(static_cast<double>(WrappedDifference(n, p)))));
  if (wrap == CounterWrap::kOn) {
    return Value::Of(ToU64(from + q(static_cast<double>(next - prior))));  // INT-806
  }
  return Value::Of(ToU64(from - q(static_cast<double>(WrappedDifference(p, n)))));  // INT-605
}

Value LineFloat(float p, float n, Slope q, bool insitu) {  // INT-606
  Value value =
      Value::Of(static_cast<float>(static_cast<double>(p) + q(static_cast<double>(n - p))));
  value.insitu = insitu;
  return value;
}

Value LineDouble(double p, double n, Slope q) { return Value::Of(p + q(n - p)); }  // INT-607

}  // namespace

Value PcpLine(const Bound& prior, const Bound& next, double t, CounterWrap wrap) {
  const Slope q{t - prior.moment.at, next.moment.at - prior.moment.at};
  const Value& p = prior.value;
  const Value& n = next.value;
  switch (p.type) {
    case MetricType::k32:
      return Line32(p.AsI32(), n.AsI32(), q, wrap);
    case MetricType::kU32:
      return LineU32(p.AsU32(), n.AsU32(), q, wrap);
    case MetricType::k64:
      return Line64(p.AsI64(), n.AsI64(), q);
    case MetricType::kU64:
      return LineU64(p.AsU64(), n.AsU64(), q, wrap);
    case MetricType::kFloat:
      return LineFloat(p.AsFloat(), n.AsFloat(), q, p.insitu);
    case MetricType::kNoSupport:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return LineDouble(p.AsDouble(), n.AsDouble(), q);
}

namespace {

using Wide = WideNanoseconds;

// rise * dt / dd, rounded to nearest, half away from zero. 0 < dt < dd; |rise| < 2^64, and times of
// 64 bits of nanoseconds, so that what is left over of a division fits 128 bits.
Wide Part(Wide rise, Wide dt, Wide dd) {
  const bool negative = rise < 0;
  const Wide size = negative ? -rise : rise;
  // size * dt / dd without the product: size = a * dd + b would need 192 bits; dt is split instead.
  Wide whole = 0;
  Wide rest = 0;  // of whole, in units of 1 / dd
  for (int bit = 64; bit >= 0; --bit) {
    whole *= 2;
    rest *= 2;
    if ((size >> bit & 1) != 0) rest += dt;
    while (rest >= dd) {
      rest -= dd;
      ++whole;
    }
  }
  if (rest * 2 >= dd) ++whole;
  return negative ? -whole : whole;
}

Wide Rise(Wide p, Wide n, Wide modulus, CounterWrap wrap) {
  return wrap == CounterWrap::kOn && n < p ? n - p + modulus : n - p;
}

}  // namespace

Value ExactLine(const Bound& prior, const Bound& next, Timestamp time, CounterWrap wrap) {
  const Wide dt = ExactlyBetween(prior.moment.time, time);
  const Wide dd = ExactlyBetween(prior.moment.time, next.moment.time);
  const Value& p = prior.value;
  const Value& n = next.value;
  // Relative seconds of more than 63 bits wrap (INT-201): times can then be in no exact order.
  if (dt <= 0) return p;
  if (dt >= dd) return n;
  const auto integer = [&](Wide from, Wide to, int width) {
    return static_cast<std::uint64_t>(from + Part(Rise(from, to, Wide{1} << width, wrap), dt, dd));
  };
  const auto real = [&](long double from, long double to) {
    return from + (to - from) * static_cast<long double>(dt) / static_cast<long double>(dd);
  };
  switch (p.type) {
    case MetricType::k32:
      return Value::Of(static_cast<std::int32_t>(integer(p.AsI32(), n.AsI32(), 32)));
    case MetricType::kU32:
      return Value::Of(static_cast<std::uint32_t>(integer(p.AsU32(), n.AsU32(), 32)));
    case MetricType::k64:
      return Value::Of(static_cast<std::int64_t>(integer(p.AsI64(), n.AsI64(), 64)));
    case MetricType::kU64:
      return Value::Of(integer(p.AsU64(), n.AsU64(), 64));
    case MetricType::kFloat: {
      Value value = Value::Of(static_cast<float>(real(p.AsFloat(), n.AsFloat())));
      value.insitu = p.insitu;
      return value;
    }
    case MetricType::kNoSupport:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return Value::Of(static_cast<double>(real(p.AsDouble(), n.AsDouble())));
}

}  // namespace pmproof::replay

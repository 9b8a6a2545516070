// SPDX-License-Identifier: Apache-2.0
#include "reference/core/convert_scale.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

namespace pmproof {
namespace {

constexpr unsigned kExabyte = 6;
constexpr unsigned kHour = 5;
constexpr std::uint32_t kCountDimension = 0x001;

// The dimensions by which compatibility is decided: none counts as count^1, but an extra unit alone
// is not none (MET-241).
std::uint32_t Dimensions(Units units) {
  const std::uint32_t dimensions = units.word >> 20;
  return dimensions == 0 && units.extra_unit() == 0 ? kCountDimension : dimensions;
}

// What a version sees of a word: before 7.2 the extra unit is padding.
Units Seen(Units units, PcpVersion version) {
  return version == PcpVersion::k7_2 ? units : Units{units.word & ~0xffU};
}

std::int64_t Product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::int64_t Power(std::int64_t base, int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent; ++i) power = Product(power, base);
  return power;
}

// The factor as a fraction of integers that wrap (MET-243).
struct Fraction {
  std::int64_t multiplier = 1;
  std::int64_t divisor = 1;

  // `from` and `to` are distances of the scales from the pivot: positive above it.
  struct Distance {
    std::int64_t size = 1;
    bool above = false;
  };

  void Scale(int dimension, const Distance& from, const Distance& to) {
    std::int64_t divide = 1;
    std::int64_t multiply = 1;
    (from.above ? multiply : divide) = from.size;
    std::int64_t& side = to.above ? divide : multiply;
    side = Product(side, to.size);
    if (dimension < 0) std::swap(divide, multiply);
    const int power = std::abs(dimension);
    divisor = Product(divisor, Power(divide, power));
    multiplier = Product(multiplier, Power(multiply, power));
  }
};

constexpr unsigned kPivotSpace = 2;  // Mbyte
constexpr unsigned kPivotTime = 3;   // sec

Fraction::Distance SpaceDistance(unsigned scale) {
  const bool above = scale > kPivotSpace;
  const unsigned steps = above ? scale - kPivotSpace : kPivotSpace - scale;
  return {std::int64_t{1} << (10 * steps), above};
}

Fraction::Distance TimeDistance(unsigned scale) {
  static constexpr std::int64_t kSizes[] = {1'000'000'000, 1'000'000, 1000, 1, 60, 3600};
  return {kSizes[scale], scale > kPivotTime};
}

Fraction::Distance CountDistance(int scale) { return {Power(10, std::abs(scale)), scale > 0}; }

// The factor, reduced if it is a whole number (MET-244); nothing where that divides by zero or
// overflows.
std::optional<Fraction> FactorOf(Units from, Units to) {
  Fraction factor;
  if (from.dim_space() != 0) {
    factor.Scale(from.dim_space(), SpaceDistance(from.scale_space()),
                 SpaceDistance(to.scale_space()));
  }
  if (from.dim_time() != 0) {
    factor.Scale(from.dim_time(), TimeDistance(from.scale_time()), TimeDistance(to.scale_time()));
  }
  const bool none = from.word >> 20 == 0 || to.word >> 20 == 0;
  if (const int dimension = none ? 1 : from.dim_count(); dimension != 0) {
    factor.Scale(dimension, CountDistance(from.scale_count()), CountDistance(to.scale_count()));
  }
  if (factor.divisor == 0 ||
      (factor.multiplier == std::numeric_limits<std::int64_t>::min() && factor.divisor == -1)) {
    return std::nullopt;
  }
  if (factor.multiplier % factor.divisor == 0) {
    return Fraction{factor.multiplier / factor.divisor, 1};
  }
  return factor;
}

bool HaveSizes(Units units) {  // MET-242
  return (units.dim_space() == 0 || units.scale_space() <= kExabyte) &&
         (units.dim_time() == 0 || units.scale_time() <= kHour);
}

// MET-245, of the integer types but U64.
std::int64_t Scaled(std::int64_t number, const Fraction& factor) {
  const auto sum = static_cast<std::uint64_t>(Product(number, factor.multiplier)) +
                   static_cast<std::uint64_t>(factor.divisor / 2);
  return static_cast<std::int64_t>(sum) / factor.divisor;
}

std::uint64_t Scaled(std::uint64_t number, const Fraction& factor) {
  return (number * static_cast<std::uint64_t>(factor.multiplier) +
          static_cast<std::uint64_t>(factor.divisor / 2)) /
         static_cast<std::uint64_t>(factor.divisor);
}

// out = offset + factor * (in + shift) / divisor, the line of MET-246.
struct Line {
  double offset = 0;
  double factor = 1;
  double shift = 0;
  double divisor = 1;

  double At(double number) const { return offset + factor * (number + shift) / divisor; }
};

constexpr int kTemperature = 1;
constexpr int kPower = 4;

std::optional<Line> TemperatureLine(unsigned from, unsigned to) {
  static constexpr double kZero = 273.15;
  static constexpr Line kLines[3][3] = {
      {{}, {32, 18, 0, 10}, {kZero, 1, 0, 1}},        // C
      {{0, 10, -32, 18}, {}, {kZero, 10, -32, 18}},   // F
      {{0, 1, -kZero, 1}, {32, 18, -kZero, 10}, {}},  // K
  };
  if (from < 1 || from > 3 || to < 1 || to > 3) return std::nullopt;
  return kLines[from - 1][to - 1];
}

// Nothing for a unit or scale that 7.2 does not know, such as all in the denominator.
std::optional<Line> ExtraLine(Units from, Units to) {
  const int unit = from.extra_unit();
  const unsigned a = from.extra_scale();
  const unsigned b = to.extra_scale();
  if (unit == kTemperature) return TemperatureLine(a, b);
  const unsigned last = unit == kPower ? 4 : 3;
  if (unit < 1 || unit > kPower || a < 1 || a > last || b < 1 || b > last) return std::nullopt;
  Line line;
  for (unsigned scale = a; scale < b; ++scale) line.factor *= 1000;
  for (unsigned scale = b; scale < a; ++scale) line.divisor *= 1000;
  return line;
}

// Truncation as processors of PCP's most common kind do it where the number does not fit: the
// language leaves it open.
std::int64_t Truncated(double number) {
  return std::abs(number) < 0x1p63 ? static_cast<std::int64_t>(number)
                                   : std::numeric_limits<std::int64_t>::min();
}

std::int32_t Truncated32(double number) {
  return number > -0x1p31 - 1 && number < 0x1p31 ? static_cast<std::int32_t>(number)
                                                 : std::numeric_limits<std::int32_t>::min();
}

std::uint64_t TruncatedUnsigned(double number) {
  if (number < 0x1p63) return static_cast<std::uint64_t>(Truncated(number));
  return static_cast<std::uint64_t>(Truncated(number - 0x1p63)) ^ (std::uint64_t{1} << 63);
}

// A number by its type: `scale(number)` gives the number that takes its place.
template <typename Scale>
Value Map(const Value& value, Scale&& scale) {
  Value result = value;
  switch (value.type) {
    case MetricType::k32:
      result.bits = Value::Of(static_cast<std::int32_t>(scale(value.AsI32()))).bits;
      break;
    case MetricType::kU32:
      result.bits = Value::Of(static_cast<std::uint32_t>(scale(value.AsU32()))).bits;
      break;
    case MetricType::k64:
      result.bits = Value::Of(static_cast<std::int64_t>(scale(value.AsI64()))).bits;
      break;
    case MetricType::kU64:
      result.bits = Value::Of(static_cast<std::uint64_t>(scale(value.AsU64()))).bits;
      break;
    case MetricType::kFloat:
      result.bits = Value::Of(static_cast<float>(scale(value.AsFloat()))).bits;
      break;
    case MetricType::kDouble:
      result.bits = Value::Of(static_cast<double>(scale(value.AsDouble()))).bits;
      break;
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return result;
}

struct ApplyFraction {
  const Fraction& factor;

  std::int64_t operator()(std::int32_t number) const {
    return Scaled(std::int64_t{number}, factor);
  }
  std::int64_t operator()(std::uint32_t number) const {
    return Scaled(std::int64_t{number}, factor);
  }
  std::int64_t operator()(std::int64_t number) const { return Scaled(number, factor); }
  std::uint64_t operator()(std::uint64_t number) const { return Scaled(number, factor); }
  float operator()(float number) const {
    return number * (static_cast<float>(factor.multiplier) / static_cast<float>(factor.divisor));
  }
  double operator()(double number) const {
    return number * (static_cast<double>(factor.multiplier) / static_cast<double>(factor.divisor));
  }
};

struct ApplyLine {
  const Line& line;

  std::int32_t operator()(std::int32_t number) const { return Truncated32(line.At(number)); }
  std::int64_t operator()(std::uint32_t number) const { return Truncated(line.At(number)); }
  std::int64_t operator()(std::int64_t number) const {
    return Truncated(line.At(static_cast<double>(number)));
  }
  std::uint64_t operator()(std::uint64_t number) const {
    return TruncatedUnsigned(line.At(static_cast<double>(number)));
  }
  double operator()(float number) const { return line.At(number); }
  double operator()(double number) const { return line.At(number); }
};

}  // namespace

bool AreCompatible(Units from, Units to, PcpVersion version) {
  from = Seen(from, version);
  to = Seen(to, version);
  return Dimensions(from) == Dimensions(to) && from.extra_unit() == to.extra_unit();
}

tl::expected<Value, ErrorCode> ConvertScale(const Value& value, Units from, Units to,
                                            PcpVersion version) {
  if (!AreCompatible(from, to, version)) return tl::unexpected(ErrorCode::kConversion);
  from = Seen(from, version);
  to = Seen(to, version);
  if (!HaveSizes(from) || !HaveSizes(to)) return tl::unexpected(ErrorCode::kUnit);
  const auto factor = FactorOf(from, to);
  if (!factor || !IsNumeric(value.type)) return tl::unexpected(ErrorCode::kConversion);
  const Value scaled = Map(value, ApplyFraction{*factor});
  if (from.extra_scale() == to.extra_scale()) return scaled;
  const auto line = ExtraLine(from, to);
  if (!line) return tl::unexpected(ErrorCode::kUnit);
  return Map(scaled, ApplyLine{*line});
}

}  // namespace pmproof

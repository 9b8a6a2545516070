#include "reference/derived/constant_value.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

namespace pmproof::derived {
namespace {

std::uint64_t IntegerOf(std::string_view number) {
  std::uint64_t integer = 0;
  for (const char digit : number) {
    if (digit < '0' || digit > '9') break;
    integer = integer * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return integer;
}

// As strtod() in the C locale: "." is 0, what is too large is infinite, what is too small is 0.
double DoubleOf(std::string_view number) {
  double result = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), result,
                                    std::chars_format::fixed);
  if (read.ec == std::errc::result_out_of_range) {
    const bool whole = number.find_first_not_of('0') < number.find('.');
    return whole ? std::numeric_limits<double>::infinity() : 0;
  }
  return read.ec == std::errc() ? result : 0;
}

}  // namespace

Value ConstantValue(std::string_view number, MetricType type) {
  switch (type) {
    case MetricType::k32:
      return Value::Of(static_cast<std::int32_t>(IntegerOf(number)));
    case MetricType::kU32:
      return Value::Of(static_cast<std::uint32_t>(IntegerOf(number)));
    case MetricType::k64:
      return Value::Of(static_cast<std::int64_t>(IntegerOf(number)));
    case MetricType::kU64:
      return Value::Of(IntegerOf(number));
    case MetricType::kFloat:
      return Value::Of(static_cast<float>(DoubleOf(number)));
    default:
      return Value::Of(DoubleOf(number));
  }
}

}  // namespace pmproof::derived

// SPDX-License-Identifier: Apache-2.0
#include "validator/text/duration.h"

namespace pmproof::validator {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kSecond = 1000 * kMillisecond;
constexpr std::uint64_t kMinute = 60 * kSecond;
constexpr std::uint64_t kHour = 60 * kMinute;
constexpr std::uint64_t kDay = 24 * kHour;

// "5.250 s"
std::string Decimal(std::uint64_t time, std::uint64_t unit, const char* name) {
  std::string fraction = std::to_string(time % unit / (unit / 1000));
  fraction.insert(0, 3 - fraction.size(), '0');
  return std::to_string(time / unit) + "." + fraction + name;
}

// "2 h 05 min"
std::string TwoUnits(std::uint64_t time, std::uint64_t unit, const char* name,
                     std::uint64_t smaller, const char* smaller_name) {
  std::string rest = std::to_string(time % unit / smaller);
  rest.insert(0, rest.size() < 2 ? 1 : 0, '0');
  return std::to_string(time / unit) + name + rest + smaller_name;
}

}  // namespace

std::string DurationText(std::int64_t nanoseconds) {
  const auto bits = static_cast<std::uint64_t>(nanoseconds);
  const std::uint64_t time = nanoseconds < 0 ? 0 - bits : bits;
  const std::string sign = nanoseconds < 0 ? "-" : "";
  if (time == 0) return "0 s";
  if (time < kSecond) return sign + Decimal(time, kMillisecond, " ms");
  if (time < kMinute) return sign + Decimal(time, kSecond, " s");
  if (time < kHour) return sign + TwoUnits(time, kMinute, " min ", kSecond, " s");
  if (time < kDay) return sign + TwoUnits(time, kHour, " h ", kMinute, " min");
  return sign + TwoUnits(time, kDay, " d ", kHour, " h");
}

}  // namespace pmproof::validator

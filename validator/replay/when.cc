// SPDX-License-Identifier: Apache-2.0
#include "validator/replay/when.h"

#include <limits>
#include <utility>

namespace pmproof::validator {
namespace {

constexpr std::pair<std::string_view, std::int64_t> kUnits[] = {
    {"ns", 1},
    {"us", 1'000},
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"", 1'000'000'000},
    {"sec", 1'000'000'000},
    {"min", 60'000'000'000},
    {"h", 3'600'000'000'000},
    {"d", 86'400'000'000'000},
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<std::int64_t> ParseDuration(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (IsDigit(text[end]) || text[end] == '.')) ++end;
  const std::string_view number = text.substr(0, end);
  for (const auto& [unit, nanoseconds] : kUnits) {
    if (text.substr(end) != unit) continue;
    std::int64_t whole = 0;
    std::int64_t fraction = 0;
    std::int64_t scale = nanoseconds;  // of the next digit after the point
    bool digits = false;
    bool point = false;
    for (const char c : number) {
      if (c == '.') {
        if (point) return std::nullopt;
        point = true;
        continue;
      }
      digits = true;
      const std::int64_t digit = c - '0';
      if (!point) {
        if (whole > (std::numeric_limits<std::int64_t>::max() - digit) / 10) return std::nullopt;
        whole = whole * 10 + digit;
      } else {
        if (scale % 10 != 0 && digit * scale % 10 != 0) return std::nullopt;
        fraction += digit * scale / 10;
        scale /= 10;
      }
    }
    if (!digits) return std::nullopt;
    if (whole > (std::numeric_limits<std::int64_t>::max() - fraction) / nanoseconds) {
      return std::nullopt;
    }
    return whole * nanoseconds + fraction;
  }
  return std::nullopt;
}

std::optional<Timestamp> ParseWhen(std::string_view text, Timestamp start) {
  if (!text.starts_with('+')) return ParseTime(text);
  const std::optional<std::int64_t> duration = ParseDuration(text.substr(1));
  if (!duration) return std::nullopt;
  return start + *duration;
}

}  // namespace pmproof::validator

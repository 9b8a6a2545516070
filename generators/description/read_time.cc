// SPDX-License-Identifier: Apache-2.0
#include "generators/description/read_time.h"

#include <algorithm>
#include <optional>
#include <string>

namespace pmproof::generators {
namespace {

constexpr std::int64_t kMostSeconds = std::int64_t{1} << 40;
constexpr std::int64_t kMostSecondsV2 = 0xffffffff;
constexpr std::size_t kDecimals = 9;

std::optional<Timestamp> ParseSeconds(std::string text) {
  const bool negative = text.starts_with('-');
  if (negative) text.erase(0, 1);
  const std::size_t dot = text.find('.');
  std::string decimals = dot == std::string::npos ? "0" : text.substr(dot + 1);
  text.resize(std::min(dot, text.size()));
  if (text.empty() || decimals.empty() || decimals.size() > kDecimals) return std::nullopt;
  if ((text + decimals).find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  decimals.resize(kDecimals, '0');
  const auto seconds = ParseInteger(text, 0, kMostSeconds);
  const auto nanoseconds = ParseInteger(decimals, 0, 999'999'999);
  if (!seconds || !nanoseconds) return std::nullopt;
  const Timestamp time{negative ? -*seconds : *seconds, 0};
  return time + (negative ? -*nanoseconds : *nanoseconds);
}

}  // namespace

Timestamp ReadTime(const Node& node, const TimeScale& scale) {
  const Json& json = node.json();
  std::optional<Timestamp> time;
  if (json.is_number_integer()) {
    time = Timestamp{node.Integer(-kMostSeconds, kMostSeconds), 0};
  } else if (json.is_string()) {
    time = ParseSeconds(json.get<std::string>());
  }
  if (!time) {
    node.Fail("is not a time in seconds, such as \"10.001\"");
    return {};
  }
  time->seconds += scale.epoch.seconds;
  *time = *time + scale.epoch.nanoseconds;
  if (scale.version == 2) {
    if (time->nanoseconds % 1000 != 0) node.Fail("version 2 holds whole microseconds (ARC-003)");
    if (time->seconds < 0 || time->seconds > kMostSecondsV2)
      node.Fail("version 2 holds no such time (ARC-003)");
  }
  return *time;
}

}  // namespace pmproof::generators

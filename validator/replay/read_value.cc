// SPDX-License-Identifier: Apache-2.0
#include "validator/replay/read_value.h"

#include <charconv>
#include <cstdint>

namespace pmproof::validator {
namespace {

template <typename Number>
std::optional<Number> ReadNumber(std::string_view text) {
  Number number{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

template <typename Number>
std::optional<Value> ReadValue(std::string_view text) {
  const auto number = ReadNumber<Number>(text);
  return number ? std::optional(Value::Of(*number)) : std::nullopt;
}

// The value of a base64 digit; nothing for another character.
std::optional<std::uint32_t> Digit(char c) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t found = kDigits.find(c);
  if (found == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(found);
}

}  // namespace

std::optional<MetricType> ParseType(std::string_view text) {
  for (std::int32_t code = -1; code <= 10; ++code) {
    if (const auto type = static_cast<MetricType>(code); ToText(type) == text) return type;
  }
  if (text == "unknown") return MetricType::kUnknown;
  if (!text.starts_with("type-")) return std::nullopt;
  const auto code = ReadNumber<std::int32_t>(text.substr(5));
  if (!code || *code < 0) return std::nullopt;
  return static_cast<MetricType>(*code);
}

std::optional<Value> ParseNumber(MetricType type, std::string_view text) {
  switch (type) {
    case MetricType::k32:
      return ReadValue<std::int32_t>(text);
    case MetricType::kU32:
      return ReadValue<std::uint32_t>(text);
    case MetricType::k64:
      return ReadValue<std::int64_t>(text);
    case MetricType::kU64:
      return ReadValue<std::uint64_t>(text);
    case MetricType::kFloat:
      return ReadValue<float>(text);
    case MetricType::kDouble:
      return ReadValue<double>(text);
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return std::nullopt;
}

std::optional<std::string> ParseBase64(std::string_view text) {
  if (!text.starts_with("base64:")) return std::nullopt;
  text.remove_prefix(7);
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const auto digit = Digit(c);
    if (!digit) return std::nullopt;
    bits = bits << 6 | *digit;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  return bytes;
}

}  // namespace pmproof::validator

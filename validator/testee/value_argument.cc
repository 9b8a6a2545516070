// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/value_argument.h"

#include <charconv>
#include <utility>

#include "validator/replay/value_text.h"

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

std::string BigEndian(std::uint64_t bits, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) {
    bytes[size - 1 - i] = static_cast<char>(bits >> 8 * i & 0xff);
  }
  return bytes;
}

// The value of a base64 digit; nothing for another character.
std::optional<std::uint32_t> Digit(char c) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t found = kDigits.find(c);
  if (found == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(found);
}

// MET-303: with its NUL, unless the bytes are given as such.
std::optional<std::string> PayloadOf(MetricType type, std::string_view text) {
  if (text.starts_with("base64:")) return ParseBase64(text);
  if (type == MetricType::kString) return std::string(text) + '\0';
  const std::optional<Value> number = ParseNumber(type, text);
  if (!number) return std::nullopt;
  return BigEndian(number->bits, NumericSize(type));
}

std::optional<std::uint32_t> WordOf(MetricType type, std::string_view text) {
  if (type != MetricType::k32 && type != MetricType::kFloat) return ReadNumber<std::uint32_t>(text);
  const std::optional<Value> number = ParseNumber(type, text);
  if (!number) return std::nullopt;
  return static_cast<std::uint32_t>(number->bits);
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

MetricType TakeType(RequestReader* reader, const char* key) {
  const std::string text = reader->NeededText(reader->args(), key, "args");
  const std::optional<MetricType> type = ParseType(text);
  if (!type) reader->Fail(std::string("args.") + key + ": no type, such as u32");
  return type.value_or(MetricType::k32);
}

ValueArgument TakeValue(RequestReader* reader, MetricType type) {
  const Json& args = reader->args();
  const bool in_place = type == MetricType::k32 || type == MetricType::kU32;
  const std::string format =
      reader->Text(args, "format", "args").value_or(in_place ? "insitu" : "ptr");
  const std::string text = reader->NeededText(args, "value", "args");
  ValueArgument argument;
  argument.type = type;
  const auto own_block = static_cast<std::int64_t>(static_cast<std::uint8_t>(type));
  argument.block_type = static_cast<MetricType>(
      reader->Integer(args, "block_type", "args", 0, 255).value_or(own_block));
  if (format == "insitu") {
    const std::optional<std::uint32_t> word = WordOf(type, text);
    if (!word) reader->Fail("args.value: no number that 32 bits of that type hold");
    argument.word = word.value_or(0);
  } else if (format == "ptr") {
    argument.format = ValueFormat::kPointer;
    std::optional<std::string> payload = PayloadOf(type, text);
    if (!payload) reader->Fail("args.value: neither a value of that type nor base64:...");
    argument.payload = std::move(payload).value_or("");
  } else {
    reader->Fail("args.format: neither insitu nor ptr");
  }
  return argument;
}

std::uint32_t TakeCode(RequestReader* reader) {
  const std::string text = reader->NeededText(reader->args(), "value", "args");
  const auto code = ReadNumber<std::uint32_t>(text);
  if (!code) reader->Fail("args.value: no decimal number of 32 bits");
  return code.value_or(0);
}

Answered TypedValue(const Value& value) {
  const Json json = {{"type", ToText(value.type)}, {"value", ValueText(value)}};
  return {DumpJson(json, -1)};
}

}  // namespace pmproof::validator

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

std::string BigEndian(std::uint64_t bits, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) {
    bytes[size - 1 - i] = static_cast<char>(bits >> 8 * i & 0xff);
  }
  return bytes;
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

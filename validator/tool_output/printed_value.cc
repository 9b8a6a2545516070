// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/printed_value.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/core/utf8.h"
#include "validator/text/quote.h"
#include "validator/tool_output/scan.h"

namespace pmproof::validator::tool_output {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The bytes of `[hex]`.
std::optional<std::vector<std::uint8_t>> BytesOf(std::string_view hex) {
  if (hex.size() < 2 || hex.front() != '[' || hex.back() != ']') return std::nullopt;
  hex = hex.substr(1, hex.size() - 2);
  if (hex.size() % 2 != 0) return std::nullopt;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(hex.size() / 2);
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = HexDigit(hex[i]);
    const int low = HexDigit(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<std::uint8_t>(high * 16 + low));
  }
  return bytes;
}

// MET-504: numbers and a text may stand before the bytes; all say the same.
bool ReadAggregate(std::string_view text, Item* item) {
  const std::size_t bracket = text.rfind('[');
  if (bracket == std::string_view::npos) return false;
  const auto bytes = BytesOf(text.substr(bracket));
  if (!bytes) return false;
  std::string_view before = text.substr(0, bracket);
  while (before.ends_with(' ')) before.remove_suffix(1);  // each part may be padded
  if (before.ends_with('"')) {
    const std::string quoted = "\"" + std::string(AsText(*bytes)) + "\"";
    if (!before.ends_with(quoted)) return false;
    before.remove_suffix(quoted.size());
  }
  for (std::string_view rest = Trim(before); !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (!PlainNumber(rest.substr(0, end))) return false;
    rest = TrimLeft(rest.substr(end));
  }
  item->type = "aggregate";
  item->value = Base64(*bytes);
  return true;
}

// MET-504 in place: the four bytes as a number, as a float and in hex, of this machine's order.
bool ReadInPlace(std::string_view text, Item* item) {
  const std::size_t hex = text.rfind(" 0x");
  if (hex == std::string_view::npos) return false;
  Scan number(Trim(text.substr(hex + 3)));
  const auto word = number.TakeNumber<std::uint32_t>(16);
  if (!word || !number.AtEnd()) return false;
  Scan decimal(Trim(text.substr(0, hex)));
  if (decimal.TakeNumber<std::uint32_t>() != word) return false;
  const std::string_view real = Trim(decimal.rest());
  if (!real.empty() && !PlainNumber(real)) return false;
  const std::uint8_t bytes[] = {
      static_cast<std::uint8_t>(*word >> 24), static_cast<std::uint8_t>(*word >> 16 & 0xff),
      static_cast<std::uint8_t>(*word >> 8 & 0xff), static_cast<std::uint8_t>(*word & 0xff)};
  item->type = "aggregate";
  item->value = Base64(bytes);
  return true;
}

}  // namespace

std::optional<std::string> PlainNumber(std::string_view text) {
  std::string plain;
  if (text.starts_with('-')) {
    plain = "-";
    text.remove_prefix(1);
  }
  std::string lower(text.substr(0, std::min<std::size_t>(text.size(), 5)));
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  if (lower.ends_with('.')) lower.pop_back();
  if (lower == "nan" && text.size() <= 4) return "nan";
  if (lower == "inf" && text.size() <= 4) return plain + "inf";
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return at - start;
  };
  if (digits() == 0) return std::nullopt;
  plain += text.substr(0, at);
  if (at < text.size() && text[at] == '.') {
    const std::size_t point = at++;
    if (digits() > 0) plain += text.substr(point, at - point);
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t exponent = ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (const std::size_t count = digits(); count == 0 || count > 4) return std::nullopt;
    plain += "e" + std::string(text.substr(exponent, at - exponent));
  }
  if (at != text.size()) return std::nullopt;
  return plain;
}

std::string HalfLastPlace(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  if (number.empty() || !IsDigit(number.front())) return "";
  const std::size_t exponent = number.find('e');
  const std::string_view mantissa = number.substr(0, exponent);
  const std::size_t point = mantissa.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : mantissa.size() - point - 1;
  std::string half = decimals == 0 ? "0.5" : "0." + std::string(decimals, '0') + "5";
  if (exponent != std::string_view::npos) half += number.substr(exponent);
  return half;
}

bool IsOpenString(std::string_view text) {
  return text.starts_with('"') && (text.size() == 1 || !text.ends_with('"'));
}

bool ReadPrintedValue(std::string_view text, Item* item) {
  if (auto number = PlainNumber(text)) {
    item->value = std::move(*number);
    return true;
  }
  if (text.ends_with(']') && ReadAggregate(text, item)) return true;
  if (text.starts_with('"')) {
    text.remove_prefix(1);
    if (text.ends_with('"')) text.remove_suffix(1);
    item->type = "string";
    item->value = StringText(text);
    return true;
  }
  return ReadInPlace(text, item);
}

std::optional<PrintedEvents> ReadPrintedEvents(std::string_view text) {
  Scan scan(text);
  PrintedEvents events;
  if (!scan.Take("[")) return std::nullopt;
  const auto records = scan.TakeNumber();
  if (!records || !scan.Take(" event record")) return std::nullopt;
  events.records = *records;
  scan.Take("s");
  if (scan.Take(" (")) {
    const auto missed = scan.TakeNumber();
    if (!missed || !scan.Take(" missed)")) return std::nullopt;
    events.missed = *missed;
  }
  if (!scan.Take(" timestamp")) return scan.rest() == "]" ? std::optional(events) : std::nullopt;
  return scan.rest().ends_with(']') ? std::optional(events) : std::nullopt;
}

std::string StringText(std::string_view bytes) {
  if (FirstInvalidUtf8(bytes) == bytes.size() && !bytes.starts_with("base64:")) {
    return std::string(bytes);
  }
  return Base64(AsBytes(bytes));
}

}  // namespace pmproof::validator::tool_output

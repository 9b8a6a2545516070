// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/parameters.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "reference/core/units_text.h"

namespace pmproof::derived {
namespace {

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr Named<MetricType> kTypes[] = {
    {"32", MetricType::k32},   {"U32", MetricType::kU32},     {"64", MetricType::k64},
    {"U64", MetricType::kU64}, {"FLOAT", MetricType::kFloat}, {"DOUBLE", MetricType::kDouble}};

constexpr Named<Semantics> kSemantics[] = {{"counter", Semantics::kCounter},
                                           {"instant", Semantics::kInstant},
                                           {"discrete", Semantics::kDiscrete}};

constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualWithoutCase(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return Lower(a) == Lower(b); });
}

template <typename Value, std::size_t kSize>
std::optional<Value> FindNamed(const Named<Value> (&table)[kSize], std::string_view name) {
  for (const Named<Value>& entry : table) {
    if (EqualWithoutCase(entry.name, name)) return entry.value;
  }
  return std::nullopt;
}

// Digits from the front of `text`; nothing if there are none, or `limit` is reached.
std::optional<std::uint32_t> TakeNumber(std::string_view* text, std::uint32_t limit) {
  std::uint64_t number = 0;
  std::size_t length = 0;
  while (length < text->size() && (*text)[length] >= '0' && (*text)[length] <= '9') {
    number = number * 10 + static_cast<std::uint64_t>((*text)[length++] - '0');
    if (number >= limit) return std::nullopt;
  }
  if (length == 0) return std::nullopt;
  text->remove_prefix(length);
  return static_cast<std::uint32_t>(number);
}

// DER-608: "null" or D.S, and nothing else in the text.
std::optional<Indom> ParseIndom(std::string_view text) {
  if (EqualWithoutCase(text, "null")) return Indom::Null();
  const std::optional<std::uint32_t> domain = TakeNumber(&text, 511);
  if (!domain || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<std::uint32_t> serial = TakeNumber(&text, 1U << 22);
  if (!serial || !text.empty()) return std::nullopt;
  return Indom::Of(*domain, *serial);
}

std::string Quoted(std::string_view what, std::string_view value) {
  return std::string(what).append(" '").append(value.substr(0, 256)).append("'");
}

}  // namespace

bool IsParameterName(TokenKind kind) { return kind >= TokenKind::kType; }

bool IsParameterValue(TokenKind name, TokenKind value, const Dialect& dialect) {
  if (value == TokenKind::kName) return true;
  if (name == TokenKind::kMeta) return false;
  return value == TokenKind::kString || value == TokenKind::kInteger ||
         (value == TokenKind::kDouble && dialect.indom_parameter);
}

std::optional<std::string> SetUnits(std::string_view text, const Dialect& dialect,
                                    Parameters* parameters) {
  const auto parsed = ParseUnits(text, dialect.version);
  if (!parsed) return Quoted("Illegal units:", parsed.error().message);
  parameters->units = parsed->units;
  return std::nullopt;
}

std::optional<std::string> SetParameter(TokenKind name, const Token& value, const Dialect& dialect,
                                        Parameters* parameters) {
  if (name == TokenKind::kUnits) return SetUnits(value.text, dialect, parameters);
  if (name == TokenKind::kType) {
    parameters->type = FindNamed(kTypes, value.text);
    if (!parameters->type) return Quoted("Unrecognized value for type", value.text);
  } else if (name == TokenKind::kSemantics) {
    parameters->semantics = FindNamed(kSemantics, value.text);
    if (!parameters->semantics) return Quoted("Unrecognized value for semantics", value.text);
  } else if (name == TokenKind::kIndom) {
    parameters->indom = ParseIndom(value.text);
    if (!parameters->indom) return Quoted("Illegal indom:", value.text);
  } else {
    parameters->meta = value.text;
  }
  return std::nullopt;
}

std::optional<MetricType> AnonymousType(std::string_view name) {
  constexpr std::string_view kPrefix = "PM_TYPE_";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  for (const Named<MetricType>& type : kTypes) {
    if (type.name == name.substr(kPrefix.size())) return type.value;
  }
  return std::nullopt;
}

std::string_view ConstantTypeName(MetricType type) {
  for (const Named<MetricType>& named : kTypes) {
    if (named.value == type) return named.name;
  }
  return {};
}

}  // namespace pmproof::derived

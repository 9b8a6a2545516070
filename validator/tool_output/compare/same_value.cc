// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/compare/same_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace pmproof::validator::compare {
namespace {

// As long doubles, so that 64-bit integers keep their digits.
using Number = long double;

std::optional<Number> ParseNumber(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  if (text == "nan") return std::nanl("");
  if (text == "inf") return negative ? -HUGE_VALL : HUGE_VALL;
  if (text.front() < '0' || text.front() > '9') return std::nullopt;
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [to, error] = std::from_chars(text.data(), end, number);
  if (to != end) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    number = text.find("e-") == text.npos ? HUGE_VALL : 0;
  return negative ? -number : number;
}

// Decimals are not read exactly either.
constexpr Number kSlack = 1e-17L;

bool Near(Number a, Number b, Number within, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  if (std::isinf(a) || std::isinf(b)) return false;
  const Number greater = std::max(std::fabs(a), std::fabs(b));
  return std::fabs(a - b) <= within + greater * (static_cast<Number>(tolerance) + kSlack);
}

// Half a unit of the last of so many significant digits.
Number HalfOfDigits(Number number, int digits) {
  if (number == 0 || !std::isfinite(number)) return 0;
  return 0.5L * std::pow(10.0L, std::floor(std::log10(std::fabs(number))) - (digits - 1));
}

bool IsReal(const tool_output::Item& item) { return item.type == "float" || item.type == "double"; }

bool IsWhole(std::string_view text) {
  return text.find_first_not_of("-0123456789") == std::string_view::npos;
}

bool IsOfText(const tool_output::Item& item) {
  return item.type == "string" || item.type.starts_with("aggregate");
}

}  // namespace

bool SameValue(const tool_output::Item& actual, const tool_output::Item& expected,
               Printing printing, double tolerance) {
  if (!actual.value || !expected.value) return actual.value == expected.value;
  const std::string& a = *actual.value;
  const std::string& e = *expected.value;
  if (!actual.type.empty() && !expected.type.empty() && IsOfText(actual) != IsOfText(expected)) {
    return false;
  }
  if (actual.state == "cut" && e.starts_with(a)) return true;
  if (a == e) return true;
  if (actual.altered && a == CsvText(e, actual.delimiter)) return true;
  if (IsOfText(actual) || IsOfText(expected)) return false;
  const auto a_number = ParseNumber(a);
  auto e_number = ParseNumber(e);
  // The shortest text of a float is not its value, which the tool prints: "0.3" is 0.30000001.
  if (e_number && expected.type == "float") e_number = static_cast<float>(*e_number);
  if (!a_number || !e_number) return false;
  // What an integer's text rounds is nothing (OUT-715), except of an unknown type.
  const bool integers = IsWhole(a) && IsWhole(e) && !IsReal(expected) && !IsReal(actual);
  if (integers && tolerance == 0) return false;
  Number within = 0;
  if (!integers) {
    within =
        std::max(ParseNumber(actual.within).value_or(0), ParseNumber(expected.within).value_or(0));
    const bool single = expected.type == "float" || actual.type == "float";
    if (printing == Printing::kSignificant) within += HalfOfDigits(*e_number, single ? 8 : 16);
  }
  return Near(*a_number, *e_number, within, tolerance);
}

bool SameNumber(std::string_view actual, std::string_view expected, std::string_view within,
                double tolerance) {
  if (actual == expected) return true;
  const auto a = ParseNumber(actual);
  const auto e = ParseNumber(expected);
  return a && e && Near(*a, *e, ParseNumber(within).value_or(0), tolerance);
}

namespace {

// All places of a delimiter, which may have several characters.
std::string Without(std::string_view text, std::string_view delimiter, char substitute) {
  if (delimiter.empty()) return std::string(text);
  std::string replaced;
  for (std::size_t at = text.find(delimiter); at != text.npos; at = text.find(delimiter)) {
    replaced.append(text.substr(0, at)).push_back(substitute);
    text.remove_prefix(at + delimiter.size());
  }
  return replaced.append(text);
}

}  // namespace

std::string CsvText(std::string_view text, std::string_view delimiter) {
  std::string csv = Without(text, delimiter, '_');
  std::ranges::replace(csv, '\n', ' ');
  std::ranges::replace(csv, '"', ' ');
  return csv;
}

std::string CsvName(std::string_view name, std::string_view delimiter) {
  std::string csv = Without(name, delimiter, ' ');
  std::ranges::replace_if(
      csv, [](char c) { return c == '\n' || c == '"'; }, ' ');
  return csv;
}

std::string_view PlainUnits(std::string_view units) {
  if (units.starts_with("count x 10")) units.remove_prefix(6);
  return units;
}

}  // namespace pmproof::validator::compare

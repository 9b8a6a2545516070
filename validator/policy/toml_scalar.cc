// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/toml_scalar.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <regex>
#include <string>

namespace pmproof::validator::policy {
namespace {

constexpr std::size_t kLongestScalar = 64;

// Nothing where `text` is no integer; kOther where it has more than 64 bits.
std::optional<Node> Integer(const std::string& text) {
  static const std::regex decimal("[+-]?(0|[1-9](_?[0-9])*)");
  static const std::regex based("0(x[0-9A-Fa-f](_?[0-9A-Fa-f])*|o[0-7](_?[0-7])*|b[01](_?[01])*)");
  int base = 10;
  if (std::regex_match(text, based)) {
    base = text[1] == 'x' ? 16 : text[1] == 'o' ? 8 : 2;
  } else if (!std::regex_match(text, decimal)) {
    return std::nullopt;
  }
  std::string digits = base == 10 ? text : text.substr(2);
  std::erase(digits, '_');
  Node node;
  errno = 0;
  node.integer = std::strtoll(digits.c_str(), nullptr, base);
  node.kind = errno == 0 ? Node::Kind::kInteger : Node::Kind::kOther;
  return node;
}

// Whether the day that a date begins with is one: "2026-02-30" is none.
bool IsDay(const std::string& date) {
  using namespace std::chrono;
  return year_month_day(year(std::stoi(date.substr(0, 4))),
                        month(static_cast<unsigned>(std::stoi(date.substr(5, 2)))),
                        day(static_cast<unsigned>(std::stoi(date.substr(8, 2)))))
      .ok();
}

}  // namespace

std::optional<Node> TomlScalar(std::string_view characters) {
  if (characters.size() > kLongestScalar) return std::nullopt;
  const std::string text(characters);
  static const std::regex date("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  static const std::string time = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?";
  static const std::regex instant("[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]" + time +
                                  "([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?");
  static const std::regex other(
      "true|false|[+-]?(inf|nan)|" + time +
      "|[+-]?(0|[1-9](_?[0-9])*)(\\.[0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?");
  if (std::optional<Node> integer = Integer(text)) return integer;
  Node node;
  if (std::regex_match(text, date)) {
    if (!IsDay(text)) return std::nullopt;
    node.kind = Node::Kind::kText;
    node.text = text;
    return node;
  }
  if (std::regex_match(text, instant) ? IsDay(text) : std::regex_match(text, other)) return node;
  return std::nullopt;
}

}  // namespace pmproof::validator::policy

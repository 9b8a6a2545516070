// SPDX-License-Identifier: Apache-2.0
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>
#include <algorithm>

#include "validator/policy/document.h"

namespace pmproof::validator::policy {
namespace {

// The library keeps a table for each part of a dotted key and gives tables back recursively, so
// that dots must be few. A policy as long as it may be has no need of so many.
constexpr std::ptrdiff_t kMostDots = 10'000;

std::string DateText(const toml::date& date) {
  const auto padded = [](unsigned number, std::size_t width) {
    const std::string digits = std::to_string(number);
    return std::string(width - std::min(width, digits.size()), '0') + digits;
  };
  return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2);
}

class Converter {
 public:
  // False if it is too deep; deepest_line() then says where.
  bool Convert(const toml::node& from, int depth, Node* to) {
    if (to->line == 0) to->line = from.source().begin.line;
    if (depth > kMostDepth) {
      deepest_line_ = to->line;
      return false;
    }
    if (const toml::table* table = from.as_table()) {
      to->kind = Node::Kind::kTable;
      for (const auto& [key, value] : *table) {
        Node& member = to->members.emplace_back();
        member.key = key.str();
        // Of what is wrong with a member people look for its name.
        member.line = key.source().begin.line;
        if (!Convert(value, depth + 1, &member)) return false;
      }
      // In the order of the document, and not of the names.
      std::stable_sort(to->members.begin(), to->members.end(),
                       [](const Node& a, const Node& b) { return a.line < b.line; });
    } else if (const toml::array* array = from.as_array()) {
      to->kind = Node::Kind::kList;
      for (const toml::node& value : *array) {
        if (!Convert(value, depth + 1, &to->items.emplace_back())) return false;
      }
    } else if (const auto* text = from.as_string()) {
      to->kind = Node::Kind::kText;
      to->text = text->get();
    } else if (const auto* integer = from.as_integer()) {
      to->kind = Node::Kind::kInteger;
      to->integer = integer->get();
    } else if (const auto* date = from.as_date()) {
      to->kind = Node::Kind::kText;
      to->text = DateText(date->get());
    }
    return true;
  }

  std::uint64_t deepest_line() const { return deepest_line_; }

 private:
  std::uint64_t deepest_line_ = 0;
};

}  // namespace

Result<Node> ReadToml(std::string_view text, const std::string& file) {
  if (std::count(text.begin(), text.end(), '.') > kMostDots) {
    return tl::unexpected(Status{.kind = Status::Kind::kUsage,
                                 .file = file,
                                 .message = "has more than " + std::to_string(kMostDots) +
                                            " dots; write a policy of that size as JSON"});
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return tl::unexpected(WrongAtLine(file, error.source().begin.line,
                                      "is not TOML: " + std::string(error.description())));
  }
  Node root;
  root.line = 1;
  Converter converter;
  if (!converter.Convert(parsed.table(), 1, &root)) {
    return tl::unexpected(
        WrongAtLine(file, converter.deepest_line(), "is deeper than any part of a policy"));
  }
  return root;
}

}  // namespace pmproof::validator::policy

// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/configuration_lines.h"

#include <algorithm>
#include <utility>

namespace pmproof::derived {

std::optional<std::string_view> ConfigurationLines::Next() {
  joined_.clear();
  number_ = next_number_;
  std::uint64_t newlines = 0;
  while (true) {
    const std::size_t newline = rest_.find('\n');
    if (newline == std::string_view::npos) return std::nullopt;
    ++newlines;
    const std::string_view line = rest_.substr(0, newline);
    rest_.remove_prefix(newline + 1);
    if (continued_ && line.ends_with('\\')) {
      joined_.append(line.substr(0, line.size() - 1));
      continue;
    }
    next_number_ += newlines;
    if (newlines == 1) return line;
    joined_.append(line);
    return joined_;
  }
}

std::optional<ConfigurationLines::Rest> ConfigurationLines::NextQuoted(char quote) {
  // A backslash at the end of the line, which only lines that are not continued have, was left to
  // the newline.
  Rest rest;
  bool escaped = false;
  const std::optional<std::size_t> length = TakeQuoted(rest_, quote, &rest.value, &escaped);
  const std::string_view taken = rest_.substr(0, length.value_or(rest_.size()));
  const auto more = static_cast<std::uint64_t>(std::ranges::count(taken, '\n'));
  // [Q] Before 6.2.2 the first newline is not counted, and the line is that of the end.
  if (!continued_) number_ += more;
  next_number_ += more + (continued_ ? 1 : 0);
  rest_.remove_prefix(taken.size());
  if (!length) return std::nullopt;
  const std::size_t newline = std::min(rest_.find('\n'), rest_.size());
  // [Q] The first character behind the quote is passed over, whatever it is (DER-312).
  rest.behind = rest_.substr(0, newline).substr(std::min<std::size_t>(newline, 1));
  rest_.remove_prefix(std::min(newline + 1, rest_.size()));
  return rest;
}

std::optional<std::size_t> TakeQuoted(std::string_view text, char quote, std::string* value,
                                      bool* escaped) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (*escaped) {
      *escaped = false;
      if (c != '\n') value->push_back(c);
    } else if (c == '\\') {
      *escaped = true;
    } else if (c == quote) {
      return i + 1;
    } else {
      value->push_back(c);
    }
  }
  return std::nullopt;
}

}  // namespace pmproof::derived

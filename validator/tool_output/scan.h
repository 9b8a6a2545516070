// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_SCAN_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_SCAN_H_

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// The lines of an output, and what is taken off the front of one of them.

namespace pmproof::validator::tool_output {

// Without their newlines; a last line without one counts. Views into `text`.
inline std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

inline std::string_view TrimLeft(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  return text;
}

inline std::string_view Trim(std::string_view text) {
  text = TrimLeft(text);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Takes things off the front of a text; what does not fit stays. A value.
class Scan {
 public:
  explicit Scan(std::string_view text) : rest_(text) {}

  std::string_view rest() const { return rest_; }
  bool AtEnd() const { return rest_.empty(); }

  bool Take(std::string_view literal) {
    if (!rest_.starts_with(literal)) return false;
    rest_.remove_prefix(literal.size());
    return true;
  }

  // A decimal number, or one of another base without its prefix.
  template <typename Number = std::uint64_t>
  std::optional<Number> TakeNumber(int base = 10) {
    Number number{};
    const char* const end = rest_.data() + rest_.size();
    const auto [to, error] = std::from_chars(rest_.data(), end, number, base);
    if (error != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(to - rest_.data()));
    return number;
  }

  // Exactly `count` digits.
  std::optional<std::uint32_t> TakeDigits(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    std::uint32_t number = 0;
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return std::nullopt;
      number = number * 10 + static_cast<std::uint32_t>(c - '0');
    }
    rest_.remove_prefix(count);
    return number;
  }

  // What stands before `mark`, which is taken too.
  std::optional<std::string_view> TakeUntil(std::string_view mark) {
    const std::size_t end = rest_.find(mark);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + mark.size());
    return text;
  }

  // The same up to the last `mark`.
  std::optional<std::string_view> TakeUntilLast(std::string_view mark) {
    const std::size_t end = rest_.rfind(mark);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + mark.size());
    return text;
  }

 private:
  std::string_view rest_;
};

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_SCAN_H_

#include "reference/derived/pattern.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pmproof::derived {
namespace {

constexpr std::size_t kMaxLength = 4096;
constexpr std::size_t kMaxDepth = 200;
constexpr std::uint64_t kMaxNodes = 32768;
// Nodes times characters of a name; some 0.2 microseconds and 15 bytes each at worst.
constexpr std::uint64_t kMaxWork = 1 << 20;
constexpr std::uint64_t kMaxName = 4096;

// Nodes of the compiled pattern, and how many of them refer back to a group ("\1").
struct Cost {
  std::uint64_t nodes = 0;
  std::uint64_t references = 0;
};

Cost Sum(const Cost& a, const Cost& b) {
  return {std::min(a.nodes + b.nodes, 2 * kMaxNodes),
          std::min(a.references + b.references, 2 * kMaxNodes)};
}

// What the compiled pattern costs: the library copies what is repeated, so that repetitions inside
// repetitions multiply.
class CostCounter {
 public:
  explicit CostCounter(std::string_view text) : text_(text) {}

  // Nothing if that is too much.
  std::optional<Cost> Count() {
    if (text_.size() > kMaxLength) return std::nullopt;
    while (at_ < text_.size()) {
      if (!Step()) return std::nullopt;
    }
    while (groups_.size() > 1) Close();
    const Cost all = Sum(groups_.back(), last_);
    if (all.nodes > kMaxNodes) return std::nullopt;
    return all;
  }

 private:
  bool Step() {
    const char c = text_[at_++];
    switch (c) {
      case '(':
        Take({});
        groups_.emplace_back();
        return groups_.size() <= kMaxDepth;
      case ')':
        if (groups_.size() > 1) {
          Close();
        } else {
          Take({1});
        }
        return true;
      case '*':
      case '+':
      case '?':
        return Repeat(2);
      case '{':
        return Repeat(Interval());
      case '\\':
        Take({1, IsReference() ? 1U : 0U});
        ++at_;
        return true;
      case '[':
        SkipBracket();
        Take({1});
        return true;
      default:
        Take({1});
        return true;
    }
  }

  bool IsReference() const { return at_ < text_.size() && text_[at_] >= '1' && text_[at_] <= '9'; }

  // The atom that a repetition would apply to is kept apart.
  void Take(const Cost& cost) {
    groups_.back() = Sum(groups_.back(), last_);
    last_ = cost;
  }
  void Close() {
    Take({});
    last_ = Sum(groups_.back(), {1});
    groups_.pop_back();
  }
  bool Repeat(std::uint64_t times) {
    last_ = {last_.nodes * times, last_.references * times};
    return last_.nodes <= kMaxNodes;
  }

  // The larger bound of {n}, {n,}, {n,m}; two for what is none.
  std::uint64_t Interval() {
    std::uint64_t largest = 2;
    std::uint64_t number = 0;
    while (at_ < text_.size() && text_[at_] != '}') {
      const char c = text_[at_++];
      if (c >= '0' && c <= '9') {
        number = std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(c - '0'), 65535);
        largest = std::max(largest, number + 1);
      } else {
        number = 0;
      }
    }
    return largest;
  }

  void SkipBracket() {
    if (at_ < text_.size() && text_[at_] == '^') ++at_;
    if (at_ < text_.size() && text_[at_] == ']') ++at_;
    while (at_ < text_.size() && text_[at_] != ']') {
      if (text_[at_] == '[' && at_ + 1 < text_.size() &&
          std::string_view(".:=").find(text_[at_ + 1]) != std::string_view::npos) {
        const std::array<char, 2> end = {text_[at_ + 1], ']'};
        const std::size_t found = text_.find(std::string_view(end.data(), 2), at_ + 2);
        at_ = found == std::string_view::npos ? text_.size() : found + 2;
      } else {
        ++at_;
      }
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Cost> groups_{{}};
  Cost last_;
};

// Whether a ^ exponent > limit.
bool PowerExceeds(std::uint64_t a, std::uint64_t exponent, std::uint64_t limit) {
  if (a < 2) return a > limit;
  std::uint64_t power = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) {
    power *= a;
    if (power > limit) return true;
  }
  return false;
}

// How long a name may be. The library tries all ways to divide it among the groups that are
// referred to: a power of the length, which has cost it minutes for a hundred characters.
std::size_t LongestName(const Cost& cost) {
  std::uint64_t length = std::min(kMaxName, kMaxWork / std::max<std::uint64_t>(cost.nodes, 1));
  if (cost.references > 0) {
    while (PowerExceeds(length, cost.references + 2, kMaxWork)) --length;
  }
  return static_cast<std::size_t>(length);
}

std::string ErrorText(int code, const regex_t* compiled) {
  std::array<char, 256> text{};
  regerror(code, compiled, text.data(), text.size());
  return text.data();
}

}  // namespace

tl::expected<Pattern, std::string> Pattern::Compile(std::string_view text) {
  auto compiled = std::make_unique<regex_t>();
  int code = REG_ESIZE;
  const std::optional<Cost> cost = CostCounter(text).Count();
  if (cost) code = regcomp(compiled.get(), std::string(text).c_str(), REG_EXTENDED | REG_NOSUB);
  if (code != 0) return tl::unexpected(ErrorText(code, compiled.get()));
  return Pattern(std::unique_ptr<regex_t, Free>(compiled.release()),
                 static_cast<std::size_t>(cost->nodes), LongestName(*cost));
}

bool Pattern::Matches(const std::string& name) const {
  if (name.size() > longest_name_) return false;
  return regexec(compiled_.get(), name.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace pmproof::derived

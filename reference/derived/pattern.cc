#include "reference/derived/pattern.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pmproof::derived {
namespace {

constexpr std::size_t kMaxLength = 4096;
constexpr std::size_t kMaxDepth = 200;
constexpr std::uint64_t kMaxNodes = 32768;

// What the compiled pattern costs: the library copies what is repeated, so that repetitions inside
// repetitions multiply.
class PatternCost {
 public:
  explicit PatternCost(std::string_view text) : text_(text) {}

  bool IsBounded() {
    if (text_.size() > kMaxLength) return false;
    while (at_ < text_.size()) {
      if (!Step()) return false;
    }
    while (groups_.size() > 1) Close();
    return groups_.back() + last_ <= kMaxNodes;
  }

 private:
  bool Step() {
    const char c = text_[at_++];
    switch (c) {
      case '(':
        Take(0);
        groups_.push_back(0);
        return groups_.size() <= kMaxDepth;
      case ')':
        if (groups_.size() > 1) {
          Close();
        } else {
          Take(1);
        }
        return true;
      case '*':
      case '+':
      case '?':
        return Repeat(2);
      case '{':
        return Repeat(Interval());
      case '\\':
        ++at_;
        Take(1);
        return true;
      case '[':
        SkipBracket();
        Take(1);
        return true;
      default:
        Take(1);
        return true;
    }
  }

  // The atom that a repetition would apply to is kept apart.
  void Take(std::uint64_t cost) {
    groups_.back() = std::min(groups_.back() + last_, 2 * kMaxNodes);
    last_ = cost;
  }
  void Close() {
    Take(0);
    last_ = groups_.back() + 1;
    groups_.pop_back();
  }
  bool Repeat(std::uint64_t times) {
    last_ *= times;
    return last_ <= kMaxNodes;
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
  std::vector<std::uint64_t> groups_{0};
  std::uint64_t last_ = 0;
};

std::string ErrorText(int code, const regex_t* compiled) {
  std::array<char, 256> text{};
  regerror(code, compiled, text.data(), text.size());
  return text.data();
}

}  // namespace

tl::expected<Pattern, std::string> Pattern::Compile(std::string_view text) {
  auto compiled = std::make_unique<regex_t>();
  int code = REG_ESIZE;
  if (PatternCost(text).IsBounded()) {
    code = regcomp(compiled.get(), std::string(text).c_str(), REG_EXTENDED | REG_NOSUB);
  }
  if (code != 0) return tl::unexpected(ErrorText(code, compiled.get()));
  return Pattern(std::unique_ptr<regex_t, Free>(compiled.release()));
}

bool Pattern::Matches(const std::string& name) const {
  return regexec(compiled_.get(), name.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace pmproof::derived

// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/equivalent_indoms.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pmproof::derived {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsBlank(char c) { return c == ' ' || c == '\t'; }

constexpr std::size_t kDomainDigits = 3;
constexpr std::size_t kSerialDigits = 7;
constexpr std::uint32_t kLargestDomain = 511;
constexpr std::uint32_t kLargestSerial = 4194303;

}  // namespace

class EquivalentIndoms::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  tl::expected<EquivalentIndoms, Error> Parse() {
    while (!AtEnd() && error_.message.empty()) Step();
    if (!error_.message.empty()) return tl::unexpected(std::move(error_));
    return std::move(indoms_);
  }

 private:
  bool AtEnd() const { return at_ == text_.size(); }
  char Here() const { return text_[at_]; }

  void Fail(std::string message) { error_ = {line_, std::move(message)}; }
  void Expected(const std::string& what) {
    Fail(what + ", found '" + std::string(1, Here()) + "'");
  }

  // From where a domain may stand.
  void Step() {
    if (Here() == '\n') {
      ++line_;
      ++at_;
    } else if (IsBlank(Here())) {
      ++at_;
    } else if (Here() == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      if (AtEnd()) FailAtEnd();
    } else if (IsDigit(Here())) {
      TakeMember();
    } else {
      Expected("<domain> expected");
    }
  }

  void FailAtEnd() { Fail("expected newline, found End-of-File"); }

  // Nothing: it failed.
  std::optional<std::uint32_t> Number(const std::string& what, std::size_t digits,
                                      std::uint32_t largest) {
    const std::size_t begin = at_;
    while (!AtEnd() && IsDigit(Here())) ++at_;
    const std::string text(text_.substr(begin, std::min(at_ - begin, digits + 1)));
    if (text.size() > digits) {
      Fail(what + " " + text + "... too long");
      return std::nullopt;
    }
    const auto value = static_cast<std::uint32_t>(std::stoul(text));
    if (value > largest) {
      Fail(what + " " + text + " too big");
      return std::nullopt;
    }
    return value;
  }

  void TakeMember() {
    const std::size_t begin = at_;
    const auto domain = Number("<domain>", kDomainDigits, kLargestDomain);
    if (!domain) return;
    const std::string domain_text(text_.substr(begin, at_ - begin));
    if (AtEnd()) return FailAtEnd();
    if (Here() != '.') return Expected("'.' expected after <domain> " + domain_text);
    ++at_;
    if (AtEnd()) return FailAtEnd();
    Member member{*domain, std::nullopt};
    std::string serial_text = "*";
    if (Here() == '*') {
      ++at_;
    } else if (IsDigit(Here())) {
      const std::size_t serial = at_;
      member.serial = Number("<serial>", kSerialDigits, kLargestSerial);
      if (!member.serial) return;
      serial_text = text_.substr(serial, at_ - serial);
    } else {
      return Expected("digit or '*' expected after <domain> " + domain_text);
    }
    if (AtEnd()) return FailAtEnd();
    if (Here() != '\n' && !IsBlank(Here())) {
      return Expected("newline or whitespace expected after <serial> " + serial_text);
    }
    set_.push_back(member);
    if (Here() == '\n') {
      indoms_.sets_.push_back(std::exchange(set_, {}));
      ++line_;
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  Set set_;
  EquivalentIndoms indoms_;
  Error error_;
};

tl::expected<EquivalentIndoms, EquivalentIndoms::Error> EquivalentIndoms::Parse(
    std::string_view text) {
  return Parser(text).Parse();
}

EquivalentIndoms EquivalentIndoms::Default() {
  return Parse("3.9 3.39 3.40\n60.0 127.*\n").value();
}

bool EquivalentIndoms::Contains(Indom left, Indom right) const {
  const auto includes = [](const Set& set, Indom indom) {
    return std::ranges::any_of(set, [&](const Member& member) { return member.Includes(indom); });
  };
  return std::ranges::any_of(
      sets_, [&](const Set& set) { return includes(set, left) && includes(set, right); });
}

}  // namespace pmproof::derived

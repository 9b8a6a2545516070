// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_CLAUSE_H_
#define PMPROOF_REFERENCE_CORE_CLAUSE_H_

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pmproof {

// The identifier of a clause or rule of the specification, such as "ARC-1102". A value; written in
// code as the literal "ARC-1102"_clause so that a search for the identifier finds the code.
class Clause {
 public:
  enum class Chapter : std::uint8_t {
    kNone,
    kArc,
    kInt,
    kDev,
    kPdu,
    kPmd,
    kDso,
    kCka,
    kCkc,
    kDer,
    kMet,
    kOut
  };

  constexpr Clause() = default;
  constexpr Clause(Chapter chapter, std::uint16_t number) : chapter_(chapter), number_(number) {}

  // Nothing if `text` is not a chapter's prefix, a hyphen and one to five digits.
  static constexpr std::optional<Clause> Parse(std::string_view text) {
    if (text.size() < 5 || text.size() > 9 || text[3] != '-') return std::nullopt;
    std::uint32_t number = 0;
    for (const char c : text.substr(4)) {
      if (c < '0' || c > '9') return std::nullopt;
      number = number * 10 + static_cast<std::uint32_t>(c - '0');
    }
    if (number > 0xffff) return std::nullopt;
    for (std::uint8_t i = 1; i < kPrefixCount; ++i) {
      if (text.substr(0, 3) == kPrefixes[i]) {
        return Clause(static_cast<Chapter>(i), static_cast<std::uint16_t>(number));
      }
    }
    return std::nullopt;
  }

  constexpr Chapter chapter() const { return chapter_; }
  constexpr std::uint16_t number() const { return number_; }
  constexpr bool empty() const { return chapter_ == Chapter::kNone; }

  // "ARC-019": at least three digits, as the specification writes it. Empty text for no clause.
  std::string ToString() const {
    if (empty()) return "";
    std::string digits = std::to_string(number_);
    if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
    return std::string(kPrefixes[static_cast<std::uint8_t>(chapter_)]) + "-" + digits;
  }

  // NOLINTNEXTLINE(modernize-use-nullptr): the compiler writes the 0
  friend constexpr auto operator<=>(const Clause&, const Clause&) = default;

 private:
  static constexpr std::uint8_t kPrefixCount = 12;
  static constexpr std::string_view kPrefixes[kPrefixCount] = {
      "", "ARC", "INT", "DEV", "PDU", "PMD", "DSO", "CKA", "CKC", "DER", "MET", "OUT"};

  Chapter chapter_ = Chapter::kNone;
  std::uint16_t number_ = 0;
};

// A text that is not a clause does not compile.
consteval Clause operator""_clause(const char* text, std::size_t size) {
  return Clause::Parse(std::string_view(text, size)).value();
}

}  // namespace pmproof

template <>
struct std::hash<pmproof::Clause> {
  std::size_t operator()(const pmproof::Clause& clause) const noexcept {
    return static_cast<std::size_t>(clause.chapter()) << 16 | clause.number();
  }
};

#endif  // PMPROOF_REFERENCE_CORE_CLAUSE_H_

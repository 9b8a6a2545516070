// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/lexer.h"

#include <algorithm>

#include "reference/derived/functions.h"

namespace pmproof::derived {
namespace {

// In the "C" locale, whatever that of the program is.
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool IsNameCharacter(char c) { return IsAlpha(c) || IsDigit(c) || c == '_' || c == '.'; }
constexpr bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct ReservedWord {
  std::string_view text;
  TokenKind kind;
  bool Dialect::*since;
};

constexpr ReservedWord kWords[] = {
    {"type", TokenKind::kType, &Dialect::whole_language},
    {"semantics", TokenKind::kSemantics, &Dialect::whole_language},
    {"units", TokenKind::kUnits, &Dialect::whole_language},
    {"meta", TokenKind::kMeta, &Dialect::lazy_binding},
    {"indom", TokenKind::kIndom, &Dialect::indom_parameter},
};

struct OperatorText {
  std::string_view text;
  TokenKind kind;
};

// Longer ones before their beginnings.
constexpr OperatorText kOperators[] = {
    {"<=", TokenKind::kLessEqual}, {"==", TokenKind::kEqual},  {">=", TokenKind::kGreaterEqual},
    {"!=", TokenKind::kNotEqual},  {"&&", TokenKind::kAnd},    {"||", TokenKind::kOr},
    {"+", TokenKind::kPlus},       {"-", TokenKind::kMinus},   {"*", TokenKind::kStar},
    {"/", TokenKind::kSlash},      {"(", TokenKind::kOpen},    {")", TokenKind::kClose},
    {"<", TokenKind::kLess},       {">", TokenKind::kGreater}, {"!", TokenKind::kNot},
    {"?", TokenKind::kQuestion},   {":", TokenKind::kColon},   {",", TokenKind::kComma},
    {"=", TokenKind::kAssign},
};

constexpr bool InSeed(TokenKind kind) {
  return (kind >= TokenKind::kPlus && kind <= TokenKind::kSlash) || kind == TokenKind::kOpen ||
         kind == TokenKind::kClose;
}

constexpr std::string_view kIllegal = "Illegal character";

// DER-502: at most 4294967295, with leading zeros or without.
bool FitsWord(std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  constexpr std::string_view kLargest = "4294967295";
  return digits.size() < kLargest.size() ||
         (digits.size() == kLargest.size() && digits <= kLargest);
}

}  // namespace

Token Lexer::Make(TokenKind kind, std::size_t length) {
  const Token token{
      .kind = kind, .position = static_cast<std::int64_t>(at_), .text = text_.substr(at_, length)};
  at_ += length;
  return token;
}

Token Lexer::Fail(std::string_view message) {
  error_ = message;
  return {.kind = TokenKind::kError, .position = static_cast<std::int64_t>(at_)};
}

Token Lexer::Next() {
  while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  if (at_ == text_.size()) {
    return {.kind = TokenKind::kEnd, .position = static_cast<std::int64_t>(text_.size()) - 1};
  }
  const char c = text_[at_];
  if (IsAlpha(c)) return Word();
  if (IsDigit(c) || (c == '.' && dialect_.whole_language)) return Number();
  if (dialect_.whole_language) {
    if (c == '"') return Quoted(TokenKind::kString, '"', "unterminated STRING");
    if (c == '[') return Quoted(TokenKind::kInstanceName, ']', "unterminated instance name");
    if (c == '/' && pattern_) return Quoted(TokenKind::kPattern, '/', "unterminated pattern");
  }
  return Operator();
}

Token Lexer::Number() {
  std::size_t end = at_;
  const auto skip_digits = [&] {
    while (end < text_.size() && IsDigit(text_[end])) ++end;
  };
  skip_digits();
  if (dialect_.whole_language && end < text_.size() && text_[end] == '.') {
    ++end;
    skip_digits();
    return Make(TokenKind::kDouble, end - at_);
  }
  if (!FitsWord(text_.substr(at_, end - at_))) return Fail("Constant value too large");
  return Make(TokenKind::kInteger, end - at_);
}

Token Lexer::Word() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && IsNameCharacter(text_[end])) ++end;
  const std::string_view word = text_.substr(at_, end - at_);
  for (const ReservedWord& reserved : kWords) {
    if (reserved.text == word && dialect_.*reserved.since) return Make(reserved.kind, word.size());
  }
  // In the dialect `seed` blanks may stand between (DER-1503).
  while (dialect_.seed_semantics && end < text_.size() && IsBlank(text_[end])) ++end;
  // A function only with "(" right after it (DER-502).
  if (end < text_.size() && text_[end] == '(') {
    const std::uint8_t function = FindFunction(word);
    if (function != Node::kNoFunction && kFunctions[function].IsIn(dialect_)) {
      if (kFunctions[function].argument == Argument::kPattern) pattern_ = true;
      Token token = Make(TokenKind::kFunction, word.size());
      token.function = function;
      return token;
    }
  }
  return Make(TokenKind::kName, word.size());
}

Token Lexer::Quoted(TokenKind kind, char end, std::string_view unterminated) {
  const bool escapes = kind != TokenKind::kString;
  bool escaped = false;
  std::size_t close = at_ + 1;
  while (close < text_.size() && text_[close] != end) {
    // A text of the library ends there.
    if (text_[close] == '\0') return Fail(unterminated);
    if (escapes && text_[close] == '\\') {
      escaped = true;
      ++close;
    }
    ++close;
  }
  if (close >= text_.size()) return Fail(unterminated);
  const Token token{.kind = kind,
                    .escaped = escaped,
                    .position = static_cast<std::int64_t>(at_),
                    .text = text_.substr(at_ + 1, close - at_ - 1)};
  at_ = close + 1;
  return token;
}

Token Lexer::Operator() {
  const std::string_view rest = text_.substr(at_, 2);
  for (const OperatorText& candidate : kOperators) {
    if (!rest.starts_with(candidate.text)) continue;
    if (!dialect_.whole_language && !InSeed(candidate.kind)) break;
    return Make(candidate.kind, candidate.text.size());
  }
  return Fail(kIllegal);
}

std::string Unescaped(std::string_view text) {
  std::string unescaped;
  unescaped.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    unescaped += text[i];
  }
  return unescaped;
}

std::string_view Spelling(TokenKind kind) {
  for (const OperatorText& candidate : kOperators) {
    if (candidate.kind == kind) return candidate.text;
  }
  return {};
}

}  // namespace pmproof::derived

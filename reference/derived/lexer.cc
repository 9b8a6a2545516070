#include "reference/derived/lexer.h"

#include <algorithm>
#include <array>

namespace pmproof::derived {
namespace {

// In the "C" locale, whatever that of the program is.
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool IsNameCharacter(char c) { return IsAlpha(c) || IsDigit(c) || c == '_' || c == '.'; }
constexpr bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

enum class Since : std::uint8_t { kSeed, kWhole, kLazy, kIndom };

constexpr bool Has(const Dialect& dialect, Since since) {
  switch (since) {
    case Since::kSeed:
      return true;
    case Since::kWhole:
      return dialect.whole_language;
    case Since::kLazy:
      return dialect.lazy_binding;
    default:
      return dialect.indom_parameter;
  }
}

struct ReservedWord {
  std::string_view text;
  TokenKind kind;
  Since since;
  bool function;  // only with "(" right after it
};

constexpr ReservedWord kWords[] = {
    {"avg", TokenKind::kAvg, Since::kSeed, true},
    {"count", TokenKind::kCount, Since::kSeed, true},
    {"delta", TokenKind::kDelta, Since::kSeed, true},
    {"max", TokenKind::kMax, Since::kSeed, true},
    {"min", TokenKind::kMin, Since::kSeed, true},
    {"sum", TokenKind::kSum, Since::kSeed, true},
    {"anon", TokenKind::kAnon, Since::kWhole, true},
    {"rate", TokenKind::kRate, Since::kWhole, true},
    {"instant", TokenKind::kInstant, Since::kWhole, true},
    {"mkconst", TokenKind::kMkconst, Since::kWhole, true},
    {"rescale", TokenKind::kRescale, Since::kWhole, true},
    {"defined", TokenKind::kDefined, Since::kWhole, true},
    {"matchinst", TokenKind::kMatchinst, Since::kWhole, true},
    {"scalar", TokenKind::kScalar, Since::kWhole, true},
    {"novalue", TokenKind::kNovalue, Since::kLazy, true},
    {"type", TokenKind::kType, Since::kWhole, false},
    {"semantics", TokenKind::kSemantics, Since::kWhole, false},
    {"units", TokenKind::kUnits, Since::kWhole, false},
    {"meta", TokenKind::kMeta, Since::kLazy, false},
    {"indom", TokenKind::kIndom, Since::kIndom, false},
};
constexpr std::size_t kLongestWord = 9;

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
  const Token token{kind, false, static_cast<std::int64_t>(at_), text_.substr(at_, length)};
  at_ += length;
  return token;
}

Token Lexer::Fail(std::string_view message) {
  error_ = message;
  return {TokenKind::kError, false, static_cast<std::int64_t>(at_), {}};
}

Token Lexer::Next() {
  while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  if (at_ == text_.size()) {
    return {TokenKind::kEnd, false, static_cast<std::int64_t>(text_.size()) - 1, {}};
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
  if (word.size() <= kLongestWord) {
    const bool opens = end < text_.size() && text_[end] == '(';
    for (const ReservedWord& reserved : kWords) {
      if (reserved.text != word || !Has(dialect_, reserved.since)) continue;
      if (reserved.function && !opens) break;
      if (reserved.kind == TokenKind::kMatchinst) pattern_ = true;
      return Make(reserved.kind, word.size());
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
  const Token token{kind, escaped, static_cast<std::int64_t>(at_),
                    text_.substr(at_ + 1, close - at_ - 1)};
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

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_LEXER_H_
#define PMPROOF_REFERENCE_DERIVED_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "reference/derived/dialect.h"

// Characters to tokens (DER section 5).

namespace pmproof::derived {

enum class TokenKind : std::uint8_t {
  kEnd,
  kError,  // Lexer::error() says which
  kInteger,
  kDouble,
  kName,
  kString,
  kInstanceName,
  kPattern,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kLess,
  kLessEqual,
  kEqual,
  kGreaterEqual,
  kGreater,
  kNotEqual,
  kAnd,
  kOr,
  kNot,
  kQuestion,
  kColon,
  kOpen,
  kClose,
  kComma,
  kAssign,
  kFunction,  // the next token is kOpen
  // Reserved words.
  kType,
  kSemantics,
  kUnits,
  kMeta,
  kIndom,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint8_t function = 0;  // kFunction: in kFunctions (functions.h)
  bool escaped = false;       // kInstanceName, kPattern: there is a backslash in it
  std::int64_t position = 0;  // DER-504
  std::string_view text{};    // without quotes, brackets, slashes; a view of the lexer's text
};

class Lexer {
 public:
  // `text` must outlive this.
  Lexer(std::string_view text, const Dialect& dialect) : text_(text), dialect_(dialect) {}

  // kEnd and kError are repeated for ever.
  Token Next();
  // Why the last token is a kError (DER-502, 505).
  std::string_view error() const { return error_; }
  // DER-502, 503: whether "/" begins a pattern. Set by the word matchinst.
  void EndPattern() { pattern_ = false; }

 private:
  Token Make(TokenKind kind, std::size_t length);
  Token Fail(std::string_view message);
  Token Number();
  Token Word();
  Token Quoted(TokenKind kind, char end, std::string_view unterminated);
  Token Operator();

  std::string_view text_;
  const Dialect& dialect_;
  std::size_t at_ = 0;
  std::string_view error_;
  bool pattern_ = false;
};

// The text of an instance name or a pattern: "\c" gives c (DER-502).
std::string Unescaped(std::string_view text);

// As it is written: "+", "&&" ...; empty for tokens with other texts.
std::string_view Spelling(TokenKind kind);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_LEXER_H_

#ifndef PMPROOF_REFERENCE_DERIVED_PARSER_FRAME_H_
#define PMPROOF_REFERENCE_DERIVED_PARSER_FRAME_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/core/clause.h"
#include "reference/derived/expression.h"
#include "reference/derived/lexer.h"

// What the parser has begun and not finished.

namespace pmproof::derived {

enum class FrameKind : std::uint8_t {
  kTop,
  kInitialGroup,  // "(" that the text begins with
  kGroup,
  kFunction,          // delta( rate( instant( scalar( of an expression
  kRescale,           // before the comma
  kMatch,             // after the comma
  kPrefix,            // - !
  kBinary,            //
  kQuestion,          // in the first branch
  kColon,             // in the second branch
  kColonAfterNovalue  // in the second branch, the first is novalue()
};

struct Frame {
  FrameKind kind = FrameKind::kTop;
  // The operator or function word. kMatch: kNot if inverted.
  TokenKind token = TokenKind::kEnd;
  TextRange pattern{};  // kMatch
};

// "WHAT expected to follow BEHIND", or WHAT alone. Views of literals.
struct SyntaxMessage {
  std::string_view what{};
  std::string_view behind{};
  Clause clause{};

  std::string Text() const;
};

// DER-602: of an operator, loosest first; 0 for other tokens.
int Level(TokenKind binary);
int PrefixLevel(TokenKind prefix);

NodeKind BinaryKind(TokenKind binary);
// Of avg( .. scalar(.
NodeKind FunctionKind(TokenKind word);

// DER-632..641, 644: what an error inside of the frame says; no clause: the frame says nothing.
SyntaxMessage MessageInside(const Frame& frame);
// DER-638, 639.
SyntaxMessage MetricExpected(TokenKind word);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_PARSER_FRAME_H_

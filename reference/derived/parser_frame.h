// SPDX-License-Identifier: Apache-2.0
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
  kFunction,          // of an expression
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
  TokenKind token = TokenKind::kEnd;  // the operator; kMatch: kNot if inverted
  std::uint8_t function = Node::kNoFunction;
  TextRange pattern{};  // kMatch
};

// "WHAT expected to follow BEHIND", or WHAT alone. Views of literals.
struct SyntaxMessage {
  std::string_view what{};
  std::string_view behind{};
  Clause clause{};
  bool of_function = false;  // `after` is a function's name

  std::string Text() const;
};

// DER-602: of an operator, loosest first; 0 for other tokens.
int Level(TokenKind binary);
int PrefixLevel(TokenKind prefix);

// DER-632..641, 644: what an error inside of the frame says; no clause: the frame says nothing.
SyntaxMessage MessageInside(const Frame& frame);
// DER-638; nothing for defined() (DER-647).
SyntaxMessage MetricExpected(std::uint8_t function);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_PARSER_FRAME_H_

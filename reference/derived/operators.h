// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_OPERATORS_H_
#define PMPROOF_REFERENCE_DERIVED_OPERATORS_H_

#include <string_view>

#include "reference/derived/expression.h"
#include "reference/derived/lexer.h"

namespace pmproof::derived {

struct BinaryOperator {
  NodeKind node;
  TokenKind token;
  std::string_view text;
  std::string_view name;  // in messages (DER-634, 635)
  int level;              // DER-602: loosest first
};

inline constexpr BinaryOperator kBinaryOperators[] = {
    {NodeKind::kAdd, TokenKind::kPlus, "+", "PLUS", 5},
    {NodeKind::kSubtract, TokenKind::kMinus, "-", "MINUS", 5},
    {NodeKind::kMultiply, TokenKind::kStar, "*", "STAR", 6},
    {NodeKind::kDivide, TokenKind::kSlash, "/", "SLASH", 6},
    {NodeKind::kLess, TokenKind::kLess, "<", "LT", 4},
    {NodeKind::kLessEqual, TokenKind::kLessEqual, "<=", "LEQ", 4},
    {NodeKind::kEqual, TokenKind::kEqual, "==", "EQ", 4},
    {NodeKind::kGreaterEqual, TokenKind::kGreaterEqual, ">=", "GEQ", 4},
    {NodeKind::kGreater, TokenKind::kGreater, ">", "GT", 4},
    {NodeKind::kNotEqual, TokenKind::kNotEqual, "!=", "NEQ", 4},
    {NodeKind::kAnd, TokenKind::kAnd, "&&", "AND", 2},
    {NodeKind::kOr, TokenKind::kOr, "||", "OR", 2},
};

// Null if the token is not a binary operator.
constexpr const BinaryOperator* FindOperator(TokenKind token) {
  for (const BinaryOperator& candidate : kBinaryOperators) {
    if (candidate.token == token) return &candidate;
  }
  return nullptr;
}

// Null if the node is not one of a binary operator.
constexpr const BinaryOperator* FindOperator(NodeKind node) {
  for (const BinaryOperator& candidate : kBinaryOperators) {
    if (candidate.node == node) return &candidate;
  }
  return nullptr;
}

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_OPERATORS_H_

// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/parser_frame.h"

#include <string_view>

#include "reference/derived/functions.h"
#include "reference/derived/operators.h"

namespace pmproof::derived {
namespace {

constexpr std::string_view kArithmetic = "Arithmetic expression";
constexpr std::string_view kBoolean = "Boolean expression";

}  // namespace

std::string SyntaxMessage::Text() const {
  std::string text(what);
  if (!behind.empty()) text.append(" expected to follow ").append(behind);
  if (of_function) text += '(';
  return text;
}

int Level(TokenKind binary) {
  if (binary == TokenKind::kQuestion || binary == TokenKind::kColon) return 1;
  const BinaryOperator* const found = FindOperator(binary);
  return found == nullptr ? 0 : found->level;
}

int PrefixLevel(TokenKind prefix) { return prefix == TokenKind::kNot ? 3 : 5; }

SyntaxMessage MetricExpected(std::uint8_t function) {
  if (kFunctions[function].expects.empty()) return {};
  return {kMetricName, kFunctions[function].name, "DER-638"_clause, true};
}

SyntaxMessage MessageInside(const Frame& frame) {
  switch (frame.kind) {
    case FrameKind::kTop:
    case FrameKind::kGroup:
      return {};
    case FrameKind::kInitialGroup:
      return {"Unexpected initial '('", {}, "DER-644"_clause};
    case FrameKind::kFunction:
      if (kFunctions[frame.function].expects == kMetricName) return MetricExpected(frame.function);
      return {kFunctions[frame.function].expects, kFunctions[frame.function].name, "DER-639"_clause,
              true};
    case FrameKind::kRescale:
      return {"Arithmetic or relational or boolean operator", "rescale(", "DER-640"_clause};
    case FrameKind::kMatch:
      return {"<expr>)", "matchinst(<filter>,", "DER-641"_clause};
    case FrameKind::kPrefix:
      if (frame.token == TokenKind::kNot) return {kBoolean, "NOT", "DER-633"_clause};
      return {kArithmetic, "NEG", "DER-632"_clause};
    case FrameKind::kBinary:
      if (Level(frame.token) == Level(TokenKind::kAnd)) {
        return {kBoolean, FindOperator(frame.token)->name, "DER-635"_clause};
      }
      return {kArithmetic, FindOperator(frame.token)->name, "DER-634"_clause};
    case FrameKind::kQuestion:
    case FrameKind::kColonAfterNovalue:
      return {kArithmetic, "QUEST", "DER-636"_clause};
    case FrameKind::kColon:
      return {kArithmetic, "COLON", "DER-637"_clause};
  }
  return {};
}

}  // namespace pmproof::derived

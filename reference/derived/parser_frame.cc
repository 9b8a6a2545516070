#include "reference/derived/parser_frame.h"

#include <string_view>

namespace pmproof::derived {
namespace {

std::string_view OperatorName(TokenKind binary) {
  switch (binary) {
    case TokenKind::kPlus:
      return "PLUS";
    case TokenKind::kMinus:
      return "MINUS";
    case TokenKind::kStar:
      return "STAR";
    case TokenKind::kSlash:
      return "SLASH";
    case TokenKind::kLess:
      return "LT";
    case TokenKind::kLessEqual:
      return "LEQ";
    case TokenKind::kEqual:
      return "EQ";
    case TokenKind::kGreaterEqual:
      return "GEQ";
    case TokenKind::kGreater:
      return "GT";
    case TokenKind::kNotEqual:
      return "NEQ";
    case TokenKind::kAnd:
      return "AND";
    default:
      return "OR";
  }
}

std::string_view FunctionName(TokenKind word) {
  switch (word) {
    case TokenKind::kAvg:
      return "avg(";
    case TokenKind::kCount:
      return "count(";
    case TokenKind::kMax:
      return "max(";
    case TokenKind::kMin:
      return "min(";
    case TokenKind::kSum:
      return "sum(";
    case TokenKind::kAnon:
      return "anon(";
    case TokenKind::kDelta:
      return "delta(";
    case TokenKind::kRate:
      return "rate(";
    case TokenKind::kInstant:
      return "instant(";
    default:
      return "scalar(";
  }
}

constexpr std::string_view kArithmetic = "Arithmetic expression";
constexpr std::string_view kBoolean = "Boolean expression";

}  // namespace

std::string SyntaxMessage::Text() const {
  std::string text(what);
  if (!behind.empty()) text.append(" expected to follow ").append(behind);
  return text;
}

int Level(TokenKind binary) {
  switch (binary) {
    case TokenKind::kQuestion:
    case TokenKind::kColon:
      return 1;
    case TokenKind::kAnd:
    case TokenKind::kOr:
      return 2;
    case TokenKind::kLess:
    case TokenKind::kLessEqual:
    case TokenKind::kEqual:
    case TokenKind::kGreaterEqual:
    case TokenKind::kGreater:
    case TokenKind::kNotEqual:
      return 4;
    case TokenKind::kPlus:
    case TokenKind::kMinus:
      return 5;
    case TokenKind::kStar:
    case TokenKind::kSlash:
      return 6;
    default:
      return 0;
  }
}

int PrefixLevel(TokenKind prefix) { return prefix == TokenKind::kNot ? 3 : 5; }

NodeKind BinaryKind(TokenKind binary) {
  switch (binary) {
    case TokenKind::kPlus:
      return NodeKind::kAdd;
    case TokenKind::kMinus:
      return NodeKind::kSubtract;
    case TokenKind::kStar:
      return NodeKind::kMultiply;
    case TokenKind::kSlash:
      return NodeKind::kDivide;
    case TokenKind::kLess:
      return NodeKind::kLess;
    case TokenKind::kLessEqual:
      return NodeKind::kLessEqual;
    case TokenKind::kEqual:
      return NodeKind::kEqual;
    case TokenKind::kGreaterEqual:
      return NodeKind::kGreaterEqual;
    case TokenKind::kGreater:
      return NodeKind::kGreater;
    case TokenKind::kNotEqual:
      return NodeKind::kNotEqual;
    case TokenKind::kAnd:
      return NodeKind::kAnd;
    default:
      return NodeKind::kOr;
  }
}

NodeKind FunctionKind(TokenKind word) {
  switch (word) {
    case TokenKind::kAvg:
      return NodeKind::kAverage;
    case TokenKind::kCount:
      return NodeKind::kCount;
    case TokenKind::kMax:
      return NodeKind::kMaximum;
    case TokenKind::kMin:
      return NodeKind::kMinimum;
    case TokenKind::kSum:
      return NodeKind::kSum;
    case TokenKind::kDefined:
      return NodeKind::kDefined;
    case TokenKind::kDelta:
      return NodeKind::kDelta;
    case TokenKind::kRate:
      return NodeKind::kRate;
    case TokenKind::kInstant:
      return NodeKind::kInstant;
    default:
      return NodeKind::kScalar;
  }
}

SyntaxMessage MetricExpected(TokenKind word) {
  if (word == TokenKind::kDefined) return {};  // DER-647
  return {"Metric name", FunctionName(word), "DER-638"_clause};
}

SyntaxMessage MessageInside(const Frame& frame) {
  switch (frame.kind) {
    case FrameKind::kTop:
    case FrameKind::kGroup:
      return {};
    case FrameKind::kInitialGroup:
      return {"Unexpected initial '('", {}, "DER-644"_clause};
    case FrameKind::kFunction:
      if (frame.token == TokenKind::kInstant) return MetricExpected(frame.token);
      return {"<expr>", FunctionName(frame.token), "DER-639"_clause};
    case FrameKind::kRescale:
      return {"Arithmetic or relational or boolean operator", "rescale(", "DER-640"_clause};
    case FrameKind::kMatch:
      return {"<expr>)", "matchinst(<filter>,", "DER-641"_clause};
    case FrameKind::kPrefix:
      if (frame.token == TokenKind::kNot) return {kBoolean, "NOT", "DER-633"_clause};
      return {kArithmetic, "NEG", "DER-632"_clause};
    case FrameKind::kBinary:
      if (Level(frame.token) == Level(TokenKind::kAnd)) {
        return {kBoolean, OperatorName(frame.token), "DER-635"_clause};
      }
      return {kArithmetic, OperatorName(frame.token), "DER-634"_clause};
    case FrameKind::kQuestion:
    case FrameKind::kColonAfterNovalue:
      return {kArithmetic, "QUEST", "DER-636"_clause};
    case FrameKind::kColon:
      return {kArithmetic, "COLON", "DER-637"_clause};
  }
  return {};
}

}  // namespace pmproof::derived

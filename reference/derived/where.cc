#include "reference/derived/where.h"

#include <string_view>

#include "reference/core/units_text.h"

namespace pmproof::derived {
namespace {

constexpr std::string_view kOther = "<expr>";

// A constant's or a metric's text, "<expr>" for anything else.
std::string Name(const Expression& expression, NodeIndex node) {
  const NodeKind kind = expression.nodes()[node].kind;
  if (IsConstantKind(kind) || kind == NodeKind::kMetric) return std::string(expression.Text(node));
  return std::string(kOther);
}

// As PCP prints units, not as they were written.
std::string TargetText(Units units, PcpVersion version) {
  const std::string text = UnitsText(units, version);
  return text.empty() ? "none" : text;
}

std::string_view OperatorText(NodeKind kind) {
  switch (kind) {
    case NodeKind::kAdd:
      return " + ";
    case NodeKind::kSubtract:
      return " - ";
    case NodeKind::kMultiply:
      return " * ";
    case NodeKind::kDivide:
      return " / ";
    case NodeKind::kLess:
      return " < ";
    case NodeKind::kLessEqual:
      return " <= ";
    case NodeKind::kEqual:
      return " == ";
    case NodeKind::kGreaterEqual:
      return " >= ";
    case NodeKind::kGreater:
      return " > ";
    case NodeKind::kNotEqual:
      return " != ";
    case NodeKind::kAnd:
      return " && ";
    default:
      return " || ";
  }
}

std::string_view FunctionText(NodeKind kind) {
  switch (kind) {
    case NodeKind::kAverage:
      return "AVG";
    case NodeKind::kCount:
      return "COUNT";
    case NodeKind::kMaximum:
      return "MAX";
    case NodeKind::kMinimum:
      return "MIN";
    case NodeKind::kSum:
      return "SUM";
    case NodeKind::kDelta:
      return "DELTA";
    case NodeKind::kRate:
      return "RATE";
    case NodeKind::kInstant:
      return "INSTANT";
    default:
      return "SCALAR";
  }
}

}  // namespace

std::string WhereUnary(const Expression& expression, NodeIndex node, PcpVersion version) {
  const std::string operand = Name(expression, Expression::Right(node));
  const NodeKind kind = expression.nodes()[node].kind;
  switch (kind) {
    case NodeKind::kNegate:
      return "- " + operand;
    case NodeKind::kNot:
      return "! " + operand;
    case NodeKind::kRescale:
      return operand + " RESCALE " +
             TargetText(*expression.parameters(expression.nodes()[node]).units, version);
    case NodeKind::kInstance:
    case NodeKind::kMatch:
      return "FILTERINST " + operand;
    default:
      return std::string(FunctionText(kind)) + "(" + (operand == kOther ? "(null)" : operand) + ")";
  }
}

std::string WhereBinary(const Expression& expression, NodeIndex node) {
  return Name(expression, expression.Left(node)) +
         std::string(OperatorText(expression.nodes()[node].kind)) +
         Name(expression, Expression::Right(node));
}

std::string WhereTernary(const Expression& expression, NodeIndex node, bool guard) {
  std::string text;
  if (guard) text = Name(expression, expression.Guard(node)) + " ? ";
  return text + Name(expression, expression.Left(node)) + " : " +
         Name(expression, Expression::Right(node));
}

}  // namespace pmproof::derived

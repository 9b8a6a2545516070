#include "reference/derived/testing/describe.h"

#include <vector>

#include "reference/core/units.h"

namespace pmproof::derived {
namespace {

const char* Word(NodeKind kind) {
  switch (kind) {
    case NodeKind::kConstant:
      return "mkconst";
    case NodeKind::kNoValue:
      return "novalue";
    case NodeKind::kAnonymous:
      return "anon";
    case NodeKind::kDefined:
      return "defined";
    case NodeKind::kAverage:
      return "avg";
    case NodeKind::kCount:
      return "count";
    case NodeKind::kMaximum:
      return "max";
    case NodeKind::kMinimum:
      return "min";
    case NodeKind::kSum:
      return "sum";
    case NodeKind::kDelta:
      return "delta";
    case NodeKind::kRate:
      return "rate";
    case NodeKind::kInstant:
      return "instant";
    case NodeKind::kScalar:
      return "scalar";
    case NodeKind::kRescale:
      return "rescale";
    case NodeKind::kInstance:
      return "instance";
    case NodeKind::kMatch:
      return "match";
    case NodeKind::kNegate:
      return "neg";
    case NodeKind::kNot:
      return "!";
    case NodeKind::kAdd:
      return "+";
    case NodeKind::kSubtract:
      return "-";
    case NodeKind::kMultiply:
      return "*";
    case NodeKind::kDivide:
      return "/";
    case NodeKind::kLess:
      return "<";
    case NodeKind::kLessEqual:
      return "<=";
    case NodeKind::kEqual:
      return "==";
    case NodeKind::kGreaterEqual:
      return ">=";
    case NodeKind::kGreater:
      return ">";
    case NodeKind::kNotEqual:
      return "!=";
    case NodeKind::kAnd:
      return "&&";
    case NodeKind::kOr:
      return "||";
    case NodeKind::kTernary:
      return "?:";
    default:
      return "";
  }
}

std::string DescribeParameters(const Parameters& parameters) {
  std::string text;
  if (parameters.type) text += " type=" + ToText(*parameters.type);
  if (parameters.semantics) text += " semantics=" + ToText(*parameters.semantics);
  if (parameters.units) text += " units=" + ToText(*parameters.units);
  if (parameters.indom) text += " indom=" + ToText(*parameters.indom);
  if (!parameters.meta.empty()) text += " meta=" + parameters.meta;
  return text;
}

}  // namespace

std::string Describe(const Expression& expression) {
  std::vector<std::string> operands;
  for (const Node& node : expression.nodes()) {
    const std::string own(expression.Text(node));
    const std::string parameters = DescribeParameters(expression.parameters(node));
    const std::string word = Word(node.kind);
    if (word.empty()) {
      operands.push_back(own);
      continue;
    }
    std::string text = "(" + word;
    if (node.inverted) text += "!";
    if (!own.empty() && node.kind != NodeKind::kNoValue) text += " " + own;
    text += parameters;
    const int count = IsLeafKind(node.kind)             ? 0
                      : node.kind == NodeKind::kTernary ? 3
                      : IsBinaryKind(node.kind)         ? 2
                                                        : 1;
    for (auto operand = operands.end() - count; operand != operands.end(); ++operand) {
      text += " " + *operand;
    }
    operands.erase(operands.end() - count, operands.end());
    operands.push_back(text + ")");
  }
  return operands.back();
}

}  // namespace pmproof::derived

// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/testing/describe.h"

#include <vector>

#include "reference/core/units.h"
#include "reference/derived/functions.h"
#include "reference/derived/operators.h"

namespace pmproof::derived {
namespace {

std::string_view Word(const Node& node) {
  if (node.function != Node::kNoFunction && node.kind != NodeKind::kMatch) {
    return FunctionOf(node).name;
  }
  if (const BinaryOperator* const binary = FindOperator(node.kind)) return binary->text;
  if (node.kind == NodeKind::kInstance) return "instance";
  if (node.kind == NodeKind::kMatch) return "match";
  if (node.kind == NodeKind::kNegate) return "neg";
  if (node.kind == NodeKind::kNot) return "!";
  if (node.kind == NodeKind::kTernary) return "?:";
  return {};
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
    const std::string word(Word(node));
    if (word.empty()) {
      operands.push_back(own);
      continue;
    }
    std::string text = "(" + word;
    if (node.inverted) text += "!";
    if (!own.empty() && node.kind != NodeKind::kNoValue) text += " " + own;
    text += parameters;
    const int count = OperandCount(node.kind);
    for (auto operand = operands.end() - count; operand != operands.end(); ++operand) {
      text += " " + *operand;
    }
    operands.erase(operands.end() - count, operands.end());
    operands.push_back(text + ")");
  }
  return operands.back();
}

}  // namespace pmproof::derived

// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/where.h"

#include <string_view>

#include "reference/core/units_text.h"
#include "reference/derived/functions.h"
#include "reference/derived/operators.h"

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

std::string UpperCase(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(c - 'a' + 'A');
  return text;
}

}  // namespace

std::string WhereUnary(const Expression& expression, NodeIndex node, PcpVersion version) {
  const std::string operand = Name(expression, Expression::Right(node));
  const Node& root = expression.nodes()[node];
  if (root.kind == NodeKind::kNegate) return "- " + operand;
  if (root.kind == NodeKind::kNot) return "! " + operand;
  if (root.kind == NodeKind::kRescale) {
    return operand + " RESCALE " + TargetText(*expression.parameters(root).units, version);
  }
  if (root.kind != NodeKind::kFunction) return "FILTERINST " + operand;
  return UpperCase(FunctionOf(root).name) + "(" + (operand == kOther ? "(null)" : operand) + ")";
}

std::string WhereBinary(const Expression& expression, NodeIndex node) {
  const BinaryOperator& word = *FindOperator(expression.nodes()[node].kind);
  return Name(expression, expression.Left(node)) + " " + std::string(word.text) + " " +
         Name(expression, Expression::Right(node));
}

std::string WhereTernary(const Expression& expression, NodeIndex node, bool guard) {
  std::string text;
  if (guard) text = Name(expression, expression.Guard(node)) + " ? ";
  return text + Name(expression, expression.Left(node)) + " : " +
         Name(expression, Expression::Right(node));
}

}  // namespace pmproof::derived

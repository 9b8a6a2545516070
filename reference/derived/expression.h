// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_EXPRESSION_H_
#define PMPROOF_REFERENCE_DERIVED_EXPRESSION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/metric.h"

// The syntax tree of a derived metric (DER section 6), as a vector of nodes in post-order: operands
// stand before what is applied to them, the left before the right, and a subtree is a contiguous
// range that ends with its root. So a walk is a loop, and no depth is too deep.

namespace pmproof::derived {

using NodeIndex = std::uint32_t;

enum class NodeKind : std::uint8_t {
  // Without operands.
  kInteger,    // text: digits
  kDouble,     // text: digits and one "."
  kConstant,   // mkconst(): text: the number; parameters()
  kNoValue,    // novalue(): parameters()
  kMetric,     // text: the name
  kAnonymous,  // anon(): text: PM_TYPE_...; parameters().type
  // One operand, which is a kMetric.
  kDefined,
  // One operand.
  kFunction,  // a row of kFunctions (functions.h) that has no kind of its own
  kRescale,   // text: the units as written; parameters().units
  kInstance,  // x[inst]: text: the name, unescaped
  kMatch,     // matchinst(): text: the pattern, unescaped; inverted
  kNegate,
  kNot,
  // Two operands.
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kLess,
  kLessEqual,
  kEqual,
  kGreaterEqual,
  kGreater,
  kNotEqual,
  kAnd,
  kOr,
  // Three operands: guard, first, second.
  kTernary,
};

constexpr bool IsConstantKind(NodeKind kind) { return kind <= NodeKind::kConstant; }
constexpr bool IsLeafKind(NodeKind kind) { return kind <= NodeKind::kAnonymous; }
constexpr bool IsArithmeticKind(NodeKind kind) {
  return kind >= NodeKind::kAdd && kind <= NodeKind::kDivide;
}
constexpr bool IsRelationalKind(NodeKind kind) {
  return kind >= NodeKind::kLess && kind <= NodeKind::kNotEqual;
}
constexpr bool IsBooleanKind(NodeKind kind) {
  return kind == NodeKind::kAnd || kind == NodeKind::kOr;
}
constexpr bool IsBinaryKind(NodeKind kind) {
  return kind >= NodeKind::kAdd && kind <= NodeKind::kOr;
}
constexpr int OperandCount(NodeKind kind) {
  if (IsLeafKind(kind)) return 0;
  return kind == NodeKind::kTernary ? 3 : IsBinaryKind(kind) ? 2 : 1;
}

// What mkconst() and novalue() were given (DER-607, 608), rescale()'s units and anon()'s type.
struct Parameters {
  std::optional<MetricType> type{};
  std::optional<Semantics> semantics{};
  std::optional<Units> units{};
  std::optional<Indom> indom{};
  std::string meta{};  // empty: none
};

// In the characters of an expression.
struct TextRange {
  std::uint32_t begin = 0;
  std::uint32_t length = 0;
};

struct Node {
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::uint8_t kNoFunction = 0xff;

  NodeKind kind = NodeKind::kInteger;
  std::uint8_t function = kNoFunction;  // in kFunctions, of all that is written as a function
  bool inverted = false;                // matchinst(!/.../, x)
  std::uint32_t size = 1;               // of the subtree, in nodes
  TextRange text{};
  std::uint32_t parameters = kNone;  // kNone: none
};

// A value. Built by Parse (parse.h); node n's operands have smaller indices.
class Expression {
 public:
  const std::vector<Node>& nodes() const { return nodes_; }
  NodeIndex root() const { return static_cast<NodeIndex>(nodes_.size() - 1); }

  // The text that was parsed.
  std::string_view source() const { return std::string_view(characters_).substr(0, source_size_); }
  // A name, number, pattern ... of a node; empty where the kind has none. Holds as long as this.
  std::string_view Text(const Node& node) const {
    return std::string_view(characters_).substr(node.text.begin, node.text.length);
  }
  std::string_view Text(NodeIndex node) const { return Text(nodes_[node]); }
  // All empty if the node has none.
  const Parameters& parameters(const Node& node) const;

  // The first node of the subtree, in evaluation order.
  NodeIndex Begin(NodeIndex node) const { return node + 1 - nodes_[node].size; }

  // Roots of the operands. Right is the last (or only) one, Left the one before, Guard that of a
  // ternary.
  static NodeIndex Right(NodeIndex node) { return node - 1; }
  NodeIndex Left(NodeIndex node) const { return Before(node - 1); }
  NodeIndex Guard(NodeIndex node) const { return Before(Left(node)); }

  // One of its subtrees as an expression; source() stays that of the whole.
  Expression Subtree(NodeIndex root) const;

 private:
  friend class ExpressionBuilder;
  NodeIndex Before(NodeIndex node) const { return node - nodes_[node].size; }

  std::vector<Node> nodes_;
  std::vector<Parameters> parameters_;
  std::string characters_;  // the source, then names that are written with escapes
  std::size_t source_size_ = 0;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_EXPRESSION_H_

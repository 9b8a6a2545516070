// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_EXPRESSION_BUILDER_H_
#define PMPROOF_REFERENCE_DERIVED_EXPRESSION_BUILDER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "reference/derived/expression.h"
#include "reference/derived/lexer.h"

namespace pmproof::derived {

// Appends the nodes of an expression in post-order.
class ExpressionBuilder {
 public:
  ExpressionBuilder(std::string_view source, std::size_t limit) : source_(source), limit_(limit) {
    expression_.characters_ = source;
    expression_.source_size_ = source.size();
    // Few texts have more; those grow.
    expression_.nodes_.reserve(std::min<std::size_t>(source.size() / 4 + 4, 1024));
  }

  // Where the token's text will be found.
  TextRange Keep(const Token& token) {
    if (!token.escaped) {
      return {static_cast<std::uint32_t>(token.text.data() - source_.data()),
              static_cast<std::uint32_t>(token.text.size())};
    }
    const std::string unescaped = Unescaped(token.text);
    const auto begin = static_cast<std::uint32_t>(expression_.characters_.size());
    expression_.characters_ += unescaped;
    return {begin, static_cast<std::uint32_t>(unescaped.size())};
  }

  // `function`: of what is written as a function, here and below.
  void Leaf(NodeKind kind, const Token& token, std::uint8_t function = Node::kNoFunction) {
    if (IsFull()) return;
    expression_.nodes_.push_back({.kind = kind, .function = function, .text = Keep(token)});
  }
  // Applies to the last one, two or three subtrees. Not called with fewer unless IsFull().
  void Apply(NodeKind kind, std::uint8_t function = Node::kNoFunction, TextRange text = {},
             bool inverted = false) {
    if (IsFull()) return;
    Node node{.kind = kind, .function = function, .inverted = inverted, .text = text};
    const std::size_t count = expression_.nodes_.size();
    for (int i = 0; i < OperandCount(kind); ++i)
      node.size += expression_.nodes_[count - node.size].size;
    expression_.nodes_.push_back(node);
  }

  // Of the last node.
  void SetParameters(Parameters parameters) {
    expression_.nodes_.back().parameters =
        static_cast<std::uint32_t>(expression_.parameters_.size());
    expression_.parameters_.push_back(std::move(parameters));
  }

  // There are more nodes than may be; what is added now is left out.
  bool IsFull() const { return expression_.nodes_.size() > limit_; }

  Expression Take() { return std::move(expression_); }

 private:
  std::string_view source_;
  std::size_t limit_;
  Expression expression_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_EXPRESSION_BUILDER_H_

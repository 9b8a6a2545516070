// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/expression.h"

namespace pmproof::derived {

const Parameters& Expression::parameters(const Node& node) const {
  static const Parameters kNothing;
  return node.parameters == Node::kNone ? kNothing : parameters_[node.parameters];
}

Expression Expression::Subtree(NodeIndex root) const {
  Expression part;
  part.nodes_.assign(nodes_.begin() + Begin(root), nodes_.begin() + root + 1);
  part.parameters_ = parameters_;
  part.characters_ = characters_;
  part.source_size_ = source_size_;
  return part;
}

}  // namespace pmproof::derived

#include "reference/derived/expression.h"

namespace pmproof::derived {

const Parameters& Expression::parameters(const Node& node) const {
  static const Parameters kNothing;
  return node.parameters == Node::kNone ? kNothing : parameters_[node.parameters];
}

}  // namespace pmproof::derived

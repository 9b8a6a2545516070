// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_STATIC_SEMANTICS_H_
#define PMPROOF_REFERENCE_DERIVED_STATIC_SEMANTICS_H_

#include "reference/core/metric.h"
#include "reference/derived/bind.h"
#include "reference/derived/dialect.h"
#include "reference/derived/expression.h"
#include "reference/derived/functions.h"

// What one node makes of the descriptors of its operands (DER section 8).

namespace pmproof::derived {

// DER-803..814, 817: the kinds with one operand, kDefined apart. `units` are rescale()'s.
Refusal ApplyUnary(const Node& node, const Descriptor& operand, Units units, const Dialect& dialect,
                   Descriptor* result);

struct BinaryOperands {
  Descriptor left;
  Descriptor right;
  bool left_is_constant = false;   // DER-841
  bool equivalent_indoms = false;  // DER-832: asked for only where they differ
};

// DER-821..854. Without need of scaling both are 1 by 1.
Refusal ApplyBinary(NodeKind kind, const BinaryOperands& operands, const Dialect& dialect,
                    Descriptor* result, BinaryScaling* scaling);

struct TernaryOperands {
  Descriptor guard;
  Descriptor first;
  Descriptor second;
  bool first_is_novalue = false;
  bool second_is_novalue = false;
  BoundNode::Branches in_play = BoundNode::Branches::kBoth;
};

// DER-861..878.
Refusal ApplyTernary(const TernaryOperands& operands, const Dialect& dialect, Descriptor* result);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_STATIC_SEMANTICS_H_

// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/bind.h"

#include <algorithm>
#include <utility>

#include "reference/derived/name_table.h"
#include "reference/derived/static_semantics.h"
#include "reference/derived/where.h"

namespace pmproof::derived {
namespace {

// DER-704, and the branch of a ternary that nothing was made of (DER-877).
constexpr Descriptor kUnknown{Pmid::Null(), MetricType::k32, Indom{0}, Semantics{0}, Units{0}};
// DER-610.
constexpr Descriptor Constant(MetricType type) {
  return {Pmid::Null(), type, Indom::Null(), Semantics::kDiscrete, Units{}};
}

bool HasFraction(std::string_view number) { return number.find('.') != std::string_view::npos; }

bool IsNotZero(std::string_view integer) {
  return integer.find_first_not_of('0') != std::string_view::npos;
}

}  // namespace

// Two walks, as PCP's: the first finds the leaves' metrics, the second checks from the leaves to
// the root. What is in error first there decides.
class Binder {
 public:
  Binder(std::shared_ptr<const Expression> expression, const Dialect& dialect,
         const OperandSource& source, const BindRequest& request)
      : dialect_(dialect), source_(source), request_(request), names_(source) {
    bound_.expression_ = std::move(expression);
    bound_.nodes_.resize(tree().nodes().size(), BoundNode{.descriptor = kUnknown});
  }

  tl::expected<BoundExpression, BindError> Run() {
    FindTernaries();
    if (FindLeaves() && Check()) return std::move(bound_);
    return tl::unexpected(std::move(error_));
  }

 private:
  using Branches = BoundNode::Branches;

  const Expression& tree() const { return *bound_.expression_; }
  const Node& node(NodeIndex i) const { return tree().nodes()[i]; }
  BoundNode& bound(NodeIndex i) { return bound_.nodes_[i]; }
  const Descriptor& descriptor(NodeIndex i) const { return bound_.nodes_[i].descriptor; }
  NodeIndex size() const { return static_cast<NodeIndex>(tree().nodes().size()); }

  bool Fail(NodeIndex i, std::string where, const Refusal& refusal) {
    error_ = {std::move(where), std::string(refusal.message), refusal.clause, i};
    return false;
  }
  bool FailOperand(NodeIndex i, std::string_view name, const Refusal& refusal) {
    return Fail(i, "operand " + std::string(name), refusal);
  }

  // Which nodes are below a ternary, where looking up is lazy (DER-704), and which are a guard.
  void FindTernaries() {
    NodeIndex begin = size();
    for (NodeIndex i = size(); i-- > 0;) {
      if (node(i).kind != NodeKind::kTernary) continue;
      if (ternary_of_guard_.empty()) {
        ternary_of_guard_.resize(size(), BoundNode::kNone);
        next_.resize(size(), BoundNode::kNone);
        lazy_.resize(size());
      }
      ternary_of_guard_[tree().Guard(i)] = i;
      if (i < begin) {
        begin = tree().Begin(i);
        if (dialect_.lazy_binding) std::fill(lazy_.begin() + begin, lazy_.begin() + i, true);
      }
    }
  }
  bool IsLazy(NodeIndex i) const { return !lazy_.empty() && lazy_[i]; }

  // First walk.

  bool FindLeaves() {
    for (NodeIndex i = 0; i < size(); ++i) {
      switch (node(i).kind) {
        case NodeKind::kInteger:
          bound(i).descriptor = Constant(MetricType::kU32);
          break;
        case NodeKind::kDouble:
          bound(i).descriptor = Constant(MetricType::kDouble);
          break;
        case NodeKind::kConstant:
        case NodeKind::kNoValue:
          if (!FindConstant(i)) return false;
          break;
        case NodeKind::kMetric:
          if (!FindMetric(i)) return false;
          break;
        case NodeKind::kAnonymous:
        case NodeKind::kDefined:
        case NodeKind::kFunction:
        case NodeKind::kRescale:
        case NodeKind::kInstance:
        case NodeKind::kMatch:
        case NodeKind::kNegate:
        case NodeKind::kNot:
        case NodeKind::kAdd:
        case NodeKind::kSubtract:
        case NodeKind::kMultiply:
        case NodeKind::kDivide:
        case NodeKind::kLess:
        case NodeKind::kLessEqual:
        case NodeKind::kEqual:
        case NodeKind::kGreaterEqual:
        case NodeKind::kGreater:
        case NodeKind::kNotEqual:
        case NodeKind::kAnd:
        case NodeKind::kOr:
        case NodeKind::kTernary:
          break;
      }
    }
    return true;
  }

  bool FindConstant(NodeIndex i) {
    const Parameters& parameters = tree().parameters(node(i));
    Descriptor& result = bound(i).descriptor;
    result = Constant(node(i).kind == NodeKind::kNoValue ? MetricType::k32
                      : HasFraction(tree().Text(i))      ? MetricType::kDouble
                                                         : MetricType::kU32);
    if (!parameters.meta.empty()) {
      const OperandAnswer& answer = names_.Find(parameters.meta).answer;
      if (answer.kind == OperandAnswer::Kind::kMissing) {
        if (!IsLazy(i)) return FailUnknown(i, parameters.meta);
        MarkMissing(i);
        if (!request_.per_context) result = kUnknown;
      } else if (answer.kind == OperandAnswer::Kind::kNoMetadata) {
        return FailMetadata(i, parameters.meta);
      } else if (answer.kind == OperandAnswer::Kind::kCircular) {
        return FailNested(i, parameters.meta);
      } else if (!request_.per_context) {  // DER-708
        result = answer.descriptor;
        result.pmid = Pmid::Null();
      }
    }
    if (parameters.type) result.type = *parameters.type;
    if (parameters.semantics) result.semantics = *parameters.semantics;
    if (parameters.units) result.units = *parameters.units;
    if (parameters.indom) result.indom = *parameters.indom;
    return true;
  }

  bool FindMetric(NodeIndex i) {
    const std::string_view name = tree().Text(i);
    const bool below_defined = i + 1 < size() && node(i + 1).kind == NodeKind::kDefined;
    NameTable::Entry& entry = names_.Find(name);
    const OperandAnswer& answer = entry.answer;
    if (name == request_.name && answer.kind != OperandAnswer::Kind::kMetric) {
      return FailNested(i, name);  // DER-213
    }
    switch (answer.kind) {
      case OperandAnswer::Kind::kMissing:
        return FindMissing(i, name, below_defined);
      case OperandAnswer::Kind::kNoMetadata:
        return FailMetadata(i, name);
      case OperandAnswer::Kind::kCircular:
        return FailNested(i, name);
      case OperandAnswer::Kind::kDerived:
        if (dialect_.seed_semantics || (dialect_.lazy_binding && size() > 1)) {
          return FailNested(i, name);
        }
        bound_.alias_ = size() == 1;
        [[fallthrough]];
      case OperandAnswer::Kind::kMetric:
        if (!below_defined) bound(i).index = OperandOf(&entry, name);
        break;
    }
    bound(i).descriptor = answer.descriptor;
    bound(i).known = below_defined ? 1 : -1;
    return true;
  }

  bool FindMissing(NodeIndex i, std::string_view name, bool below_defined) {
    if (below_defined) {
      bound(i).known = 0;
    } else if (request_.missing_is_novalue && dialect_.controls) {
      bound(i).novalue = true;
      bound(i).descriptor = Constant(MetricType::k32);
    } else if (IsLazy(i)) {
      MarkMissing(i);
    } else {
      return FailUnknown(i, name);
    }
    return true;
  }

  std::uint32_t OperandOf(NameTable::Entry* entry, std::string_view name) {
    if (entry->operand == BoundNode::kNone) {
      entry->operand = static_cast<std::uint32_t>(bound_.operands_.size());
      bound_.operands_.push_back({name, entry->answer.descriptor});
    }
    return entry->operand;
  }

  bool FailUnknown(NodeIndex i, std::string_view name) {
    return FailOperand(i, name, {"Unknown operand metric", "DER-701"_clause});
  }
  bool FailMetadata(NodeIndex i, std::string_view name) {
    return FailOperand(i, name, {"Metadata for operand metric not available", "DER-703"_clause});
  }
  bool FailNested(NodeIndex i, std::string_view name) {
    return FailOperand(i, name, {"Illegal nested derived metric", "DER-702"_clause});
  }

  void MarkMissing(NodeIndex i) {
    if (missing_.empty()) missing_.resize(size());
    missing_[i] = true;
  }

  // Second walk.

  bool Check() {
    for (NodeIndex i = 0; i < size();) {
      if (!CheckNode(i)) return false;
      if (ternary_of_guard_.empty()) {
        ++i;
        continue;
      }
      if (ternary_of_guard_[i] != BoundNode::kNone) ChooseBranch(ternary_of_guard_[i], i);
      i = next_[i] == BoundNode::kNone ? i + 1 : next_[i];
    }
    return true;
  }

  // DER-706.
  void ChooseBranch(NodeIndex ternary, NodeIndex guard) {
    const std::int8_t known = bound(guard).known;
    if (known < 0 || !dialect_.lazy_binding) return;
    const NodeIndex first = tree().Left(ternary);
    const auto leave_out = [&](NodeIndex begin, NodeIndex end) {
      for (NodeIndex i = begin; i < end; ++i) bound(i).bound = false;
    };
    if (known == 1) {
      bound(ternary).in_play = Branches::kFirst;
      leave_out(first + 1, ternary);
      next_[first] = ternary;
    } else {
      bound(ternary).in_play = Branches::kSecond;
      leave_out(guard + 1, first + 1);
      next_[guard] = first + 1;
    }
  }

  bool CheckNode(NodeIndex i) {
    switch (node(i).kind) {
      case NodeKind::kInteger:
        bound(i).known = IsNotZero(tree().Text(i)) ? 1 : 0;
        return true;
      case NodeKind::kConstant:
        if (!HasFraction(tree().Text(i))) bound(i).known = IsNotZero(tree().Text(i)) ? 1 : 0;
        return true;
      case NodeKind::kDouble:
      case NodeKind::kNoValue:
      case NodeKind::kMetric:
        return true;
      case NodeKind::kAnonymous:  // DER-815
        bound(i).descriptor = Constant(*tree().parameters(node(i)).type);
        return true;
      case NodeKind::kDefined:  // DER-705, 816
        bound(i).descriptor = Constant(MetricType::kU32);
        bound(i).known = bound(i - 1).known;
        return true;
      case NodeKind::kFunction:
      case NodeKind::kRescale:
      case NodeKind::kInstance:
      case NodeKind::kMatch:
      case NodeKind::kNegate:
      case NodeKind::kNot:
        return CheckUnary(i);
      case NodeKind::kAdd:
      case NodeKind::kSubtract:
      case NodeKind::kMultiply:
      case NodeKind::kDivide:
      case NodeKind::kLess:
      case NodeKind::kLessEqual:
      case NodeKind::kEqual:
      case NodeKind::kGreaterEqual:
      case NodeKind::kGreater:
      case NodeKind::kNotEqual:
      case NodeKind::kAnd:
      case NodeKind::kOr:
        return CheckBinary(i);
      case NodeKind::kTernary:
        return CheckTernary(i);
    }
    return true;
  }

  bool CheckUnary(NodeIndex i) {
    const NodeIndex x = Expression::Right(i);
    const Units units = tree().parameters(node(i)).units.value_or(Units{});
    const Refusal refusal =
        ApplyUnary(node(i), descriptor(x), units, dialect_, &bound(i).descriptor);
    if (refusal) return Fail(i, WhereUnary(tree(), i, dialect_.version), refusal);
    if (node(i).kind == NodeKind::kNot && bound(x).known >= 0) {
      bound(i).known = bound(x).known == 0 ? 1 : 0;
    }
    if (!missing_.empty()) missing_[i] = missing_[x];
    return true;
  }

  bool CheckBinary(NodeIndex i) {
    const NodeKind kind = node(i).kind;
    const NodeIndex right = Expression::Right(i);
    const NodeIndex left = tree().Left(i);
    BinaryOperands operands{descriptor(left), descriptor(right)};
    operands.left_is_constant = IsConstantKind(node(left).kind);
    if (dialect_.equivalent_indoms && operands.left.indom != operands.right.indom &&
        !operands.left.indom.IsNull() && !operands.right.indom.IsNull()) {
      operands.equivalent_indoms = source_.Equivalent(operands.left.indom, operands.right.indom);
    }
    BinaryScaling scaling;
    const Refusal refusal = ApplyBinary(kind, operands, dialect_, &bound(i).descriptor, &scaling);
    if (refusal) return Fail(i, WhereBinary(tree(), i), refusal);
    if (scaling.left != Scaling{} || scaling.right != Scaling{}) {
      bound(i).index = static_cast<std::uint32_t>(bound_.scalings_.size());
      bound_.scalings_.push_back(scaling);
    }
    if (IsBooleanKind(kind)) bound(i).known = KnownOf(kind, bound(left).known, bound(right).known);
    if (!missing_.empty()) missing_[i] = missing_[left] || missing_[right];
    return true;
  }

  // DER-706: the left part decides, or the right part has to be known too.
  static std::int8_t KnownOf(NodeKind kind, std::int8_t left, std::int8_t right) {
    const std::int8_t decisive = kind == NodeKind::kOr ? 1 : 0;
    return left < 0 || left == decisive ? left : right;
  }

  bool CheckTernary(NodeIndex i) {
    const NodeIndex second = Expression::Right(i);
    const NodeIndex first = tree().Left(i);
    const NodeIndex guard = tree().Guard(i);
    const Branches in_play = bound(i).in_play;
    if (!missing_.empty()) {
      if (in_play != Branches::kSecond && missing_[first]) return FailMissing(first);
      if (in_play != Branches::kFirst && missing_[second]) return FailMissing(second);
      missing_[i] = missing_[guard];
    }
    const auto is_novalue = [&](NodeIndex branch) {
      return node(branch).kind == NodeKind::kNoValue || bound(branch).novalue;
    };
    const TernaryOperands operands{descriptor(guard), descriptor(first),  descriptor(second),
                                   is_novalue(first), is_novalue(second), in_play};
    const Refusal refusal = ApplyTernary(operands, dialect_, &bound(i).descriptor);
    if (!refusal) return true;
    const bool of_guard = refusal.clause == "DER-875"_clause || refusal.clause == "DER-876"_clause;
    return Fail(i, WhereTernary(tree(), i, of_guard), refusal);
  }

  // DER-707: the first metric in the branch that is missing.
  bool FailMissing(NodeIndex branch) {
    NodeIndex leaf = tree().Begin(branch);
    while (!missing_[leaf] || !bound(leaf).bound || !IsLeafKind(node(leaf).kind)) ++leaf;
    const bool metric = node(leaf).kind == NodeKind::kMetric;
    return FailOperand(leaf, metric ? tree().Text(leaf) : tree().parameters(node(leaf)).meta,
                       {"Unknown metric for ternary expression", "DER-707"_clause});
  }

  const Dialect& dialect_;
  const OperandSource& source_;
  const BindRequest& request_;
  NameTable names_;
  BoundExpression bound_;
  BindError error_;
  // Empty where there is no ternary.
  std::vector<NodeIndex> ternary_of_guard_;
  std::vector<NodeIndex> next_;  // after a node, where a branch is left out
  std::vector<bool> lazy_;
  // Empty where nothing is missing: whether a node that is bound has a missing metric in it.
  std::vector<bool> missing_;
};

tl::expected<BoundExpression, BindError> Bind(std::shared_ptr<const Expression> expression,
                                              const Dialect& dialect, const OperandSource& source,
                                              const BindRequest& request) {
  return Binder(std::move(expression), dialect, source, request).Run();
}

BoundExpression BoundExpression::Subtree(NodeIndex root) const {
  BoundExpression part;
  part.expression_ = std::make_shared<const Expression>(expression_->Subtree(root));
  part.nodes_.assign(nodes_.begin() + expression_->Begin(root), nodes_.begin() + root + 1);
  part.operands_ = operands_;  // their names are views of this one's expression
  part.scalings_ = scalings_;
  return part;
}

std::string ToText(const BindError& error, std::string_view name) {
  std::string text = "Semantic error: derived metric ";
  text.append(name).append(": ");
  if (!error.where.empty()) text.append(error.where).append(": ");
  return text.append(error.message);
}

}  // namespace pmproof::derived

#include "reference/derived/evaluate.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "reference/core/convert_scale.h"
#include "reference/derived/constant_value.h"
#include "reference/derived/evaluate_arithmetic.h"
#include "reference/derived/evaluate_ternary.h"

namespace pmproof::derived {

Evaluator::Evaluator(std::shared_ptr<const BoundExpression> expression, const Dialect& dialect)
    : expression_(std::move(expression)), dialect_(dialect) {
  const auto size = static_cast<NodeIndex>(expression_->nodes().size());
  steps_.reserve(size);
  for (NodeIndex i = 0; i < size; ++i) {
    if (bound(i).bound) AddStep(i);
  }
}

void Evaluator::AddStep(NodeIndex i) {
  const NodeKind kind = node(i).kind;
  const std::size_t memories = memories_.size();
  const std::string_view text = expression_->expression().Text(i);
  switch (kind) {
    case NodeKind::kDelta:
    case NodeKind::kRate: {
      const NodeIndex x = Expression::Right(i);
      History history(kind, descriptor(x), descriptor(i).type, dialect_);
      const NodeKind operand = node(x).kind;
      if (operand == NodeKind::kInstance || operand == NodeKind::kDefined) history.Forget();
      if (IsConstantKind(operand)) history.Share();
      memories_.emplace_back(std::move(history));
      break;
    }
    case NodeKind::kMaximum:
    case NodeKind::kMinimum:
      memories_.emplace_back(Extreme(kind == NodeKind::kMaximum, descriptor(i).type));
      break;
    case NodeKind::kInstance:
      memories_.emplace_back(InstanceFilter(text));
      break;
    case NodeKind::kMatch:
      memories_.emplace_back(MatchFilter(text, node(i).inverted));
      break;
    default:
      break;
  }
  if (memories_.size() == memories) {
    steps_.push_back({i});
  } else {
    steps_.push_back({i, static_cast<std::uint32_t>(memories)});
    memory_nodes_.push_back(i);
  }
}

const ValueSet& Evaluator::Evaluate(const FetchedOperands& operands) {
  depth_ = 0;
  for (const Step& step : steps_) {
    const ErrorCode status = Run(step, operands);
    if (status == ErrorCode::kOk) continue;
    RememberError(step.node, status, operands.time());
    result_.status = status;
    result_.pairs.clear();
    return result_;
  }
  return Finish();
}

ErrorCode Evaluator::Run(const Step& step, const FetchedOperands& operands) {
  const NodeKind kind = node(step.node).kind;
  if (IsLeafKind(kind)) return RunLeaf(step.node, operands);
  if (IsBinaryKind(kind)) {
    RunBinary(step.node);
    return ErrorCode::kOk;
  }
  if (kind == NodeKind::kTernary) {
    RunTernary(step.node);
    return ErrorCode::kOk;
  }
  return RunUnary(step, operands);
}

// DER-1104, 1116: an error below count() is not pairs.
ErrorCode Evaluator::RunLeaf(NodeIndex i, const FetchedOperands& operands) {
  if (IsConstantKind(node(i).kind)) return RunConstant(i, operands);
  const std::uint32_t index = node(i).kind == NodeKind::kMetric ? bound(i).index : BoundNode::kNone;
  Slot& slot = Push();
  if (index == BoundNode::kNone) return ErrorCode::kOk;
  const ValueSet& values = operands.Values(index);
  if (values.status == ErrorCode::kOk) {
    slot.pairs = values.pairs;
  } else if (i + 1 == expression_->nodes().size() || node(i + 1).kind != NodeKind::kCount) {
    return values.status;
  }
  return ErrorCode::kOk;
}

// DER-1111, 1112.
ErrorCode Evaluator::RunConstant(NodeIndex i, const FetchedOperands& operands) {
  const Descriptor& type = descriptor(i);
  scratch_.clear();
  if (IsNumeric(type.type)) {  // another one is meta='s [U] (DER-708)
    const Value value = ConstantValue(expression_->expression().Text(i), type.type);
    if (type.indom.IsNull()) {
      scratch_.push_back({-1, value});
    } else {
      const auto instances = operands.Instances(type.indom);
      if (!instances) return instances.error();
      for (const std::int32_t instance : *instances) scratch_.push_back({instance, value});
    }
  }
  Push();
  Replace(1);
  return ErrorCode::kOk;
}

ErrorCode Evaluator::RunUnary(const Step& step, const FetchedOperands& operands) {
  const NodeIndex i = step.node;
  const NodeIndex x = Expression::Right(i);
  const std::span<const Pair> pairs = Operand(1).pairs;
  Memory* const memory = step.memory == kNone ? nullptr : &memories_[step.memory];
  const auto only = [&](const Value& value) { scratch_.assign(1, Pair{-1, value}); };
  scratch_.clear();
  switch (node(i).kind) {
    case NodeKind::kInstant:  // DER-1142
      return ErrorCode::kOk;
    case NodeKind::kDefined:  // DER-705
      only(Value::Of(static_cast<std::uint32_t>(bound(i).known == 1)));
      break;
    case NodeKind::kCount:  // DER-1116
      only(Value::Of(static_cast<std::uint32_t>(pairs.size())));
      break;
    case NodeKind::kSum:
      only(Sum(pairs, descriptor(i).type));
      break;
    case NodeKind::kAverage:
      only(Average(pairs, descriptor(x).type));
      break;
    case NodeKind::kMaximum:
    case NodeKind::kMinimum:
      if (const auto& extreme = std::get<Extreme>(*memory).Take(pairs)) only(*extreme);
      break;
    case NodeKind::kScalar:  // DER-1120
      if (!pairs.empty()) only(pairs[0].value);
      break;
    case NodeKind::kDelta:
    case NodeKind::kRate: {
      const ErrorCode status =
          std::get<History>(*memory).Take(pairs, operands.time(), &index_, &scratch_);
      if (status != ErrorCode::kOk) return status;
      break;
    }
    case NodeKind::kInstance:
      std::get<InstanceFilter>(*memory).Take(pairs, descriptor(x).indom, operands, &scratch_);
      break;
    case NodeKind::kMatch:
      std::get<MatchFilter>(*memory).Take(pairs, descriptor(x).indom, operands, &scratch_);
      break;
    case NodeKind::kRescale:  // DER-1161
      for (const Pair& pair : pairs) {
        const auto value =
            ConvertScale(pair.value, descriptor(x).units, descriptor(i).units, dialect_.version);
        if (value) scratch_.push_back({pair.instance, *value});
      }
      break;
    case NodeKind::kNegate:
      Negate(pairs, descriptor(i).type, &scratch_);
      break;
    default:
      Not(pairs, descriptor(i).type, &scratch_);
      break;
  }
  Replace(1);
  return ErrorCode::kOk;
}

void Evaluator::RunBinary(NodeIndex i) {
  const std::uint32_t scaling = bound(i).index;
  Combine(node(i).kind, {Operand(2).pairs, descriptor(expression_->expression().Left(i))},
          {Operand(1).pairs, descriptor(Expression::Right(i))}, descriptor(i).type,
          scaling == BoundNode::kNone ? BinaryScaling{} : expression_->scalings()[scaling], &index_,
          &scratch_);
  Replace(2);
}

void Evaluator::RunTernary(NodeIndex i) {
  const Expression& tree = expression_->expression();
  if (bound(i).in_play != BoundNode::Branches::kBoth) {  // DER-1151, 1152
    const std::span<const Pair> pairs = Operand(1).pairs;
    scratch_.assign(pairs.begin(), pairs.end());
    if (Operand(2).pairs.empty()) scratch_.clear();
    return Replace(2);
  }
  const auto branch = [&](std::size_t from_top, NodeIndex root) {
    const bool novalue = node(root).kind == NodeKind::kNoValue || bound(root).novalue;
    return TernaryBranch{Operand(from_top).pairs, descriptor(root).indom.IsNull(), novalue};
  };
  Choose(Operand(3).pairs, descriptor(tree.Guard(i)).type, branch(2, tree.Left(i)),
         branch(1, Expression::Right(i)), &scratch_);
  Replace(3);
}

// DER-1132: for what is above the node in the tree.
void Evaluator::RememberError(NodeIndex at, ErrorCode error, Timestamp time) {
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    const NodeIndex whose = memory_nodes_[i];
    if (whose <= at || expression_->expression().Begin(whose) > at) continue;
    if (auto* const history = std::get_if<History>(&memories_[i])) history->TakeError(error, time);
  }
}

// DER-1105.
const ValueSet& Evaluator::Finish() {
  const std::span<const Pair> pairs = Operand(1).pairs;
  const bool singular = expression_->descriptor().indom.IsNull();
  result_.status = ErrorCode::kOk;
  result_.pairs.assign(pairs.begin(), pairs.end());
  for (Pair& pair : result_.pairs) {
    const MetricType type = pair.value.type;
    pair.value.insitu = type == MetricType::k32 || type == MetricType::kU32;
    if (singular) pair.instance = -1;
  }
  return result_;
}

Evaluator::Slot& Evaluator::Push() {
  if (depth_ == stack_.size()) stack_.emplace_back();
  Slot& slot = stack_[depth_++];
  slot.pairs = {};
  return slot;
}

void Evaluator::Replace(std::size_t operands) {
  depth_ -= operands - 1;
  Slot& slot = Operand(1);
  slot.own.swap(scratch_);
  slot.pairs = slot.own;
}

}  // namespace pmproof::derived

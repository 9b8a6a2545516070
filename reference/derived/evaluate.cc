// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/evaluate.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "reference/core/convert_scale.h"
#include "reference/derived/evaluate_arithmetic.h"
#include "reference/derived/number_type.h"

namespace pmproof::derived {
namespace {

std::uint64_t IntegerOf(std::string_view number) {
  std::uint64_t integer = 0;
  for (const char digit : number) {
    if (digit < '0' || digit > '9') break;
    integer = integer * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return integer;
}

// As strtod() in the C locale: "." is 0, what is too large is infinite, what is too small is 0.
double DoubleOf(std::string_view number) {
  double result = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), result,
                                    std::chars_format::fixed);
  if (read.ec == std::errc::result_out_of_range) {
    const bool whole = number.find_first_not_of('0') < number.find('.');
    return whole ? std::numeric_limits<double>::infinity() : 0;
  }
  return read.ec == std::errc() ? result : 0;
}

// DER-1111: the number of a constant, digits with at most one point, as a value of a numeric type.
Value ConstantValue(std::string_view number, MetricType type) {
  switch (type) {
    case MetricType::k32:
      return Value::Of(static_cast<std::int32_t>(IntegerOf(number)));
    case MetricType::kU32:
      return Value::Of(static_cast<std::uint32_t>(IntegerOf(number)));
    case MetricType::k64:
      return Value::Of(static_cast<std::int64_t>(IntegerOf(number)));
    case MetricType::kU64:
      return Value::Of(IntegerOf(number));
    case MetricType::kFloat:
      return Value::Of(static_cast<float>(DoubleOf(number)));
    case MetricType::kNoSupport:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return Value::Of(DoubleOf(number));
}

// Ternaries with both branches in play (DER-1151..1155).
struct TernaryBranch {
  std::span<const Pair> pairs;
  bool singular = true;  // its descriptor
  bool novalue = false;
};

// Takes values by position, not by instance (DER-1153) [Q]. `guard_type` is that of the guard's
// pairs. `result` is replaced. Where positions have no instance or no value [U] there is no pair.
void Choose(std::span<const Pair> guard, MetricType guard_type, const TernaryBranch& first,
            const TernaryBranch& second, std::vector<Pair>* result) {
  result->clear();
  // DER-1151.
  if (guard.empty()) return;
  if (first.pairs.empty() && !first.novalue) return;
  if (second.pairs.empty() && !second.novalue) return;

  // DER-1155: a branch without values gives no instances.
  const bool of_second = first.novalue || (first.singular && !second.singular && !second.novalue);
  const std::span<const Pair> instances = of_second ? second.pairs : first.pairs;
  const std::size_t size = std::max(first.pairs.size(), second.pairs.size());
  const TernaryBranch* pick = &second;
  for (std::size_t i = 0; i < size; ++i) {
    if (i < guard.size()) pick = IsZero(guard[i].value, guard_type) ? &second : &first;
    if (pick->novalue || i >= instances.size()) continue;  // DER-1154
    const Pair& picked = pick->pairs[i < pick->pairs.size() ? i : 0];
    result->push_back({instances[i].instance, picked.value});
  }
}

}  // namespace

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
  if (kind == NodeKind::kFunction && FunctionOf(node(i)).remember != nullptr) {
    const NodeIndex x = Expression::Right(i);
    const NodeKind operand = node(x).kind;
    const bool keeps_pairs = operand != NodeKind::kInstance && operand != NodeKind::kDefined;
    memories_.emplace_back(FunctionOf(node(i)).remember(
        {descriptor(x), IsConstantKind(operand), keeps_pairs}, dialect_));
  } else if (kind == NodeKind::kInstance) {
    memories_.emplace_back(InstanceFilter(text));
  } else if (kind == NodeKind::kMatch) {
    memories_.emplace_back(MatchFilter(text, node(i).inverted));
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
  if (kind == NodeKind::kFunction) return RunFunction(step, operands);
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
    return ErrorCode::kOk;
  }
  const bool of_function =
      i + 1 < expression_->nodes().size() && node(i + 1).kind == NodeKind::kFunction;
  return of_function && FunctionOf(node(i + 1)).takes_errors ? ErrorCode::kOk : values.status;
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

ErrorCode Evaluator::RunFunction(const Step& step, const FetchedOperands& operands) {
  const NodeIndex i = step.node;
  const Function& function = FunctionOf(node(i));
  const FunctionCall call{Operand(1).pairs, descriptor(Expression::Right(i)).type,
                          descriptor(i).type, operands.time(), &index_};
  scratch_.clear();
  if (function.remember != nullptr) {
    auto& memory = std::get<std::unique_ptr<FunctionMemory>>(memories_[step.memory]);
    const ErrorCode status = memory->Take(call, &scratch_);
    if (status != ErrorCode::kOk) return status;
  } else if (function.evaluate != nullptr) {
    function.evaluate(call, &scratch_);
  } else {
    return ErrorCode::kOk;
  }
  Replace(1);
  return ErrorCode::kOk;
}

ErrorCode Evaluator::RunUnary(const Step& step, const FetchedOperands& operands) {
  const NodeIndex i = step.node;
  const NodeIndex x = Expression::Right(i);
  const NodeKind kind = node(i).kind;
  const std::span<const Pair> pairs = Operand(1).pairs;
  scratch_.clear();
  if (kind == NodeKind::kDefined) {  // DER-705
    scratch_.push_back({-1, Value::Of(static_cast<std::uint32_t>(bound(i).known == 1))});
  } else if (kind == NodeKind::kInstance) {
    std::get<InstanceFilter>(memories_[step.memory])
        .Take(pairs, descriptor(x).indom, operands, &scratch_);
  } else if (kind == NodeKind::kMatch) {
    std::get<MatchFilter>(memories_[step.memory])
        .Take(pairs, descriptor(x).indom, operands, &scratch_);
  } else if (kind == NodeKind::kRescale) {  // DER-1161
    for (const Pair& pair : pairs) {
      const auto value =
          ConvertScale(pair.value, descriptor(x).units, descriptor(i).units, dialect_.version);
      if (value) scratch_.push_back({pair.instance, *value});
    }
  } else if (kind == NodeKind::kNegate) {
    Negate(pairs, descriptor(i).type, &scratch_);
  } else {
    Not(pairs, descriptor(i).type, &scratch_);
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
    auto* const memory = std::get_if<std::unique_ptr<FunctionMemory>>(&memories_[i]);
    if (memory != nullptr) (*memory)->TakeError(error, time);
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

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_EVALUATE_H_
#define PMPROOF_REFERENCE_DERIVED_EVALUATE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "reference/derived/bind.h"
#include "reference/derived/dialect.h"
#include "reference/derived/evaluate_filters.h"
#include "reference/derived/functions.h"
#include "reference/derived/instance_index.h"
#include "reference/derived/operand_values.h"

// The values of derived metrics (DER section 11).

namespace pmproof::derived {

// One derived metric in one context, with what it remembers from evaluation to evaluation
// (DER-1113, 1114, 1119, 1131): nothing but its end resets that. A resource: moved, not copied.
class Evaluator {
 public:
  Evaluator(std::shared_ptr<const BoundExpression> expression, const Dialect& dialect);

  // One for each time the metric is listed in a fetch (DER-1102). The answer holds until the next
  // evaluation. An error at a leaf ends the evaluation (DER-1103): what would come after it in
  // evaluation order, and is not above it, sees nothing of this fetch.
  //
  // Where the specification leaves values undefined (DER-1115, 1119, 1120, 1139, 1153..1155, 818)
  // these are what the rest of it suggests, or no pair.
  const ValueSet& Evaluate(const FetchedOperands& operands);

  const BoundExpression& expression() const { return *expression_; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  using Memory = std::variant<std::unique_ptr<FunctionMemory>, InstanceFilter, MatchFilter>;

  // A node that is evaluated.
  struct Step {
    NodeIndex node = 0;
    std::uint32_t memory = kNone;  // in memories_
  };
  // Of a node: pairs of an operand, or its own ones. Kept from evaluation to evaluation for the
  // memory that `own` has.
  struct Slot {
    std::span<const Pair> pairs;
    std::vector<Pair> own;
  };

  const Node& node(NodeIndex i) const { return expression_->expression().nodes()[i]; }
  const BoundNode& bound(NodeIndex i) const { return expression_->nodes()[i]; }
  const Descriptor& descriptor(NodeIndex i) const { return bound(i).descriptor; }

  void AddStep(NodeIndex i);
  ErrorCode Run(const Step& step, const FetchedOperands& operands);
  ErrorCode RunLeaf(NodeIndex i, const FetchedOperands& operands);
  ErrorCode RunConstant(NodeIndex i, const FetchedOperands& operands);
  ErrorCode RunFunction(const Step& step, const FetchedOperands& operands);
  ErrorCode RunUnary(const Step& step, const FetchedOperands& operands);
  void RunBinary(NodeIndex i);
  void RunTernary(NodeIndex i);
  void RememberError(NodeIndex at, ErrorCode error, Timestamp time);
  const ValueSet& Finish();

  Slot& Push();
  // Of the operands on the stack, the last being 1.
  Slot& Operand(std::size_t from_top) { return stack_[depth_ - from_top]; }
  // Replaces `operands` slots by one with the pairs in scratch_.
  void Replace(std::size_t operands);

  std::shared_ptr<const BoundExpression> expression_;
  const Dialect dialect_;
  std::vector<Step> steps_;  // in evaluation order
  std::vector<Memory> memories_;
  std::vector<NodeIndex> memory_nodes_;  // whose they are, ascending
  std::vector<Slot> stack_;
  std::size_t depth_ = 0;
  std::vector<Pair> scratch_;
  InstanceIndex index_;
  ValueSet result_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_EVALUATE_H_

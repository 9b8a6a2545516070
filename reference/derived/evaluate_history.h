#ifndef PMPROOF_REFERENCE_DERIVED_EVALUATE_HISTORY_H_
#define PMPROOF_REFERENCE_DERIVED_EVALUATE_HISTORY_H_

#include <span>
#include <vector>

#include "reference/core/metric.h"
#include "reference/core/timestamp.h"
#include "reference/derived/dialect.h"
#include "reference/derived/expression.h"
#include "reference/derived/instance_index.h"
#include "reference/derived/operand_values.h"

// delta() and rate() (DER-1131..1139).

namespace pmproof::derived {

// What delta() or rate() remembers of its operand (DER-1131). A value.
class History {
 public:
  // `kind`: kDelta or kRate. `operand`: its descriptor; `result`: the type that delta() has.
  History(NodeKind kind, const Descriptor& operand, MetricType result, const Dialect& dialect);

  // DER-1139: the operand's pairs are not kept from evaluation to evaluation, so there never is a
  // value [Q].
  void Forget() { forgets_ = true; }
  // DER-1139: of a constant, whose pairs of before are those of now [U].
  void Share() { shares_ = true; }

  // The operand has these pairs now: the result is in `result`, or an old error is (DER-1132) [Q].
  // `index` finds the instances of before.
  ErrorCode Take(std::span<const Pair> pairs, Timestamp time, InstanceIndex* index,
                 std::vector<Pair>* result);
  // The operand has an error now.
  void TakeError(ErrorCode error, Timestamp time);

 private:
  void Deltas(std::span<const Pair> pairs, InstanceIndex* before, std::vector<Pair>* result) const;
  void Rates(std::span<const Pair> pairs, double seconds, InstanceIndex* before,
             std::vector<Pair>* result) const;

  NodeKind kind_;
  MetricType type_;                 // of the operand
  MetricType result_;               // of delta()
  bool passes_over_falls_ = false;  // DER-1136
  double to_seconds_ = 1;           // DER-1137
  bool forgets_ = false;
  bool shares_ = false;

  ErrorCode error_ = ErrorCode::kOk;  // of the previous evaluation
  std::vector<Pair> pairs_;           // likewise; empty before the first
  Timestamp time_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_EVALUATE_HISTORY_H_

// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/evaluate_history.h"

#include <cfloat>
#include <functional>
#include <span>
#include <vector>

#include "reference/derived/number_type.h"

namespace pmproof::derived {
namespace {

// DER-1137: in double, starting from 1.
double ToSeconds(Units units) {
  constexpr unsigned kSecond = 3;
  double factor = 1;
  if (units.dim_time() != 1) return factor;
  const unsigned scale = units.scale_time();
  for (unsigned below = scale; below < kSecond; ++below) factor /= 1000;
  if (scale == kSecond + 1) factor = 60;
  if (scale == kSecond + 2) factor = 3600;
  return factor;
}

// DER-1134; where delta() keeps its operand's type (DER-1506) all integers wrap.
Value Delta(const Value& old_value, const Value& new_value, MetricType type, MetricType result) {
  Value delta;
  if (type == MetricType::kU64 && result == MetricType::kDouble) {
    return Value::Of(Load<double>(new_value, type) - Load<double>(old_value, type));
  }
  WithNumberType(result, [&]<typename T>(T) {
    delta = Value::Of(Wrapping(Load<T>(new_value, type), Load<T>(old_value, type), std::minus<>()));
  });
  return delta;
}

// DER-1135, O5: rounded once.
double SecondsBetween(Timestamp earlier, Timestamp later) {
  static_assert(LDBL_MANT_DIG == 64);
  const auto nanoseconds = static_cast<long double>(later.nanoseconds) - earlier.nanoseconds;
  return static_cast<double>(static_cast<long double>(later.seconds - earlier.seconds) +
                             nanoseconds / 1'000'000'000.0L);
}

// What delta() or rate() remembers of its operand (DER-1131).
class History : public FunctionMemory {
 public:
  explicit History(const FunctionOperand& operand)
      : type_(operand.descriptor.type),
        forgets_(!operand.keeps_pairs),
        shares_(operand.is_constant) {}

  // An old error comes in place of the result (DER-1132) [Q].
  ErrorCode Take(const FunctionCall& call, std::vector<Pair>* result) final {
    result->clear();
    ErrorCode status = ErrorCode::kOk;
    if (!call.pairs.empty() && !forgets_) {
      status = error_;
      call.index->Set(shares_ && !pairs_.empty() ? call.pairs : std::span<const Pair>(pairs_));
      Compare(call, time_, result);
    }
    error_ = ErrorCode::kOk;
    pairs_.assign(call.pairs.begin(), call.pairs.end());
    time_ = call.time;
    return status;
  }

  void TakeError(ErrorCode error, Timestamp time) final {
    error_ = error;
    pairs_.clear();
    time_ = time;
  }

 protected:
  MetricType type() const { return type_; }

 private:
  // `call.index` finds the pairs of `before`.
  virtual void Compare(const FunctionCall& call, Timestamp before,
                       std::vector<Pair>* result) const = 0;

  MetricType type_;  // of the operand
  // DER-1139: the operand's pairs are not kept from evaluation to evaluation, so there never is a
  // value [Q].
  bool forgets_;
  // DER-1139: of a constant, whose pairs of before are those of now [U].
  bool shares_;

  ErrorCode error_ = ErrorCode::kOk;  // of the previous evaluation
  std::vector<Pair> pairs_;           // likewise; empty before the first
  Timestamp time_;
};

class DeltaHistory : public History {
 public:
  using History::History;

 private:
  // DER-1133.
  void Compare(const FunctionCall& call, Timestamp, std::vector<Pair>* result) const override {
    for (const Pair& now : call.pairs) {
      const Pair* const old = call.index->Find(now.instance);
      if (old == nullptr) continue;
      result->push_back({now.instance, Delta(old->value, now.value, type(), call.result)});
    }
  }
};

class RateHistory : public History {
 public:
  RateHistory(const FunctionOperand& operand, const Dialect& dialect)
      : History(operand),
        passes_over_falls_(dialect.rate_without_backward_counters &&
                           operand.descriptor.semantics == Semantics::kCounter &&
                           operand.descriptor.type != MetricType::k32),
        to_seconds_(ToSeconds(operand.descriptor.units)) {}

 private:
  // DER-1135..1138.
  void Compare(const FunctionCall& call, Timestamp before,
               std::vector<Pair>* result) const override {
    const double seconds = SecondsBetween(before, call.time);
    WithNumberType(type(), [&]<typename T>(T) {
      for (const Pair& now : call.pairs) {
        const Pair* const old = call.index->Find(now.instance);
        if (old == nullptr) continue;
        const T new_number = Load<T>(now.value, type());
        const T old_number = Load<T>(old->value, type());
        if (passes_over_falls_ && new_number < old_number) continue;
        const T difference = Wrapping(new_number, old_number, std::minus<>());
        const double rate = static_cast<double>(difference) / seconds * to_seconds_;
        result->push_back({now.instance, Value::Of(rate)});
      }
    });
  }

  bool passes_over_falls_;  // DER-1136
  double to_seconds_;       // DER-1137
};

}  // namespace

std::unique_ptr<FunctionMemory> RememberDelta(const FunctionOperand& operand, const Dialect&) {
  return std::make_unique<DeltaHistory>(operand);
}

std::unique_ptr<FunctionMemory> RememberRate(const FunctionOperand& operand,
                                             const Dialect& dialect) {
  return std::make_unique<RateHistory>(operand, dialect);
}

}  // namespace pmproof::derived

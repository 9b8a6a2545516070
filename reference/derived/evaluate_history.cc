#include "reference/derived/evaluate_history.h"

#include <cfloat>
#include <functional>
#include <type_traits>

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

// DER-1134; where delta() keeps its operand's type (DER-1501) all integers wrap.
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

}  // namespace

History::History(NodeKind kind, const Descriptor& operand, MetricType result,
                 const Dialect& dialect)
    : kind_(kind),
      type_(operand.type),
      result_(result),
      passes_over_falls_(dialect.rate_without_backward_counters &&
                         operand.semantics == Semantics::kCounter &&
                         operand.type != MetricType::k32),
      to_seconds_(ToSeconds(operand.units)) {}

ErrorCode History::Take(std::span<const Pair> pairs, Timestamp time, InstanceIndex* index,
                        std::vector<Pair>* result) {
  result->clear();
  ErrorCode status = ErrorCode::kOk;
  if (!pairs.empty() && !forgets_) {
    status = error_;
    index->Set(shares_ && !pairs_.empty() ? pairs : std::span<const Pair>(pairs_));
    kind_ == NodeKind::kDelta ? Deltas(pairs, index, result)
                              : Rates(pairs, SecondsBetween(time_, time), index, result);
  }
  error_ = ErrorCode::kOk;
  pairs_.assign(pairs.begin(), pairs.end());
  time_ = time;
  return status;
}

void History::TakeError(ErrorCode error, Timestamp time) {
  error_ = error;
  pairs_.clear();
  time_ = time;
}

// DER-1133.
void History::Deltas(std::span<const Pair> pairs, InstanceIndex* before,
                     std::vector<Pair>* result) const {
  for (const Pair& now : pairs) {
    const Pair* const old = before->Find(now.instance);
    if (old == nullptr) continue;
    result->push_back({now.instance, Delta(old->value, now.value, type_, result_)});
  }
}

// DER-1135..1138.
void History::Rates(std::span<const Pair> pairs, double seconds, InstanceIndex* before,
                    std::vector<Pair>* result) const {
  WithNumberType(type_, [&]<typename T>(T) {
    for (const Pair& now : pairs) {
      const Pair* const old = before->Find(now.instance);
      if (old == nullptr) continue;
      const T new_number = Load<T>(now.value, type_);
      const T old_number = Load<T>(old->value, type_);
      if (passes_over_falls_ && new_number < old_number) continue;
      const T difference = Wrapping(new_number, old_number, std::minus<>());
      const double rate = static_cast<double>(difference) / seconds * to_seconds_;
      result->push_back({now.instance, Value::Of(rate)});
    }
  });
}

}  // namespace pmproof::derived

// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/evaluate_aggregates.h"

#include <cstdint>
#include <functional>
#include <optional>

#include "reference/derived/number_type.h"

namespace pmproof::derived {
namespace {

class Extreme : public FunctionMemory {
 public:
  // `largest`: max().
  explicit Extreme(bool largest) : largest_(largest) {}

  ErrorCode Take(const FunctionCall& call, std::vector<Pair>* result) override {
    if (!call.pairs.empty()) {
      WithNumberType(call.result, [&]<typename T>(T) { latest_ = Value::Of(Of<T>(call)); });
    }
    result->clear();
    if (latest_) result->push_back({-1, *latest_});
    return ErrorCode::kOk;
  }

 private:
  template <typename T>
  T Of(const FunctionCall& call) const {
    T extreme = Load<T>(call.pairs[0].value, call.result);
    for (const Pair& pair : call.pairs) {
      const T number = Load<T>(pair.value, call.result);
      if (largest_ ? number > extreme : number < extreme) extreme = number;
    }
    return extreme;
  }

  bool largest_;
  std::optional<Value> latest_;
};

}  // namespace

void Count(const FunctionCall& call, std::vector<Pair>* result) {
  result->push_back({-1, Value::Of(static_cast<std::uint32_t>(call.pairs.size()))});
}

void Sum(const FunctionCall& call, std::vector<Pair>* result) {
  WithNumberType(call.result, [&]<typename T>(T total) {
    for (const Pair& pair : call.pairs) {
      total = Wrapping(total, Load<T>(pair.value, call.result), std::plus<>());
    }
    result->push_back({-1, Value::Of(total)});
  });
}

void Average(const FunctionCall& call, std::vector<Pair>* result) {
  const float count = static_cast<float>(call.pairs.size());
  float average = 0;
  for (const Pair& pair : call.pairs) {
    const float share = Load<float>(pair.value, call.operand) / count;
    average += share;
  }
  result->push_back({-1, Value::Of(average)});
}

void First(const FunctionCall& call, std::vector<Pair>* result) {
  if (!call.pairs.empty()) result->push_back({-1, call.pairs[0].value});
}

std::unique_ptr<FunctionMemory> RememberMaximum(const FunctionOperand&, const Dialect&) {
  return std::make_unique<Extreme>(true);
}

std::unique_ptr<FunctionMemory> RememberMinimum(const FunctionOperand&, const Dialect&) {
  return std::make_unique<Extreme>(false);
}

}  // namespace pmproof::derived

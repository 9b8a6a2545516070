// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/derived/bind.h"
#include "reference/derived/evaluate.h"
#include "reference/derived/parse.h"
#include "reference/derived/testing/named_metrics.h"

// Any expression over any values: the first byte chooses the dialect, the text ends with a newline,
// what follows is the values of fetches. Results have the type and the instances that their
// descriptor allows, whatever the operands have.

namespace pmproof::derived {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

// Numbers from what is left of the input; 0 after its end.
class Input {
 public:
  explicit Input(std::string_view left) : left_(left) {}

  bool empty() const { return left_.empty(); }
  template <typename T>
  T Take() {
    T number{};
    const std::size_t size = left_.size() < sizeof number ? left_.size() : sizeof number;
    std::memcpy(&number, left_.data(), size);
    left_.remove_prefix(size);
    return number;
  }

 private:
  std::string_view left_;
};

// A fetch whose values are the input's.
class FuzzedOperands final : public FetchedOperands {
 public:
  FuzzedOperands(const std::vector<Operand>& operands, Input* input) {
    time_ = {input->Take<std::int16_t>(), static_cast<std::int32_t>(input->Take<std::uint16_t>())};
    for (const Operand& operand : operands) sets_.push_back(SetOf(operand.descriptor, input));
  }

  Timestamp time() const override { return time_; }
  const ValueSet& Values(std::uint32_t operand) const override { return sets_.at(operand); }
  std::optional<std::int32_t> FindInstance(Indom, std::string_view name) const override {
    return name.empty() ? std::nullopt : std::optional<std::int32_t>(name[0] % 4);
  }
  std::optional<std::string> InstanceName(Indom, std::int32_t instance) const override {
    if (instance < 0) return std::nullopt;
    return "a" + std::to_string(instance) + " " + std::string(1, static_cast<char>(instance));
  }
  tl::expected<std::vector<std::int32_t>, ErrorCode> Instances(Indom indom) const override {
    if (indom == Indom::Of(60, 1)) return std::vector<std::int32_t>{0, 1, 2};
    return tl::unexpected(ErrorCode::kIndomLog);
  }

 private:
  static ValueSet SetOf(const Descriptor& descriptor, Input* input) {
    constexpr std::uint8_t kError = 0xff;
    const auto count = input->Take<std::uint8_t>();
    if (count == kError) return {ErrorCode::kAgain, {}};
    ValueSet set;
    for (int i = 0; i < count % 6; ++i) {
      Value value{descriptor.type, false, input->Take<std::uint64_t>(), {}};
      if (NumericSize(descriptor.type) == 4) value.bits &= 0xffffffff;
      const bool singular = descriptor.indom.IsNull();
      set.pairs.push_back({singular ? -1 : input->Take<std::int8_t>(), value});
      if (singular) break;
    }
    return set;
  }

  Timestamp time_;
  std::vector<ValueSet> sets_;
};

void Check(const ValueSet& values, const Descriptor& descriptor) {
  Require(values.status == ErrorCode::kOk || values.pairs.empty());
  for (const Pair& pair : values.pairs) {
    Require(pair.value.type == descriptor.type);
    Require(pair.instance == -1 || !descriptor.indom.IsNull());
  }
}

void Evaluate(std::string_view text, const Dialect& dialect, bool lenient, Input input) {
  auto parsed = Parse(text, dialect);
  if (!parsed) return;
  auto bound = Bind(std::make_shared<const Expression>(std::move(*parsed)), dialect, NamedMetrics(),
                    {.name = "x.y", .missing_is_novalue = lenient});
  if (!bound) return;
  const auto shared = std::make_shared<const BoundExpression>(std::move(*bound));
  Evaluator evaluator(shared, dialect);
  constexpr int kMostFetches = 200;  // verdicts of patterns are dropped after 100
  for (int i = 0; i < kMostFetches && (i < 3 || !input.empty()); ++i) {
    const FuzzedOperands operands(shared->operands(), &input);
    Check(evaluator.Evaluate(operands), shared->descriptor());
  }
}

}  // namespace
}  // namespace pmproof::derived

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pmproof::derived;  // NOLINT(google-build-using-namespace)
  if (size == 0) return 0;
  const std::string_view all(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::string_view text = all.substr(0, all.find('\n'));
  const std::string_view values =
      all.substr(text.size() < all.size() ? text.size() + 1 : all.size());
  Evaluate(text, *kDialects[data[0] % kDialects.size()], (data[0] & 8) != 0, Input(values));
  return 0;
}

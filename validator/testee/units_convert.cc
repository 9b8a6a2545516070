// SPDX-License-Identifier: Apache-2.0
#include "reference/core/convert_scale.h"
#include "validator/testee/operation.h"
#include "validator/testee/units_argument.h"
#include "validator/testee/value_argument.h"

// Operation units.convert: a value in other units (MET-241..246).

namespace pmproof::validator {
namespace {

class UnitsConvert final : public Operation {
 public:
  std::string_view name() const override { return "units.convert"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.ExpectNoInput();
    reader.KnowKeys(reader.args(), "args", {"type", "value", "from", "to", "dialect"});
    const PcpVersion version = reader.Dialect().version;
    const MetricType type = TakeType(&reader, "type");
    const std::string text = reader.NeededText(reader.args(), "value", "args");
    std::optional<Value> value = ParseNumber(type, text);
    // What is not a number is refused for its type, whatever its value is.
    if (!IsNumeric(type)) value = Value{type};
    if (!value) reader.Fail("args.value: no number of that type");
    const Units from = TakeUnits(&reader, "from", version);
    const Units to = TakeUnits(&reader, "to", version);
    if (reader.stopped()) return reader.Stop();
    const auto converted = ConvertScale(*value, from, to, version);
    if (converted) return TypedValue(*converted);
    const bool size = converted.error() == ErrorCode::kUnit;
    return Reject{size ? kUnitsWithoutSize : kUnitsDoNotConvert, std::nullopt,
                  ToText(converted.error())};
  }
};

}  // namespace

std::unique_ptr<Operation> MakeUnitsConvert() { return std::make_unique<UnitsConvert>(); }

}  // namespace pmproof::validator

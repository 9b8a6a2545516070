// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/operation.h"
#include "validator/testee/value_argument.h"

// Operation value.extract: a stored value as one of another type (MET-401..412).

namespace pmproof::validator {
namespace {

const char* ClassOf(ErrorCode code) {
  if (code == ErrorCode::kTruncation) return "value.truncate";
  if (code == ErrorCode::kSign) return "value.sign";
  return "value.type";
}

class ValueExtract final : public Operation {
 public:
  std::string_view name() const override { return "value.extract"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.ExpectNoInput();
    reader.KnowKeys(reader.args(), "args",
                    {"from", "value", "format", "block_type", "to", "dialect"});
    const PcpVersion version = reader.Dialect().version;
    const MetricType from = TakeType(&reader, "from");
    const MetricType to = TakeType(&reader, "to");
    const ValueArgument given = TakeValue(&reader, from);
    if (reader.stopped()) return reader.Stop();
    const auto atom = ExtractValue(given.stored(), from, to, version);
    if (!atom) return Reject{ClassOf(atom.error()), std::nullopt, ToText(atom.error())};
    if (IsNumeric(atom->type)) return TypedValue(atom->number);
    return TypedValue(Value{atom->type, false, 0, AsBytes(atom->bytes)});
  }
};

}  // namespace

std::unique_ptr<Operation> MakeValueExtract() { return std::make_unique<ValueExtract>(); }

}  // namespace pmproof::validator

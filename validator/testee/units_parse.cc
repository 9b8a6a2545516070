// SPDX-License-Identifier: Apache-2.0
#include "reference/core/units_text.h"
#include "validator/replay/value_text.h"
#include "validator/testee/operation.h"
#include "validator/testee/units_argument.h"

// Operation units.parse: units out of their text or their bits, and the text of them.

namespace pmproof::validator {
namespace {

class UnitsParse final : public Operation {
 public:
  std::string_view name() const override { return "units.parse"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.ExpectNoInput();
    const Json& args = reader.args();
    reader.KnowKeys(args, "args", {"text", "word", "dialect"});
    const PcpVersion version = reader.Dialect().version;
    if (args.contains("text") == args.contains("word")) {
      reader.Fail("args: needs either text or word");
    }
    ParsedUnits parsed;
    if (args.contains("word")) parsed.units = TakeUnitsWord(&reader, args, "args");
    const std::string text = reader.Text(args, "text", "args").value_or("");
    if (reader.stopped()) return reader.Stop();
    if (args.contains("text")) parsed = TakeUnitsText(&reader, text, version);
    if (reader.stopped()) return reader.Stop();
    return Write(parsed, version);
  }

 private:
  static Answered Write(const ParsedUnits& parsed, PcpVersion version) {
    const Units units = parsed.units;
    // Before 7.2 those bits are padding.
    const bool extra = version == PcpVersion::k7_2;
    Json dimension = Json::array(
        {units.dim_space(), units.dim_time(), units.dim_count(), extra ? units.extra_unit() : 0});
    Json scale = Json::array({units.scale_space(), units.scale_time(), units.scale_count(),
                              extra ? units.extra_scale() : 0U});
    const Json json = {{"units", UnitsText(units, version)},
                       {"dimension", std::move(dimension)},
                       {"scale", std::move(scale)},
                       {"multiplier", ValueText(Value::Of(parsed.multiplier))}};
    return {DumpJson(json, -1)};
  }
};

}  // namespace

std::unique_ptr<Operation> MakeUnitsParse() { return std::make_unique<UnitsParse>(); }

}  // namespace pmproof::validator

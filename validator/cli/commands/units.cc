// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "reference/core/convert_scale.h"
#include "reference/core/units_text.h"
#include "validator/cli/command_table.h"
#include "validator/replay/emulated_version.h"
#include "validator/replay/value_text.h"
#include "validator/text/display.h"
#include "validator/text/json_values.h"

namespace pmproof::validator {
namespace {

struct UnitsArguments {
  std::string text;
  std::optional<std::string> to;
  std::optional<std::string> value;  // 1 where only `to` is given
  MetricType type = MetricType::kDouble;
  PcpVersion version = PcpVersion::k7_2;
  bool json = false;
};

template <typename Number>
std::optional<Value> Parsed(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return Value::Of(number);
}

std::optional<Value> ParseValue(const std::string& text, MetricType type) {
  switch (type) {
    case MetricType::k32:
      return Parsed<std::int32_t>(text);
    case MetricType::kU32:
      return Parsed<std::uint32_t>(text);
    case MetricType::k64:
      return Parsed<std::int64_t>(text);
    case MetricType::kU64:
      return Parsed<std::uint64_t>(text);
    case MetricType::kFloat:
      return Parsed<float>(text);
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
  return Parsed<double>(text);
}

bool IsFloating(MetricType type) {
  return type == MetricType::kFloat || type == MetricType::kDouble;
}

// The value of a float type times a fraction.
Value Scaled(const Value& value, double multiplier, double divisor) {
  if (value.type == MetricType::kFloat) {
    return Value::Of(static_cast<float>(value.AsFloat() * multiplier / divisor));
  }
  return Value::Of(value.AsDouble() * multiplier / divisor);
}

std::string Hex(std::uint32_t word) {
  char digits[8];
  const char* const end = std::to_chars(digits, digits + sizeof digits, word, 16).ptr;
  const auto size = static_cast<std::size_t>(end - digits);
  return "0x" + std::string(8 - size, '0') + std::string(digits, size);
}

// "none", as PCP's printers call it (MET-135).
std::string Shown(Units units, PcpVersion version) {
  const std::string text = UnitsText(units, version);
  return text.empty() ? "none" : text;
}

class UnitsRun {
 public:
  UnitsRun(const UnitsArguments& arguments, const Environment& environment)
      : arguments_(arguments), environment_(environment) {}

  ExitStatus Run() {
    if (arguments_.value && !arguments_.to) return Usage("--value goes with --to");
    const std::string number = arguments_.value.value_or("1");
    const auto value = ParseValue(number, arguments_.type);
    if (!value) {
      return Usage("--value: " + number + " is not a number of type " + ToText(arguments_.type));
    }
    const auto from = Read(arguments_.text);
    if (!from) return ExitStatus::kFindings;
    if (!arguments_.to) {
      arguments_.json ? Print(Members(*from)) : Describe(*from);
      return ExitStatus::kOk;
    }
    const auto to = Read(*arguments_.to);
    if (!to) return ExitStatus::kFindings;
    return Convert(*value, *from, *to);
  }

 private:
  ExitStatus Usage(const std::string& message) {
    environment_.err << "pmproof: " << Displayable(message) << "\nSee pmproof units --help.\n";
    return ExitStatus::kUsage;
  }

  void Print(const Json& json) { environment_.out << DumpJson(json, -1) << '\n'; }

  // Nothing, and the error told, if the text is not units.
  std::optional<ParsedUnits> Read(const std::string& text) {
    const auto parsed = ParseUnits(text, arguments_.version);
    if (parsed) return *parsed;
    const UnitsError& error = parsed.error();
    if (arguments_.json) {
      Json json;
      json["text"] = text;
      json["ok"] = false;
      json["position"] = error.position ? Json(*error.position) : Json(nullptr);
      json["code"] = ToText(ErrorCode::kConversion);
      json["message"] = error.message;
      Print(json);
      return std::nullopt;
    }
    environment_.err << "pmproof: \"" << Displayable(text) << "\"";
    if (error.position) environment_.err << ", offset " << *error.position;
    environment_.err << ": " << error.message << " [MET-228]\n";
    return std::nullopt;
  }

  Json Members(const ParsedUnits& parsed) const {
    const Units units = parsed.units;
    Json json;
    json["ok"] = true;
    json["units"] = UnitsText(units, arguments_.version);
    json["word"] = Hex(units.word);
    json["dimensions"] = {
        {"space", units.dim_space()}, {"time", units.dim_time()}, {"count", units.dim_count()}};
    json["scales"] = {{"space", units.scale_space()},
                      {"time", units.scale_time()},
                      {"count", units.scale_count()}};
    if (arguments_.version == PcpVersion::k7_2) {
      json["extra"] = {{"unit", units.extra_unit()}, {"scale", units.extra_scale()}};
    }
    json["multiplier"] = ValueText(Value::Of(parsed.multiplier));
    return json;
  }

  void Describe(const ParsedUnits& parsed) {
    const Units units = parsed.units;
    std::ostream& out = environment_.out;
    out << Shown(units, arguments_.version) << "\n  word " << Hex(units.word)
        << "\n  dimensions: space " << units.dim_space() << ", time " << units.dim_time()
        << ", count " << units.dim_count() << "\n  scales: space " << units.scale_space()
        << ", time " << units.scale_time() << ", count " << units.scale_count() << '\n';
    if (units.extra_unit() != 0) {
      out << "  extra: unit " << units.extra_unit() << ", scale " << units.extra_scale() << '\n';
    }
    out << "  multiplier " << ValueText(Value::Of(parsed.multiplier)) << '\n';
  }

  // A value of a text's units is its multiplier times one of the units read from it (MET-227).
  ExitStatus Convert(const Value& value, const ParsedUnits& from, const ParsedUnits& to) {
    if (!IsFloating(value.type) && (from.multiplier != 1 || to.multiplier != 1)) {
      return Usage("units with a multiplier need --type float or double");
    }
    const Value start = from.multiplier == 1 ? value : Scaled(value, 1, from.multiplier);
    const auto converted = ConvertScale(start, from.units, to.units, arguments_.version);
    if (!converted) return Refuse(converted.error(), from, to);
    const Value result = to.multiplier == 1 ? *converted : Scaled(*converted, to.multiplier, 1);
    if (arguments_.json) {
      Json json = Members(from);
      json["to"] = Members(to);
      json["type"] = ToText(value.type);
      json["value"] = ValueText(value);
      json["result"] = ValueText(result);
      Print(json);
    } else {
      environment_.out << ValueText(value) << " " << Side(arguments_.text, from) << " = "
                       << ValueText(result) << " " << Side(*arguments_.to, to) << '\n';
    }
    return ExitStatus::kOk;
  }

  // The units in PCP's form; with a multiplier, which that has not, as they were given.
  std::string Side(const std::string& text, const ParsedUnits& parsed) const {
    return parsed.multiplier == 1 ? Shown(parsed.units, arguments_.version)
                                  : "(" + Displayable(text) + ")";
  }

  ExitStatus Refuse(ErrorCode code, const ParsedUnits& from, const ParsedUnits& to) {
    const bool incompatible = !AreCompatible(from.units, to.units, arguments_.version);
    const char* const reason = incompatible               ? "their dimensions differ [MET-241]"
                               : code == ErrorCode::kUnit ? "a scale has no size [MET-242, MET-246]"
                                                          : "the factor overflows [MET-244]";
    if (arguments_.json) {
      Json json = Members(from);
      json["ok"] = false;
      json["to"] = Members(to);
      json["code"] = ToText(code);
      json["message"] = reason;
      Print(json);
    } else {
      environment_.err << "pmproof: " << Shown(from.units, arguments_.version)
                       << " cannot be converted to " << Shown(to.units, arguments_.version) << ": "
                       << reason << " (" << ToText(code) << ")\n";
    }
    return ExitStatus::kFindings;
  }

  const UnitsArguments& arguments_;
  const Environment& environment_;
};

class UnitsCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand("UNITS", "The units of a metric, as text", &arguments_.text).Required();
    options.Text("--to", "UNITS", "Convert a value to these units", &arguments_.to);
    options.Text("--value", "NUMBER", "The value to convert", &arguments_.value).Default("1");
    options
        .Choice("--type", "TYPE", "Convert as a value of this type, with its rounding and wraps",
                std::vector<NamedValue<MetricType>>{{"32", MetricType::k32},
                                                    {"u32", MetricType::kU32},
                                                    {"64", MetricType::k64},
                                                    {"u64", MetricType::kU64},
                                                    {"float", MetricType::kFloat},
                                                    {"double", MetricType::kDouble}},
                &arguments_.type)
        .Default("double");
    options
        .Choice("--pcp", "VERSION", "As this version of PCP", EmulatedVersions(),
                &arguments_.version)
        .Default("7.2.2");
    options
        .Choice("--format", "FORMAT", "",
                std::vector<NamedValue<bool>>{{"text", false}, {"json", true}}, &arguments_.json)
        .Default("text");
    options
        .Notes(
            "UNITS are written as PCP prints and reads them: 'Mbyte / sec', '2 KB/min', 'count x "
            "10^3', "
            "'power (W)'; '' is none. Multipliers in UNITS count: 10 of 'KB' are 5 of '2KB'.")
        .Examples({"pmproof units Kbyte/sec --to Mbyte/min --value 10"})
        .ExitStatuses(
            "0 done; 1 PCP does not read UNITS, or they cannot be converted; 2 wrong usage");
  }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    return UnitsRun(arguments_, environment).Run();
  }

 private:
  UnitsArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeUnits() { return std::make_unique<UnitsCommand>(); }

}  // namespace pmproof::validator

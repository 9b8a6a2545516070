// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "reference/core/clock_text.h"
#include "reference/core/descriptor_text.h"
#include "reference/core/error_code.h"
#include "reference/core/event_summary.h"
#include "reference/core/identifiers.h"
#include "reference/core/print_value.h"
#include "validator/replay/value_text.h"
#include "validator/testee/operation.h"
#include "validator/testee/value_argument.h"

// Operation value.format: values, and the numbers that stand for something, as PCP writes them.

namespace pmproof::validator {
namespace {

constexpr int kWidest = 1000;
constexpr std::int64_t kFarthestZone = 86'399;

// MET-131
std::string SemanticsSymbol(Semantics semantics) {
  switch (semantics) {
    case Semantics::kCounter:
    case Semantics::kInstant:
    case Semantics::kDiscrete:
      return ToText(semantics);
  }
  return "???";
}

class ValueFormatter {
 public:
  explicit ValueFormatter(const Json& request) : reader_(request) {}

  Outcome Run() {
    reader_.ExpectNoInput();
    const std::string style = reader_.NeededText(reader_.args(), "style", "args");
    const PcpVersion version = reader_.Dialect().version;
    const std::string text = TextIn(style, version);
    if (reader_.stopped()) return reader_.Stop();
    // Of the text a string is made, which shows what is not UTF-8.
    const Value value{MetricType::kString, false, 0, AsBytes(text)};
    return Answered{DumpJson({{"text", ValueText(value)}}, -1)};
  }

 private:
  std::string TextIn(const std::string& style, PcpVersion version) {
    if (style == "atom") return Short();
    if (style == "print") return Printed(version);
    if (style == "clock" || style == "date") return Stamp(style == "date");
    reader_.KnowKeys(reader_.args(), "args", {"style", "value", "dialect"});
    if (style == "number") return Compact();
    if (style == "error") return ErrorName(version);
    const std::uint32_t code = TakeCode(&reader_);
    if (style == "flags") return EventFlagsText(code);
    if (style == "type") return TypeSymbol(static_cast<MetricType>(code));
    if (style == "semantics") return SemanticsSymbol(static_cast<Semantics>(code));
    if (style == "pmid") return ToText(Pmid{code});
    if (style == "indom") return ToText(Indom{code});
    reader_.StopBy(Skip{"args.style: there is no style of that name here"});
    return "";
  }

  std::string Short() {
    reader_.KnowKeys(reader_.args(), "args", {"style", "type", "value", "dialect"});
    const MetricType type = TakeType(&reader_, "type");
    if (!reader_.args().contains("value")) {
      if (IsNumeric(type) || IsEvent(type)) reader_.Fail("args.value: missing");
      return AtomText(type, std::nullopt);
    }
    const std::string text = reader_.NeededText(reader_.args(), "value", "args");
    Atom atom{type};
    if (IsNumeric(type)) {
      const std::optional<Value> number = ParseNumber(type, text);
      if (!number) reader_.Fail("args.value: no number of that type");
      atom.number = number.value_or(Value());
      return AtomText(type, atom);
    }
    ValueArgument given = TakeValue(&reader_, type);
    if (IsEvent(type)) return EventAtomText(SummaryOf(AsBytes(given.payload), false).records);
    atom.bytes = std::move(given.payload);
    return AtomText(type, atom);
  }

  std::string Printed(PcpVersion version) {
    reader_.KnowKeys(
        reader_.args(), "args",
        {"style", "type", "value", "format", "block_type", "width", "squash_newlines", "dialect"});
    const MetricType type = TakeType(&reader_, "type");
    const ValueArgument given = TakeValue(&reader_, type);
    const auto width = static_cast<int>(
        reader_.Integer(reader_.args(), "width", "args", -kWidest, kWidest).value_or(0));
    // MET-503: 6.0.3 does not know the variable.
    const bool squash = reader_.Flag(reader_.args(), "squash_newlines", "args").value_or(false) &&
                        version != PcpVersion::k6_0_3;
    if (reader_.stopped()) return "";
    if (!IsEvent(type)) return PrintValue(given.stored(), type, width, squash);
    return PrintEvents(SummaryOf(AsBytes(given.payload), type == MetricType::kHighresEvent));
  }

  // MET-1001
  std::string Stamp(bool has_date) {
    reader_.KnowKeys(reader_.args(), "args", {"style", "value", "digits", "east", "dialect"});
    const auto time = ParseTime("@" + reader_.NeededText(reader_.args(), "value", "args"));
    if (!time) reader_.Fail("args.value: no decimal number of seconds");
    constexpr std::array kDigits = {0, 3, 6, 9};
    const auto digits = reader_.Integer(reader_.args(), "digits", "args", 0, 9);
    if (!digits || std::ranges::find(kDigits, *digits) == kDigits.end()) {
      reader_.Fail("args.digits: none of 0, 3, 6 and 9");
    }
    const std::int64_t east =
        reader_.Integer(reader_.args(), "east", "args", -kFarthestZone, kFarthestZone).value_or(0);
    if (reader_.stopped()) return "";
    const auto shown = static_cast<unsigned>(*digits);
    return has_date ? DateClockText(*time, shown, east) : ClockText(*time, shown, east);
  }

  std::string ErrorName(PcpVersion version) {
    const std::string text = reader_.NeededText(reader_.args(), "value", "args");
    const std::optional<Value> code = ParseNumber(MetricType::k32, text);
    if (!code) reader_.Fail("args.value: no decimal number of 32 bits");
    const std::int32_t number = code ? code->AsI32() : 0;
    constexpr std::int32_t kArgument = -12415;
    if (number == kArgument && version == PcpVersion::k6_0_3) {  // MET-1102
      return "code " + std::to_string(number);
    }
    return ToText(static_cast<ErrorCode>(number));
  }

  std::string Compact() {
    const std::string text = reader_.NeededText(reader_.args(), "value", "args");
    const std::optional<Value> number = ParseNumber(MetricType::kDouble, text);
    if (!number) reader_.Fail("args.value: no number");
    return CompactNumber(number.value_or(Value::Of(0.0)).AsDouble());
  }

  RequestReader reader_;
};

class ValueFormatOperation final : public Operation {
 public:
  std::string_view name() const override { return "value.format"; }

  Outcome Run(const Json& request) override { return ValueFormatter(request).Run(); }
};

}  // namespace

std::unique_ptr<Operation> MakeValueFormat() { return std::make_unique<ValueFormatOperation>(); }

}  // namespace pmproof::validator

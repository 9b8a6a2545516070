// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/units_argument.h"

#include <algorithm>
#include <charconv>

namespace pmproof::validator {
namespace {

constexpr struct {
  std::string_view message;
  const char* error_class;
} kClasses[] = {
    {"invalid floating point literal", "units.number"},
    {"unrecognized or duplicate base unit", "units.unknown"},
    {"multiple extra units not allowed", "units.several_extra"},
    {"extra units cannot appear in both dividend and divisor", "units.extra_on_both_sides"},
    {"space dimension out of bounds", "units.space"},
    {"time dimension out of bounds", "units.time"},
    {"count dimension out of bounds", "units.count"},
};

}  // namespace

Reject RejectOf(const UnitsError& error) {
  const auto* const found =
      std::ranges::find_if(kClasses, [&](const auto& one) { return one.message == error.message; });
  return {found == std::end(kClasses) ? "units" : found->error_class, std::nullopt, error.message};
}

ParsedUnits TakeUnitsText(RequestReader* reader, const std::string& text, PcpVersion version) {
  const auto parsed = ParseUnits(text, version);
  if (parsed) return *parsed;
  reader->StopBy(RejectOf(parsed.error()));
  return {};
}

Units TakeUnitsWord(RequestReader* reader, const Json& object, const std::string& path) {
  const std::string text = reader->NeededText(object, "word", path);
  Units units;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), units.word, 16);
  if (text.size() != 8 || read.ec != std::errc() || read.ptr != text.data() + text.size()) {
    reader->Fail(path + ".word: not eight hexadecimal digits");
  }
  return units;
}

Units TakeUnits(RequestReader* reader, const char* key, PcpVersion version) {
  const std::string path = std::string("args.") + key;
  const auto found = reader->args().find(key);
  if (found != reader->args().end() && found->is_object()) {
    reader->KnowKeys(*found, path, {"word"});
    return TakeUnitsWord(reader, *found, path);
  }
  const std::string text = reader->NeededText(reader->args(), key, "args");
  if (reader->stopped()) return {};
  const ParsedUnits parsed = TakeUnitsText(reader, text, version);
  if (!reader->stopped() && parsed.multiplier != 1) {
    reader->Fail(path + ": units with a multiplier, which are not units of a metric");
  }
  return parsed.units;
}

}  // namespace pmproof::validator

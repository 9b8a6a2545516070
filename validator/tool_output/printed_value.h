// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_PRINTED_VALUE_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_PRINTED_VALUE_H_

#include <optional>
#include <string>
#include <string_view>

#include "validator/tool_output/record.h"

// Values as the tools print them (MET-502..505).

namespace pmproof::validator::tool_output {

// A number in plain form: "1000." is "1000", "9.000E-02" is "9.000e-02", "-nan." is "nan". Nothing
// if the text is not a number.
std::optional<std::string> PlainNumber(std::string_view text);

// Half a unit of the last place that is printed of a number in plain form: "0.0005" of "12.345".
// "0.5" for one without a point, its exponent kept; empty for what does not begin with a digit,
// such as nan and inf.
std::string HalfLastPlace(std::string_view number);

// Whether a value text that begins a string has come to an end of one. It may go on in the next
// line nevertheless (OUT-104).
bool IsOpenString(std::string_view text);

// Reads what MET-502..504 print; false if it is none of them. Sets the value, and the type where
// the form tells it.
bool ReadPrintedValue(std::string_view text, Item* item);

struct PrintedEvents {  // MET-505
  std::uint64_t records = 0;
  std::uint64_t missed = 0;
};
std::optional<PrintedEvents> ReadPrintedEvents(std::string_view text);

// The text as replay writes a string: as it is, or "base64:..." for what is not UTF-8.
std::string StringText(std::string_view bytes);

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_PRINTED_VALUE_H_

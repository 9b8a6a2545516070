// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_SAME_VALUE_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_SAME_VALUE_H_

#include <string>
#include <string_view>

#include "validator/tool_output/record.h"

namespace pmproof::validator::compare {

// How numbers were printed that are not integers.
enum class Printing : std::uint8_t {
  kFixed,       // by formats of few digits: a value says how far it may be off
  kSignificant  // FLOAT with 8, DOUBLE with 16 significant digits (MET-502)
};

// Whether a number or text that was printed is the expected one. Numbers may be as far apart as the
// printing rounds, and `tolerance` times the greater of them.
bool SameValue(const tool_output::Item& actual, const tool_output::Item& expected,
               Printing printing, double tolerance);

// The same of numbers of which nothing but their texts is known, `within` being a number's text or
// empty.
bool SameNumber(std::string_view actual, std::string_view expected, std::string_view within,
                double tolerance);

// As pmrep -o csv writes texts (OUT-732) and names (OUT-731).
std::string CsvText(std::string_view text, std::string_view delimiter = ",");
std::string CsvName(std::string_view name, std::string_view delimiter = ",");

// Units without what some versions leave out (OUT-1009).
std::string_view PlainUnits(std::string_view units);

}  // namespace pmproof::validator::compare

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_SAME_VALUE_H_

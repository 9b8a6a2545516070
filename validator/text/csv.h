// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_CSV_H_
#define PMPROOF_VALIDATOR_TEXT_CSV_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace pmproof::validator {

// A spreadsheet takes a cell that begins with = + - @ for a formula and calculates it. kQuote puts
// an apostrophe before such texts, which spreadsheets take for "this is text".
enum class Formulas : std::uint8_t { kQuote, kKeep };

// A text of an archive as a field of RFC 4180. Foreign characters, line breaks among them, are
// shown as by Displayable(), so that a record is always one line.
std::string CsvField(std::string_view text, Formulas formulas);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_CSV_H_

// SPDX-License-Identifier: Apache-2.0
#include "validator/text/csv.h"

#include "validator/text/display.h"

namespace pmproof::validator {

std::string CsvField(std::string_view text, Formulas formulas) {
  std::string shown = Displayable(text);
  constexpr std::string_view kBeginsFormula = "=+-@";
  if (formulas == Formulas::kQuote && !shown.empty() &&
      kBeginsFormula.find(shown.front()) != std::string_view::npos) {
    shown.insert(0, 1, '\'');
  }
  if (shown.find_first_of("\",") == std::string::npos) return shown;
  std::string field = "\"";
  for (const char c : shown) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_PMREP_COLUMNS_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_PMREP_COLUMNS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/tool_output/record.h"

// The columns of pmrep's lines, and what stands in them (OUT-711, OUT-720).

namespace pmproof::validator::tool_output {

// What pmrep puts before each column where -l says nothing else.
inline constexpr std::string_view kTwoBlanks = "  ";

// A column: its place in a line with the separator before it, and what it is of. A value.
struct Column {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string metric;
  std::optional<std::string> instance;
  bool cut = false;
  bool abbreviated = false;
};

// `M[I]`, as CSV names a column from 7.1.5 on, or `M-I` as before, for a metric's name has no
// hyphen; `M` of a singular metric (OUT-731).
Column NamedColumn(std::string_view head);

// How lines are cut into columns. A value.
class ColumnCutter {
 public:
  explicit ColumnCutter(std::string_view separator) : separator_(separator) {}

  // The columns of a line whose cells are words, from a place after its time on: where each ends,
  // which is the same in all lines. Their metrics are the words. Empty where the line is not
  // separated so.
  std::vector<Column> ColumnsOf(std::string_view line, std::size_t from) const;

  // What stands in a column of a line, with its blanks; nothing where the separator is missing.
  std::optional<std::string_view> Cell(std::string_view line, const Column& column) const;

  std::size_t WidthOf(const Column& column) const {
    return column.end - column.begin - separator_.size();
  }
  // Of an instance, which may end in blanks. Empty: the column has none (OUT-720).
  std::string_view InstanceOf(std::string_view line, const Column& column) const;

 private:
  bool IsBlank() const { return separator_.find_first_not_of(' ') == std::string::npos; }

  std::string separator_;
};

// OUT-713: whether all these cells are units, perhaps cut, or empty.
bool AreUnits(const std::vector<std::string_view>& cells);

// A number, `N/A` or `xxx` in a column of that width; a text, unless the width is 0 (OUT-715).
bool ReadPmrepCell(std::string_view text, std::size_t width, Item* item);
// A number as it is printed; one with a point is rounded.
bool ReadPmrepNumber(std::string_view text, Item* item);

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_PMREP_COLUMNS_H_

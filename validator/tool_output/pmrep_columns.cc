// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/pmrep_columns.h"

#include <algorithm>
#include <utility>

#include "validator/tool_output/printed_value.h"
#include "validator/tool_output/scan.h"

namespace pmproof::validator::tool_output {

Column NamedColumn(std::string_view head) {
  Column column;
  const std::size_t end = head.find_first_of("[-");
  column.metric = head.substr(0, end);
  if (end == std::string_view::npos) return column;
  const bool brackets = head[end] == '[' && head.ends_with(']');
  column.instance = head.substr(end + 1, head.size() - end - 1 - (brackets ? 1 : 0));
  return column;
}

std::vector<Column> ColumnCutter::ColumnsOf(std::string_view line, std::size_t from) const {
  std::vector<Column> columns;
  const auto add = [&](std::size_t begin, std::size_t end, std::string_view text) {
    Column column;
    column.begin = begin;
    column.end = end;
    column.metric = Trim(text);
    columns.push_back(std::move(column));
  };
  if (!line.substr(std::min(from, line.size())).starts_with(separator_)) return columns;
  if (IsBlank()) {
    std::size_t begin = from;
    for (std::size_t at = line.find_first_not_of(' ', from); at != std::string_view::npos;
         at = line.find_first_not_of(' ', at)) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      // Two words of one column.
      if (at - begin < separator_.size()) return {};
      add(begin, end, line.substr(at, end - at));
      begin = at = end;
    }
    return columns;
  }
  for (std::size_t begin = from; begin < line.size();) {
    const std::size_t start = begin + separator_.size();
    const std::size_t end = std::min(line.find(separator_, start), line.size());
    add(begin, end, line.substr(start, end - start));
    begin = end;
  }
  return columns;
}

std::optional<std::string_view> ColumnCutter::Cell(std::string_view line,
                                                   const Column& column) const {
  if (column.begin >= line.size()) return "";
  const std::string_view text = line.substr(column.begin, column.end - column.begin);
  if (!text.starts_with(separator_)) return std::nullopt;
  return text.substr(separator_.size());
}

std::string_view ColumnCutter::InstanceOf(std::string_view line, const Column& column) const {
  const auto cell = Cell(line, column);
  if (!cell || Trim(*cell) == Trim(separator_)) return "";
  return TrimLeft(*cell);
}

bool AreUnits(const std::vector<std::string_view>& cells) {
  static constexpr std::string_view kWords[] = {
      "byte",  "Kbyte", "Mbyte",   "Gbyte",    "Tbyte",    "Pbyte", "Ebyte",
      "Zbyte", "Ybyte", "nanosec", "microsec", "millisec", "sec",   "min",
      "hour",  "count", "ns",      "us",       "ms",       "s",     "h"};
  return std::ranges::all_of(cells, [&](std::string_view cell) {
    const std::string_view text = Trim(cell);
    const std::string_view word = text.substr(0, std::min(text.find_first_of(" /^"), text.size()));
    return std::ranges::any_of(kWords,
                               [&](std::string_view unit) { return unit.starts_with(word); });
  });
}

bool ReadPmrepNumber(std::string_view text, Item* item) {
  const auto number = PlainNumber(text);
  if (!number) return false;
  item->value = *number;
  if (number->find_first_of(".e") != std::string::npos) item->within = HalfLastPlace(*number);
  return true;
}

bool ReadPmrepCell(std::string_view text, std::size_t width, Item* item) {
  if (text == "N/A") {
    item->state = "missing";
    return true;
  }
  if (text == "xxx") {
    item->state = "too wide";
    return true;
  }
  if (ReadPmrepNumber(text, item)) {
    // A real that has no room for a decimal has none, and is not rounded.
    const bool whole =
        item->within.empty() && item->value->find_first_not_of("-0123456789") == std::string::npos;
    if (whole && text.size() + 2 > width) item->within = "1";
    return true;
  }
  if (text.empty() || width == 0) return false;
  item->type = "string";
  item->value = StringText(text);
  if (text.size() == width) item->state = "cut";
  return true;
}

}  // namespace pmproof::validator::tool_output

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "validator/tool_output/collector.h"
#include "validator/tool_output/printed_value.h"

// Section 13 of the specification.

namespace pmproof::validator::tool_output {
namespace {

enum class Form : std::uint8_t { kLoad, kMemory, kRate, kPercent };

struct Column {
  std::string_view name;
  Form form;
};

constexpr std::array kColumns = {
    Column{"1 min", Form::kLoad},  Column{"swpd", Form::kMemory},  Column{"free", Form::kMemory},
    Column{"buff", Form::kMemory}, Column{"cache", Form::kMemory}, Column{"pi", Form::kRate},
    Column{"po", Form::kRate},     Column{"si", Form::kRate},      Column{"so", Form::kRate},
    Column{"bi", Form::kRate},     Column{"bo", Form::kRate},      Column{"in", Form::kRate},
    Column{"cs", Form::kRate},     Column{"us", Form::kPercent},   Column{"sy", Form::kPercent},
    Column{"id", Form::kPercent},  Column{"wa", Form::kPercent},   Column{"st", Form::kPercent},
    Column{"gu", Form::kPercent}};

// The letters that may follow a number, and what they multiply it by (OUT-1304, OUT-1305).
std::uint64_t FactorOf(Form form, std::string_view letter) {
  if (letter.empty()) return 1;
  if (form == Form::kMemory) return letter == "m" ? 1024 : letter == "g" ? 1024 * 1024 : 0;
  if (form == Form::kRate) return letter == "K" ? 1000 : letter == "M" ? 1000000 : 0;
  return 0;
}

// A whole number that was cut or rounded, in the column's own unit.
bool ReadWhole(Form form, std::string_view text, Item* item) {
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  Scan scan(text);
  const auto number = scan.TakeNumber();
  const std::uint64_t factor = FactorOf(form, scan.rest());
  if (!number || factor == 0 || *number > kMost) return false;
  item->value = std::to_string(*number * factor);
  item->within = form == Form::kPercent ? "0.5" : std::to_string(factor);
  return true;
}

bool ReadCell(const Column& column, std::string_view text, Item* item) {
  item->name = std::string(column.name);
  if (text == "?") {
    item->state = "no value";
    return true;
  }
  if (column.form != Form::kLoad) return ReadWhole(column.form, text, item);
  auto number = PlainNumber(text);
  if (!number) return false;
  item->within = HalfLastPlace(*number);
  item->value = std::move(*number);
  return true;
}

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = TrimLeft(line)).empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

class Parser {
 public:
  Parser(const Lines& lines, const ParseOptions& options, const Sink& sink)
      : lines_(lines), options_(options), out_(lines, sink) {}

  std::optional<Status> Run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      const std::string_view line = lines_[line_];
      if (const auto note = ReadZoneNote(line, line_ + 1, options_)) {
        if (note->refused) return note->refused;
        Set(&out_.Start(MakeRecord("note", line_ + 1)), "text", line);
        continue;
      }
      if (line.empty() || TakeHeading(line) || TakeRow(line)) continue;
      out_.Reject(line_, "OUT-1301"_clause);
    }
    out_.Flush();
    return std::nullopt;
  }

 private:
  // OUT-1301, OUT-1302: three lines.
  bool TakeHeading(std::string_view line) {
    Scan scan(line);
    if (!scan.Take("@ ") || line_ + 2 >= lines_.size()) return false;
    const auto stamp = TakeStamp(&scan);
    if (!stamp || !stamp->epoch || !scan.AtEnd()) return false;
    const std::string_view groups = lines_[line_ + 1];
    const bool nodes = groups.starts_with("node ");
    if (!nodes && !groups.starts_with(" loadavg ")) return false;
    std::vector<Column> columns = ColumnsOf(lines_[line_ + 2]);
    if (columns.empty()) return false;
    nodes_ = nodes;
    columns_ = std::move(columns);
    if (nodes) {
      // OUT-1302: so it is called, but it is not.
      for (Column& column : columns_) {
        if (column.name == "buff") column.name = "free";
      }
    }
    SetTime(&out_.Start(MakeRecord("header", line_ + 1)), "start", *stamp);
    line_ += 2;
    return true;
  }

  // None if one of them is not known.
  static std::vector<Column> ColumnsOf(std::string_view line) {
    std::vector<Column> columns;
    Scan scan(TrimLeft(line));
    if (!scan.Take("1 min ")) return columns;
    columns.push_back(kColumns.front());
    for (const std::string_view word : Words(scan.rest())) {
      const auto column = std::ranges::find(kColumns, word, &Column::name);
      if (column == kColumns.end() || columns.size() == kColumns.size()) return {};
      columns.push_back(*column);
    }
    return columns;
  }

  // OUT-1303..1307
  bool TakeRow(std::string_view line) {
    if (columns_.empty()) return false;
    std::string_view host;
    if (nodes_) {
      static constexpr std::size_t kWidth = 7;
      host = Trim(line.substr(0, kWidth));
      if (host.empty() || host.find(' ') != std::string_view::npos) return false;
      line.remove_prefix(std::min(line.size(), kWidth));
    }
    if (!line.empty() && !line.starts_with(' ')) return false;
    Record record = MakeRecord("sample", line_ + 1);
    if (!host.empty()) Set(&record, "host", host);
    if (!TakeMessage(line, &record) && !TakeCells(line, &record)) return false;
    record.attributes.push_back({"index", std::to_string(++rows_[std::string(host)])});
    out_.Start(std::move(record));
    return true;
  }

  static bool TakeMessage(std::string_view line, Record* record) {
    Scan scan(line);
    if (line == " No data in the archive") {
      Set(record, "text", Trim(line));
      return true;
    }
    if (!scan.Take(" pmFetchGroup: ") || scan.AtEnd()) return false;
    SetError(record, scan.rest());
    return true;
  }

  bool TakeCells(std::string_view line, Record* record) const {
    record->list = "values";
    const std::vector<std::string_view> cells = Words(line);
    // A tool that ends while it waits for a host leaves its name alone (OUT-1307).
    if (nodes_ && cells.empty()) return line_ + 1 == lines_.size();
    if (cells.size() != columns_.size()) return false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!ReadCell(columns_[i], cells[i], &record->items.emplace_back())) return false;
    }
    return true;
  }

  const Lines& lines_;
  const ParseOptions& options_;
  Collector out_;
  std::size_t line_ = 0;
  bool nodes_ = false;  // rows begin with a host
  std::vector<Column> columns_;
  std::map<std::string, std::size_t> rows_;  // how many, by host
};

}  // namespace

std::optional<Status> ParsePmstat(const Lines& lines, const ParseOptions& options,
                                  const Sink& sink) {
  return Parser(lines, options, sink).Run();
}

}  // namespace pmproof::validator::tool_output

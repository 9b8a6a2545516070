#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "validator/tool_output/collector.h"
#include "validator/tool_output/printed_value.h"

// Section 7 of the specification.

namespace pmproof::validator::tool_output {
namespace {

// A column: its place in a line, and what it is of.
struct Column {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string metric;
  std::optional<std::string> instance;
  bool cut = false;
  bool abbreviated = false;
};

// A line of right-justified words that begins after the stamp: where each ends (OUT-711).
std::vector<Column> ColumnsOf(std::string_view line, std::size_t from) {
  std::vector<Column> columns;
  std::size_t begin = from;
  for (std::size_t at = line.find_first_not_of(' ', from); at != std::string_view::npos;
       at = line.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    Column column;
    column.begin = begin;
    column.end = end;
    column.metric = line.substr(at, end - at);
    columns.push_back(std::move(column));
    begin = at = end;
  }
  return columns;
}

// What stands in a column of a line below.
std::string_view CellOf(std::string_view line, const Column& column) {
  if (column.begin >= line.size()) return "";
  return Trim(line.substr(column.begin, column.end - column.begin));
}

// The same of a name, whose own blanks may stand at its end where it was cut.
std::string_view NameOf(std::string_view line, const Column& column) {
  if (column.begin >= line.size()) return "";
  return TrimLeft(line.substr(column.begin, column.end - column.begin));
}

class Parser {
 public:
  Parser(const Lines& lines, const ParseOptions& options, const Sink& sink)
      : lines_(lines), out_(lines, sink), days_(options.start) {}

  std::optional<Status> Run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      const std::string_view line = lines_[line_];
      if (line.empty() || TakeCsv(line) || TakeHeader(line) || TakeListed(line) || TakeRow(line) ||
          TakeLabels(line)) {
        continue;
      }
      Flush();
      out_.Reject(line_, csv_ ? "OUT-732"_clause : "OUT-711"_clause);
    }
    Flush();
    return std::nullopt;
  }

 private:
  // OUT-731, OUT-732
  bool TakeCsv(std::string_view line) {
    Scan scan(line);
    if (line.starts_with("Time,\"")) {
      scan.Take("Time");
      std::vector<Column> columns;
      while (scan.Take(",\"")) {
        const auto head = scan.TakeUntil("\"");
        if (!head) return false;
        columns.push_back(CsvColumn(*head));
        if (columns.back().metric.empty()) return false;
      }
      if (!scan.AtEnd()) return false;
      Flush();
      columns_ = std::move(columns);
      csv_ = true;
      return true;
    }
    if (!csv_) return false;
    const auto time = TakeCsvTime(&scan);
    if (!time) return false;
    std::vector<Item> items(columns_.size());
    for (Item& item : items) {
      if (!scan.Take(",") || !TakeField(&scan, &item)) return false;
    }
    if (!scan.AtEnd()) return false;
    Emit(*time, std::move(items));
    return true;
  }

  // `"M[I]"` of 7.1.5, `"M-I"` before, for a metric's name has no hyphen.
  static Column CsvColumn(std::string_view head) {
    Column column;
    const std::size_t end = head.find_first_of("[-");
    column.metric = head.substr(0, end);
    if (end == std::string_view::npos) return column;
    const bool brackets = head[end] == '[' && head.ends_with(']');
    column.instance = head.substr(end + 1, head.size() - end - 1 - (brackets ? 1 : 0));
    return column;
  }

  static std::optional<Stamp> TakeCsvTime(Scan* scan) {
    const std::string_view text = scan->rest();
    if (text.size() < 19 || text[10] != ' ') return std::nullopt;
    const auto time = ParseTime(text.substr(0, 19));
    if (!time) return std::nullopt;
    scan->Take(text.substr(0, 19));
    Stamp stamp;
    stamp.epoch = time->seconds;
    return stamp;
  }

  static bool TakeField(Scan* scan, Item* item) {
    item->altered = true;
    if (scan->Take("\"")) {
      const auto text = scan->TakeUntil("\"");
      if (!text) return false;
      item->type = "string";
      item->value = StringText(*text);
      return true;
    }
    const std::string_view text =
        scan->rest().substr(0, std::min(scan->rest().find(','), scan->rest().size()));
    scan->Take(text);
    return text.empty() ? SetMissing(item) : ReadNumber(text, item);
  }

  static bool SetMissing(Item* item) {
    item->state = "missing";
    return true;
  }

  static bool ReadNumber(std::string_view text, Item* item) {
    const auto number = PlainNumber(text);
    if (!number) return false;
    item->value = *number;
    if (number->find_first_of(".e") != std::string::npos) item->within = HalfLastPlace(*number);
    return true;
  }

  // OUT-717
  bool TakeHeader(std::string_view line) {
    const std::size_t colon = line.find(": ");
    if (csv_ || colon == std::string_view::npos || colon > 9) return false;
    const std::string_view name = TrimLeft(line.substr(0, colon));
    Scan text(line.substr(colon + 2));
    static constexpr std::array<std::string_view, 10> kNames = {
        "source", "archive", "host",    "timezone", "start",
        "end",    "metrics", "samples", "interval", "duration"};
    if (std::ranges::find(kNames, name) == kNames.end()) return false;
    Record* record = out_.current();
    if (record == nullptr || record->kind != "header") {
      record = &out_.Start(MakeRecord("header", line_ + 1));
    }
    if (name == "source" || name == "archive") {
      std::string_view path = text.rest();
      if (path.ends_with(" (archive)")) path.remove_suffix(10);
      Set(record, "archive", path);
    } else if (name == "start" || name == "end") {
      const auto stamp = TakeStamp(&text);
      if (!stamp || !stamp->epoch || !text.AtEnd()) return false;
      if (name == "start") days_.Learn(*stamp);
      Set(record, name == "start" ? "start" : "finish", StampText(*stamp));
    } else {
      Set(record, name, text.rest());
    }
    return true;
  }

  // OUT-718: `[ K] - METRIC["INST"] - UNITS`
  bool TakeListed(std::string_view line) {
    Scan scan(line);
    if (csv_ || !scan.Take("[")) return false;
    scan = Scan(TrimLeft(scan.rest()));
    const auto number = scan.TakeNumber();
    if (!number || !scan.Take("] - ")) return false;
    if (*number == 1) listed_.clear();
    if (*number != listed_.size() + 1) return false;
    Column column;
    const std::string_view text = scan.rest();
    const std::size_t end = text.find("[\"");
    const std::size_t close = text.rfind("\"] - ");
    if (end != std::string_view::npos && close != std::string_view::npos && close >= end + 2) {
      column.metric = text.substr(0, end);
      column.instance = text.substr(end + 2, close - end - 2);
    } else {
      column.metric = text.substr(0, text.find(" - "));
    }
    if (column.metric.empty()) return false;
    listed_.push_back(std::move(column));
    return true;
  }

  static std::optional<Stamp> StampOf(Scan* scan) { return TakeClock(scan, 0U); }

  // OUT-711: the lines above the first row with a stamp.
  bool TakeLabels(std::string_view line) {
    if (csv_ || !line.starts_with("        ")) return false;
    std::vector<std::string_view> heads = {line};
    std::size_t at = line_ + 1;
    while (at < lines_.size() && heads.size() < 4 && lines_[at].starts_with("        ")) {
      heads.push_back(lines_[at++]);
    }
    Scan row(at < lines_.size() ? lines_[at] : std::string_view());
    if (heads.size() > 3 || !StampOf(&row)) return false;
    std::vector<Column> columns = ColumnsOf(line, 8);
    if (columns.empty()) return false;
    labelled_ = false;
    if (!listed_.empty()) {
      if (columns.size() != listed_.size() || heads.size() != 1) return false;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].metric != std::to_string(i + 1)) return false;
        columns[i].metric = listed_[i].metric;
        columns[i].instance = listed_[i].instance;
      }
    } else {
      SetInstances(heads, lines_[at], at + 1 < lines_.size() ? lines_[at + 1] : "", &columns);
    }
    Flush();
    columns_ = std::move(columns);
    line_ = at - 1;
    return true;
  }

  void SetInstances(const std::vector<std::string_view>& heads, std::string_view row,
                    std::string_view next, std::vector<Column>* columns) {
    for (Column& column : *columns) column.abbreviated = true;
    if (heads.size() == 3 || (heads.size() == 2 && !AreUnits(heads[1], *columns))) {
      for (Column& column : *columns) {
        const std::string_view name = NameOf(heads[1], column);
        if (name.empty()) continue;
        column.instance = name;
        column.cut = name.size() + 2 >= column.end - column.begin;
      }
      return;
    }
    // OUT-719: the first column has the instance, and no units; there are several rows of a time.
    Item item;
    const std::string_view first = CellOf(row, columns->front());
    const bool again = row.size() >= 8 && next.starts_with(row.substr(0, 8));
    labelled_ = columns->size() > 1 && heads.size() == 2 &&
                CellOf(heads[1], columns->front()).empty() && (again || !ReadCell(first, 0, &item));
  }

  // OUT-713, perhaps cut to the column's width.
  static bool AreUnits(std::string_view line, const std::vector<Column>& columns) {
    static constexpr std::string_view kWords[] = {
        "byte",  "Kbyte", "Mbyte",   "Gbyte",    "Tbyte",    "Pbyte", "Ebyte",
        "Zbyte", "Ybyte", "nanosec", "microsec", "millisec", "sec",   "min",
        "hour",  "count", "ns",      "us",       "ms",       "s",     "h"};
    return std::ranges::all_of(columns, [&](const Column& column) {
      const std::string_view cell = CellOf(line, column);
      const std::string_view word =
          cell.substr(0, std::min(cell.find_first_of(" /^"), cell.size()));
      return std::ranges::any_of(kWords,
                                 [&](std::string_view unit) { return unit.starts_with(word); });
    });
  }

  bool TakeRow(std::string_view line) {
    if (csv_ || columns_.empty()) return false;
    Scan scan(line);
    const auto stamp = StampOf(&scan);
    if (!stamp) return false;
    std::vector<Item> items(columns_.size());
    const std::size_t first = labelled_ ? 1 : 0;
    for (std::size_t i = first; i < columns_.size(); ++i) {
      const std::size_t width = columns_[i].end - columns_[i].begin - 2;
      if (!ReadCell(CellOf(line, columns_[i]), width, &items[i])) return false;
    }
    if (line.size() > columns_.back().end) return false;
    if (labelled_) {
      const std::string_view name = NameOf(line, columns_.front());
      for (Column& column : columns_) {
        column.instance = name;
        column.cut = name.size() + 2 >= columns_.front().end - columns_.front().begin;
      }
      items.front().state = "missing";
    }
    Emit(*stamp, std::move(items));
    return true;
  }

  // OUT-715
  static bool ReadCell(std::string_view text, std::size_t width, Item* item) {
    if (text == "N/A") return SetMissing(item);
    if (text == "xxx") {
      item->state = "too wide";
      return true;
    }
    if (ReadNumber(text, item)) {
      // A real that has no room for a decimal has none, and is not rounded.
      const bool whole = item->within.empty() &&
                         item->value->find_first_not_of("-0123456789") == std::string::npos;
      if (whole && text.size() + 2 > width) item->within = "1";
      return true;
    }
    if (text.empty() || width == 0) return false;
    item->type = "string";
    item->value = StringText(text);
    if (text.size() == width) item->state = "cut";
    return true;
  }

  // A record for each metric, in the order of the columns; of several rows with an instance each
  // one for all.
  void Emit(const Stamp& stamp, std::vector<Item> items) {
    if (!labelled_ || ClockTextOf(stamp) != ClockTextOf(stamp_)) Flush();
    stamp_ = stamp;
    if (records_.empty()) days_.Place(stamp, &placed_);
    for (std::size_t i = labelled_ ? 1 : 0; i < items.size(); ++i) {
      const Column& column = columns_[i];
      const auto [place, fresh] = places_.try_emplace(column.metric, records_.size());
      if (fresh) {
        Record record = MakeValues(column.metric, line_ + 1);
        record.time = placed_.time;
        record.clock = placed_.clock;
        record.digits = placed_.digits;
        record.abbreviated = column.abbreviated;
        records_.push_back(std::move(record));
      }
      Item& item = items[i];
      if (item.state == "missing") continue;
      if (column.instance) {
        item.name = column.instance;
      } else {
        item.has_instance = true;
      }
      item.cut = column.cut;
      records_[place->second].items.push_back(std::move(item));
    }
  }

  void Flush() {
    for (Record& record : records_) out_.Start(std::move(record));
    out_.Flush();
    records_.clear();
    places_.clear();
    placed_ = Record();
  }

  const Lines& lines_;
  Collector out_;
  Days days_;
  std::size_t line_ = 0;
  bool csv_ = false;
  bool labelled_ = false;  // the first column has the instance
  std::vector<Column> columns_;
  std::vector<Column> listed_;
  // Of the last stamp, by metric.
  Stamp stamp_;
  Record placed_;
  std::vector<Record> records_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

std::optional<Status> ParsePmrep(const Lines& lines, const ParseOptions& options,
                                 const Sink& sink) {
  return Parser(lines, options, sink).Run();
}

}  // namespace pmproof::validator::tool_output

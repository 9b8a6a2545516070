// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "validator/tool_output/collector.h"
#include "validator/tool_output/pmrep_columns.h"
#include "validator/tool_output/printed_value.h"
#include "validator/tool_output/time_format.h"

// Section 7 of the specification.

namespace pmproof::validator::tool_output {
namespace {

constexpr std::string_view kColumnsTime = "%H:%M:%S";
constexpr std::string_view kCsvTime = "%Y-%m-%d %H:%M:%S";

// "UTC-5", "UTC+5:30" -> seconds (OUT-717).
std::optional<std::int64_t> OffsetOf(std::string_view zone) {
  Scan scan(zone.substr(0, zone.find(" (")));
  if (!scan.Take("UTC")) return std::nullopt;
  const std::int64_t sign = scan.Take("-") ? -1 : 1;
  scan.Take("+");
  const auto hours = scan.TakeNumber<std::uint8_t>();
  std::optional<std::uint32_t> minutes = 0;
  if (scan.Take(":")) minutes = scan.TakeDigits(2);
  if (!hours || !minutes || !scan.AtEnd()) return std::nullopt;
  return sign * (std::int64_t{*hours} * 3600 + std::int64_t{*minutes} * 60);
}

// Whether a line above all columns may be their labels: words that begin like names (OUT-711).
bool MayBeLabels(std::string_view line) {
  if (!line.starts_with(' ') || Trim(line).empty()) return false;
  for (std::string_view rest = TrimLeft(line); !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    const char c = word.front();
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
    rest = TrimLeft(rest.substr(word.size()));
  }
  return true;
}

class Parser {
 public:
  Parser(const Lines& lines, const ParseOptions& options, TimeFormat time, TimeFormat csv_time,
         const Sink& sink)
      : lines_(lines),
        options_(options),
        out_(lines, sink),
        days_(options.start),
        cutter_(options.delimiter.value_or(std::string(kTwoBlanks))),
        time_(std::move(time)),
        csv_time_(std::move(csv_time)),
        delimiter_(options.delimiter.value_or(",")) {}

  std::optional<Status> Run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      const std::string_view line = lines_[line_];
      const bool taken = line.empty() || TakeCsv(line) || TakeHeader(line) || TakeListed(line) ||
                         TakeRow(line) || TakeHeading(line);
      if (!taken && !refused_ && rows_ == 0) RefuseUnknown(line);
      if (refused_) return refused_;
      if (taken) continue;
      Flush();
      out_.Reject(line_, csv_ ? "OUT-732"_clause : "OUT-711"_clause);
    }
    Flush();
    return std::nullopt;
  }

 private:
  bool Refuse(Clause clause, const std::string& message) {
    refused_ = Refusal(clause, line_ + 1, message);
    return false;
  }

  // What would have to be guessed above the first row that is read: which option says it.
  void RefuseUnknown(std::string_view line) {
    Scan scan(line);
    if (csv_) {
      if (!csv_time_.Take(&scan)) {
        Refuse("OUT-723"_clause, "this row begins with no time of the form " +
                                     options_.time_format.value_or(std::string(kCsvTime)) +
                                     ": say --time-format as given to pmrep -f");
      }
      return;
    }
    if (!columns_.empty()) return;
    Scan csv(line);
    if (time_.Take(&scan) || csv_time_.Take(&csv)) {
      Refuse("OUT-722"_clause,
             "there is no heading above this row: name its columns by --columns, or run pmrep "
             "without -H");
      return;
    }
    const std::string_view text = TrimLeft(line);
    const char first = text.empty() ? ' ' : text.front();
    static constexpr std::string_view kMarks = "|;,:/!+*~^&%$@<>=\t";
    if (kMarks.find(first) != std::string_view::npos &&
        MayBeLabels(" " + std::string(TrimLeft(text.substr(1))).substr(0, 1))) {
      Refuse("OUT-720"_clause, "these columns are not separated by \"" +
                                   options_.delimiter.value_or(std::string(kTwoBlanks)) +
                                   "\": say --delimiter as given to pmrep -l");
    } else if ((MayBeLabels(line) || !listed_.empty()) && line_ + 1 < lines_.size()) {
      Refuse("OUT-721"_clause,
             "the rows below this heading have no times of the form " +
                 options_.time_format.value_or(std::string(kColumnsTime)) +
                 ": run pmrep with -p, say --time-format as given to -f, or for rows without "
                 "times --interval and --start");
    }
  }

  // OUT-731, OUT-732, OUT-734
  bool TakeCsv(std::string_view line) {
    if (line.starts_with("Time") && line.ends_with('"')) return TakeCsvHeading(line);
    Scan scan(line);
    if (!csv_ && !(columns_.empty() && !options_.columns.empty())) return false;
    const auto time = csv_time_.Take(&scan);
    if (!time) return false;
    std::vector<Column> named;
    if (!csv_) {  // -H
      for (const std::string& name : options_.columns) named.push_back(NamedColumn(name));
    }
    std::vector<Item> items(csv_ ? columns_.size() : named.size());
    for (Item& item : items) {
      if (!scan.Take(delimiter_) || !TakeField(&scan, &item)) return false;
    }
    if (!scan.AtEnd()) return false;
    if (!csv_) columns_ = std::move(named);
    csv_ = true;
    Emit(*time, std::move(items));
    return true;
  }

  bool TakeCsvHeading(std::string_view line) {
    Scan scan(line);
    scan.Take("Time");
    const std::string delimiter(scan.rest().substr(0, scan.rest().find('"')));
    if (delimiter.empty() || delimiter.find_first_of("0123456789") != std::string::npos) {
      return false;
    }
    if (options_.delimiter && delimiter != *options_.delimiter) {
      return Refuse("OUT-734"_clause, "the heading is separated by \"" + delimiter +
                                          "\", and --delimiter says \"" + *options_.delimiter +
                                          "\"");
    }
    std::vector<Column> columns;
    while (scan.Take(delimiter + "\"")) {
      const auto head = scan.TakeUntil("\"");
      if (!head) return false;
      columns.push_back(NamedColumn(*head));
      if (columns.back().metric.empty()) return false;
    }
    if (!scan.AtEnd()) return false;
    Flush();
    columns_ = std::move(columns);
    delimiter_ = delimiter;
    csv_ = true;
    return true;
  }

  bool TakeField(Scan* scan, Item* item) const {
    item->altered = true;
    item->delimiter = delimiter_;
    if (scan->Take("\"")) {
      const auto text = scan->TakeUntil("\"");
      if (!text) return false;
      item->type = "string";
      item->value = StringText(*text);
      return true;
    }
    const std::string_view text =
        scan->rest().substr(0, std::min(scan->rest().find(delimiter_), scan->rest().size()));
    scan->Take(text);
    if (!text.empty()) return ReadPmrepNumber(text, item);
    item->state = "missing";
    return true;
  }

  // OUT-717; OUT-735: in CSV after `#`.
  bool TakeHeader(std::string_view line) {
    if (csv_) return false;
    if (line.starts_with('#')) line.remove_prefix(1);
    if (line.empty()) return true;
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos || colon > 9) return false;
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
      if (name == "start") {
        if (!IsOfZone(*stamp)) return false;
        days_.Learn(*stamp);
      }
      SetTime(record, name == "start" ? "start" : "finish", *stamp);
    } else {
      if (name == "timezone" && !IsKnownZone(text.rest())) return false;
      Set(record, name, text.rest());
    }
    return true;
  }

  bool IsKnownZone(std::string_view zone) {
    zone_text_ = zone;
    zone_offset_ = OffsetOf(zone);
    if (options_.offset || zone_offset_ == 0) return true;
    return Refuse("OUT-102"_clause,
                  "times are read as UTC: say their zone by --zone, or run the tool with -Z UTC: " +
                      zone_text_);
  }

  // Whether the zone that the caller named has the offset that the output shows.
  bool IsOfZone(const Stamp& start) {
    if (!options_.offset || !zone_offset_) return true;
    if (options_.offset(*start.epoch - *zone_offset_) == *zone_offset_) return true;
    return Refuse("OUT-108"_clause, "the tool ran in " + zone_text_ +
                                        ", which is not that of --zone " + options_.zone);
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

  // OUT-711: the lines above the first row.
  bool TakeHeading(std::string_view line) {
    if (csv_ || (!options_.interval && !line.starts_with(' '))) return false;
    std::size_t stamp = 0;
    const std::size_t count = options_.interval ? UntimedHeads() : TimedHeads(&stamp);
    if (count == 0) return false;
    std::vector<Column> columns = cutter_.ColumnsOf(line, stamp);
    if (columns.empty()) return false;
    if (!listed_.empty()) {
      if (columns.size() != listed_.size() || count != 1) return false;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].metric != std::to_string(i + 1)) return false;
        columns[i].metric = listed_[i].metric;
        columns[i].instance = listed_[i].instance;
      }
      labelled_ = false;
    } else if (!SetInstances(count, &columns)) {
      return false;
    }
    Flush();
    columns_ = std::move(columns);
    stamp_size_ = stamp;
    line_ += count - 1;
    return true;
  }

  // How many lines from here on stand above the first that begins with a time, each with as many
  // blanks; 0 if these are not a heading.
  std::size_t TimedHeads(std::size_t* stamp) const {
    for (std::size_t at = line_; at < lines_.size() && at < line_ + 4; ++at) {
      Scan row(lines_[at]);
      if (!time_.Take(&row)) continue;
      *stamp = lines_[at].size() - row.rest().size();
      for (std::size_t head = line_; head < at; ++head) {
        const std::string_view text = lines_[head].substr(0, *stamp);
        if (text.size() < *stamp || text.find_first_not_of(' ') != std::string_view::npos) return 0;
      }
      return at - line_;
    }
    return 0;
  }

  // The same where rows have no times: the line of units is the last one of a heading.
  std::size_t UntimedHeads() {
    if (!listed_.empty()) return 1;
    const std::vector<Column> columns = cutter_.ColumnsOf(lines_[line_], 0);
    const auto units = [&](std::size_t at) {
      return at < lines_.size() && !columns.empty() && AreUnits(CellsOf(lines_[at], columns));
    };
    const bool second = units(line_ + 1);
    const bool third = units(line_ + 2);
    if (second != third) return second ? 2 : 3;
    Refuse("OUT-721"_clause, "where this heading ends is not seen: run pmrep with -p");
    return 0;
  }

  // The cells of a line; one that is missing is not a unit.
  std::vector<std::string_view> CellsOf(std::string_view line,
                                        const std::vector<Column>& columns) const {
    std::vector<std::string_view> cells;
    cells.reserve(columns.size());
    for (const Column& column : columns) cells.push_back(cutter_.Cell(line, column).value_or("?"));
    return cells;
  }

  bool SetInstances(std::size_t heads, std::vector<Column>* columns) {
    labelled_ = false;
    for (Column& column : *columns) column.abbreviated = true;
    const std::string_view below = heads > 1 ? lines_[line_ + 1] : std::string_view();
    const std::vector<std::string_view> cells = CellsOf(below, *columns);
    if (heads == 3 || (heads == 2 && !AreUnits(cells))) {
      for (Column& column : *columns) {
        const std::string_view name = cutter_.InstanceOf(below, column);
        if (name.empty()) continue;
        column.instance = name;
        column.cut = name.size() >= cutter_.WidthOf(column);
      }
      return true;
    }
    // OUT-719: the first column has the instance, and no units; there are several rows of a time.
    if (columns->size() == 1 || heads != 2 || !Trim(cells.front()).empty()) return true;
    const std::size_t at = line_ + heads;
    const std::string_view row = at < lines_.size() ? lines_[at] : "";
    const std::string_view next = at + 1 < lines_.size() ? lines_[at + 1] : "";
    const std::size_t stamp = columns->front().begin;
    const bool again = stamp > 0 && row.size() >= stamp && next.starts_with(row.substr(0, stamp));
    Item item;
    const auto first = cutter_.Cell(row, columns->front());
    labelled_ = again || !first || !ReadPmrepCell(Trim(*first), 0, &item);
    if (!labelled_ || !options_.interval) return true;
    return Refuse("OUT-721"_clause,
                  "whether the first column has texts or instances is not seen: run pmrep with -p");
  }

  // Of -H: from the first row, which has to show where its columns end (OUT-722).
  bool TakeColumnsOfRow(std::string_view line, std::size_t stamp) {
    std::vector<Column> columns = cutter_.ColumnsOf(line, stamp);
    if (columns.size() != options_.columns.size()) {
      return Refuse("OUT-722"_clause, "--columns names " + std::to_string(options_.columns.size()) +
                                          ", and this row has " + std::to_string(columns.size()) +
                                          ": run pmrep without -H");
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      Item item;
      if (!options_.delimiter && !ReadPmrepCell(columns[i].metric, 0, &item)) {
        return Refuse("OUT-722"_clause,
                      "where the columns of texts end is not seen: run pmrep without -H");
      }
      const Column named = NamedColumn(options_.columns[i]);
      columns[i].metric = named.metric;
      columns[i].instance = named.instance;
    }
    columns_ = std::move(columns);
    stamp_size_ = stamp;
    return true;
  }

  // Nothing: the row has no time where it should have one.
  std::optional<Stamp> TakeRowTime(Scan* scan) {
    if (!options_.interval) return time_.Take(scan);
    const Timestamp time = options_.start.value_or(Timestamp{}) +
                           static_cast<std::int64_t>(rows_) * *options_.interval;
    Stamp stamp;
    stamp.epoch = time.seconds;
    stamp.nanoseconds = time.nanoseconds;
    stamp.digits = 9;
    return stamp;
  }

  bool TakeRow(std::string_view line) {
    if (csv_ || (columns_.empty() && options_.columns.empty())) return false;
    Scan scan(line);
    const auto stamp = TakeRowTime(&scan);
    if (!stamp) return false;
    const std::size_t size = line.size() - scan.rest().size();
    if (columns_.empty() && !TakeColumnsOfRow(line, size)) return false;
    if (size != stamp_size_ || line.size() > columns_.back().end) return false;
    std::vector<Item> items(columns_.size());
    for (std::size_t i = labelled_ ? 1 : 0; i < columns_.size(); ++i) {
      const auto cell = cutter_.Cell(line, columns_[i]);
      if (!cell) return false;
      if (labelled_ && Trim(*cell) == "~") {  // it has no such instance
        items[i].state = "missing";
      } else if (!ReadPmrepCell(Trim(*cell), cutter_.WidthOf(columns_[i]), &items[i])) {
        return false;
      }
    }
    if (labelled_) {
      const std::string_view name = cutter_.InstanceOf(line, columns_.front());
      for (Column& column : columns_) {
        column.instance.reset();
        if (name != "=") column.instance = name;  // "=": singular
        column.cut = name.size() >= cutter_.WidthOf(columns_.front());
      }
      items.front().state = "missing";
    }
    Emit(*stamp, std::move(items));
    return true;
  }

  // A record for each metric, in the order of the columns; of several rows with an instance each
  // one for all.
  void Emit(const Stamp& stamp, std::vector<Item> items) {
    ++rows_;
    if (!labelled_ || ClockTextOf(stamp) != ClockTextOf(stamp_)) Flush();
    stamp_ = stamp;
    if (records_.empty()) days_.Place(stamp, &placed_);
    for (std::size_t i = labelled_ ? 1 : 0; i < items.size(); ++i) {
      const Column& column = columns_[i];
      const auto [place, fresh] = places_.try_emplace(column.metric, records_.size());
      if (fresh) {
        Record record = MakeValues(column.metric, line_ + 1);
        record.TakeTimeOf(placed_);
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
      item.cut = column.cut && column.instance;
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
  const ParseOptions& options_;
  Collector out_;
  Days days_;
  ColumnCutter cutter_;
  TimeFormat time_;
  TimeFormat csv_time_;
  std::string delimiter_;  // of CSV
  std::string zone_text_;  // of the header
  std::optional<std::int64_t> zone_offset_;
  std::optional<Status> refused_;
  std::size_t line_ = 0;
  std::size_t rows_ = 0;
  bool csv_ = false;
  bool labelled_ = false;  // the first column has the instance
  std::size_t stamp_size_ = 0;
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
  auto time = TimeFormat::Parse(options.time_format.value_or(std::string(kColumnsTime)));
  auto csv_time = TimeFormat::Parse(options.time_format.value_or(std::string(kCsvTime)));
  if (!time || !csv_time) {
    return Status{.kind = Status::Kind::kUsage,
                  .clause = "OUT-723"_clause,
                  .message = "--time-format " + *options.time_format + ": " + time.error()};
  }
  if (options.interval && !options.start) {
    return Status{.kind = Status::Kind::kUsage,
                  .clause = "OUT-721"_clause,
                  .message = "--interval needs the time of the first row: say --start"};
  }
  return Parser(lines, options, *std::move(time), *std::move(csv_time), sink).Run();
}

}  // namespace pmproof::validator::tool_output

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "validator/tool_output/collector.h"
#include "validator/tool_output/printed_value.h"

// Section 5 of the specification.

namespace pmproof::validator::tool_output {
namespace {

constexpr std::array<std::string_view, 9> kColumns = {
    "stochastic_average", "time_average", "sum", "minimum", "minimum_time", "maximum",
    "maximum_time",       "count",        "bins"};

constexpr std::string_view kInsufficient = "- insufficient archive data.";

class Parser {
 public:
  Parser(const Lines& lines, const ParseOptions& options, const Sink& sink)
      : lines_(lines), options_(options), out_(lines, sink), days_(options.start) {
    columns_ = options.columns;
    if (columns_.empty()) columns_ = {"time_average"};
    columns_are_known_ = !options.columns.empty();
  }

  std::optional<Status> Run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      const std::string_view line = lines_[line_];
      if (const auto note = ReadZoneNote(line, line_ + 1, options_)) {
        if (note->refused) return note->refused;
        Set(&out_.Start(MakeRecord("note", line_ + 1)), "text", line);
        continue;
      }
      if (line.empty() || TakeLabel(line) || TakeHeading(line) || TakeSummary(line)) continue;
      if (!columns_are_known_ && HasMoreColumns(line)) {
        return Refusal("OUT-502"_clause, line_ + 1,
                       "other columns than the time average: name them by --columns "
                       "(of pmlogsummary -a: --columns "
                       "stochastic_average,time_average,minimum,maximum,count), or run the tool "
                       "with -H: " +
                           std::string(line));
      }
      out_.Reject(line_, "OUT-501"_clause);
    }
    out_.Flush();
    return std::nullopt;
  }

 private:
  // OUT-505
  bool TakeLabel(std::string_view line) {
    std::optional<Stamp> start;
    if (!out_.TakeLabel(line, line_ + 1, &start)) return false;
    if (start) days_.Learn(*start);
    return true;
  }

  // OUT-503
  bool TakeHeading(std::string_view line) {
    Scan scan(line);
    if (!scan.Take("metric") || scan.AtEnd()) return false;
    const std::string delimiter(1, scan.rest().front());
    std::vector<std::string> columns;
    while (scan.Take(delimiter)) {
      const std::string_view word =
          scan.rest().substr(0, std::min(scan.rest().find(delimiter), scan.rest().size()));
      scan.Take(word);
      columns.emplace_back(word);
    }
    if (columns.empty() || columns.back() != "units" || !scan.AtEnd()) return false;
    columns.pop_back();
    for (const std::string& column : columns) {
      if (std::ranges::find(kColumns, column) == kColumns.end()) return false;
    }
    out_.Flush();
    columns_ = std::move(columns);
    columns_are_known_ = true;
    return true;
  }

  // Whether what stands after the name and instance begins with several numbers or times.
  static bool HasMoreColumns(std::string_view line) {
    if (const std::size_t end = line.rfind("\"]"); end != std::string_view::npos) {
      line.remove_prefix(end + 2);
    } else {
      const std::size_t start = line.find_first_of(" \t,");
      if (start == 0 || start == std::string_view::npos) return false;
      line.remove_prefix(start);
    }
    int numbers = 0;
    while (numbers < 2) {
      const std::size_t begin = line.find_first_not_of(" \t,");
      if (begin == std::string_view::npos) break;
      line.remove_prefix(begin);
      const std::string_view word = line.substr(0, line.find_first_of(" \t,"));
      if (word.find_first_of("0123456789.-[<") != 0) break;
      ++numbers;
      line.remove_prefix(word.size());
    }
    return numbers == 2;
  }

  // OUT-501: one delimiter before an instance, two where there is none.
  bool TakeSummary(std::string_view line) {
    Scan scan(line);
    const bool partial = scan.Take("*");
    const std::size_t end = scan.rest().find_first_of(" \t,");
    if (end == 0 || end == std::string_view::npos) return false;
    const std::string_view name = scan.rest().substr(0, end);
    const std::string delimiter(1, scan.rest()[end]);
    scan.Take(scan.rest().substr(0, end + 1));
    Record record = MakeRecord("summary", line_ + 1);
    record.metric = name;
    if (partial) SetTrue(&record, "partial");
    if (scan.rest().starts_with('[')) return TakeInstanceSummary(scan, delimiter, record);
    record.attributes.push_back({"instance", "null"});
    // Without an instance the text is after one delimiter or two.
    scan.Take(delimiter);
    return TakeColumns(scan, delimiter, record);
  }

  // A name ends where columns can follow it.
  bool TakeInstanceSummary(Scan scan, const std::string& delimiter, const Record& record) {
    static constexpr int kTries = 16;  // so many places in a name may look like its end
    if (scan.Take("[\"")) {
      const std::string_view text = scan.rest();
      const std::string mark = "\"]" + delimiter;
      std::size_t at = text.find(mark);
      for (int i = 0; i < kTries && at != std::string_view::npos; ++i) {
        Record found = record;
        Set(&found, "name", text.substr(0, at));
        if (TakeColumns(Scan(text.substr(at + mark.size())), delimiter, found)) return true;
        at = text.find(mark, at + 1);
      }
      return false;
    }
    Record found = record;
    if (!scan.Take("[")) return false;
    const auto instance = scan.TakeNumber<std::int64_t>();
    if (!instance || !scan.Take("]") || !scan.Take(delimiter)) return false;
    Set(&found, "instance", *instance);
    return TakeColumns(scan, delimiter, found);
  }

  bool TakeColumns(Scan scan, const std::string& delimiter, Record record) {
    if (scan.rest() == kInsufficient) {
      SetTrue(&record, "insufficient");
      out_.Start(std::move(record));
      return true;
    }
    for (const std::string& column : columns_) {
      const bool taken = column.ends_with("_time") ? TakeTime(&scan, column, &record)
                         : column == "bins"        ? TakeBins(&scan, delimiter, &record)
                                                   : TakeNumber(&scan, delimiter, column, &record);
      if (!taken || !scan.Take(delimiter)) return false;
    }
    // More numbers than columns: they were named wrong.
    if (scan.rest().find_first_of("0123456789.-[") == 0) return false;
    Set(&record, "units", scan.rest() == "none" ? std::string_view() : scan.rest());
    out_.Start(std::move(record));
    return true;
  }

  static bool TakeNumber(Scan* scan, const std::string& delimiter, const std::string& column,
                         Record* record) {
    const std::size_t end = scan->rest().find(delimiter);
    if (end == std::string_view::npos) return false;
    const std::string_view text = scan->rest().substr(0, end);
    const auto number = PlainNumber(text);
    if (!number) return false;
    scan->Take(text);
    Set(record, column, *number);
    if (column != "count" && record->Find("within") == nullptr) {
      if (const std::string within = HalfLastPlace(*number); !within.empty()) {
        Set(record, "within", within);
      }
    }
    return true;
  }

  bool TakeTime(Scan* scan, const std::string& column, Record* record) {
    const bool quoted = scan->Take("'");
    auto stamp = TakeStamp(scan);
    if (!stamp || (quoted && !scan->Take("'"))) return false;
    if (!stamp->epoch) {
      Record placed;
      Days days = days_;
      days.Place(*stamp, &placed);
      if (placed.time) stamp->epoch = placed.time->seconds;
    }
    SetTime(record, column, *stamp);
    return true;
  }

  static bool TakeBins(Scan* scan, const std::string& delimiter, Record* record) {
    record->list = "bins";
    Scan ahead = *scan;
    while (ahead.Take("[")) {
      Item item;
      if (ahead.Take("<=")) {
        const auto bound = ahead.TakeUntil("]");
        if (!bound || !PlainNumber(*bound)) return false;
        item.name = *PlainNumber(*bound);
      } else if (!ahead.Take("]")) {
        return false;
      } else {
        item.name = "";
      }
      if (!ahead.Take(delimiter)) return false;
      const auto count = ahead.TakeNumber();
      if (!count) return false;
      item.value = std::to_string(*count);
      record->items.push_back(std::move(item));
      *scan = ahead;
      if (!ahead.Take(delimiter)) return false;
    }
    return !record->items.empty();
  }

  const Lines& lines_;
  const ParseOptions& options_;
  Collector out_;
  Days days_;
  std::vector<std::string> columns_;
  bool columns_are_known_ = false;  // from a heading or the caller
  std::size_t line_ = 0;
};

}  // namespace

std::optional<Status> ParsePmlogsummary(const Lines& lines, const ParseOptions& options,
                                        const Sink& sink) {
  return Parser(lines, options, sink).Run();
}

}  // namespace pmproof::validator::tool_output

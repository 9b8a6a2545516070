// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "reference/core/units_text.h"
#include "validator/tool_output/collector.h"
#include "validator/tool_output/printed_value.h"

// Section 2 of the specification.

namespace pmproof::validator::tool_output {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kHeader = {
    {{"metric:    ", "metric"},
     {"archive:   ", "archive"},
     {"host:      ", "host"},
     {"start:     ", "start"},
     {"end:       ", "finish"},
     {"semantics: ", "semantics"},
     {"units:     ", "units"},
     {"samples:   ", "samples"},
     {"interval:  ", "interval"}}};

// OUT-217: what a rate divides by beside the seconds.
double FactorOf(std::string_view units_text) {
  const auto parsed =
      ParseUnits(units_text == "none" ? "" : std::string(units_text), PcpVersion::k7_2);
  if (!parsed || parsed->units.dim_time() == 0) return 1;
  const int scale = parsed->units.scale_time();
  return scale <= 3 ? std::pow(1000.0, 3 - scale) : std::pow(60.0, 3 - scale);
}

class Parser {
 public:
  Parser(const Lines& lines, const ParseOptions& options, const Sink& sink)
      : lines_(lines), options_(options), out_(lines, sink), days_(options.start) {}

  std::optional<Status> Run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      const std::string_view line = lines_[line_];
      if (out_.TakesWithin(line_)) continue;
      if (const auto note = ReadZoneNote(line, line_ + 1, options_)) {
        if (note->refused) return note->refused;
        Set(&out_.Start(MakeRecord("note", line_ + 1)), "text", line);
        continue;
      }
      if (line.empty() || TakeHeader(line) || TakeFullLabel(line) || TakeWarning(line) ||
          TakeEventLine(line) || TakeValueLine(line) || TakeColumnHeader(line) ||
          out_.TakesBehind(line_)) {
        continue;
      }
      out_.Reject(line_, "OUT-213"_clause);
    }
    out_.Flush();
    return std::nullopt;
  }

 private:
  // OUT-201..203
  bool TakeHeader(std::string_view line) {
    Scan scan(line);
    for (const auto& [words, name] : kHeader) {
      if (!scan.Take(words)) continue;
      Record* record = out_.current();
      if (record == nullptr || record->kind != "header") {
        record = &out_.Start(MakeRecord("header", line_ + 1));
      }
      if (record->Find(name) != nullptr || (name == "metric" && !record->metric.empty())) {
        return false;
      }
      return TakeHeaderField(name, scan, record);
    }
    return false;
  }

  bool TakeHeaderField(std::string_view name, Scan scan, Record* record) {
    if (name == "metric") {
      metric_ = scan.rest();
      record->metric = metric_;
      return true;
    }
    if (name == "start" || name == "finish") {
      const auto stamp = TakeStamp(&scan);
      if (!stamp || !stamp->epoch || !scan.AtEnd()) return false;
      if (name == "start") days_.Learn(*stamp);
      SetTime(record, name, *stamp);
      return true;
    }
    const std::size_t converted = scan.rest().find(" (converting to ");
    const std::string_view text = scan.rest().substr(0, converted);
    if (name == "semantics") rate_ = converted != std::string_view::npos;
    if (name == "units") {
      factor_ = rate_ ? FactorOf(text) : 1;
      if (rate_ && converted != std::string_view::npos) {
        Set(record, "converted",
            scan.rest().substr(converted + 16, scan.rest().size() - converted - 17));
      }
      Set(record, name, text == "none" ? std::string_view() : text);
      return true;
    }
    Set(record, name, text);
    return true;
  }

  // OUT-212: `full label for instance[K]: NAME`, K counts from 0.
  bool TakeFullLabel(std::string_view line) {
    Scan scan(line);
    if (!scan.Take("full label for instance[")) return false;
    const auto index = scan.TakeNumber();
    if (!index || !scan.Take("]: ") || *index > full_names_.size()) return false;
    if (*index == 0) full_names_.clear();
    full_names_.resize(*index);
    full_names_.emplace_back(scan.rest());
    return true;
  }

  // OUT-218
  bool TakeWarning(std::string_view line) {
    if (!line.starts_with("Warning: value=") || !line.ends_with(" is unknown")) return false;
    Set(&out_.Start(MakeRecord("note", line_ + 1)), "text", line);
    return true;
  }

  // OUT-213, OUT-216. A stamp without a day has three digits, whatever touches it.
  std::optional<Stamp> StampOf(Scan* scan) const { return TakeStamp(scan, 3U); }

  bool TakeValueLine(std::string_view line) {
    Scan scan(line);
    const std::optional<Stamp> stamp = StampOf(&scan);
    if (!stamp) return false;
    if (scan.rest() == "  Archive logging suspended") {
      Record& record = out_.Start(MakeRecord("mark", line_ + 1));
      days_.Place(*stamp, &record);
      return true;
    }
    if (metric_.empty()) return false;  // there was no header
    Record record = MakeValues(metric_, line_ + 1);
    record.rate = rate_;
    record.factor = factor_;
    if (scan.rest() == "  No values available") {
      days_.Place(*stamp, &record);
      out_.Start(std::move(record));
      return true;
    }
    std::vector<std::string_view> cells;
    std::size_t last = line_;
    std::string row;
    if (!names_.empty()) {
      row = RowFrom(scan.rest(), names_.size() * (width_ + 1), &last);
      if (!CutCells(row, names_.size(), width_, &cells)) return false;
    } else {
      cells.push_back(scan.rest());
    }
    std::vector<Item> items;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      Item item;
      if (names_.empty()) {
        item.has_instance = true;
      } else {
        item.name = names_[i];
        item.cut = cut_[i];
      }
      if (!ReadCell(cells[i], &item)) return false;
      if (item.state != "missing") items.push_back(std::move(item));
    }
    // A singular text may go on in the next line.
    if (names_.empty() && cells[0].find('"') != std::string_view::npos) {
      days_.Place(*stamp, &record);
      out_.Start(std::move(record));
      Item item;
      item.has_instance = true;
      if (out_.AddValue(std::move(item), TrimLeft(cells[0]), line_)) return true;
      out_.Drop();
      return false;
    }
    days_.Place(*stamp, &record);
    record.items = std::move(items);
    out_.Start(std::move(record));
    line_ = last;
    return true;
  }

  // OUT-104, OUT-213: texts of columns go on in further lines until the row is as long as its
  // columns are wide. `text` is what stands behind the stamp of line `last`, which becomes the
  // last line of the row.
  std::string RowFrom(std::string_view text, std::size_t size, std::size_t* last) const {
    std::string row(text);
    while (row.size() < size && row.find('"') != std::string::npos && *last + 1 < lines_.size()) {
      Scan scan(lines_[*last + 1]);
      if (StampOf(&scan)) break;
      row += '\n';
      row += lines_[++*last];
    }
    return row;
  }

  // OUT-214, OUT-215
  static bool ReadCell(std::string_view cell, Item* item) {
    const std::string_view text = Trim(cell);
    if (text == "?") {
      item->state = "missing";
      return true;
    }
    if (text == "!") {
      item->state = "decreased";
      return true;
    }
    if (!ReadPrintedValue(text, item)) return false;
    if (!item->type.empty()) return true;
    // "0.0   " is a nought of the table; with -f a small number may stand so, without blanks.
    const bool real = text.find_first_of(".eE") != std::string_view::npos;
    const bool nought = (text == "0.0" || text == "-0.0") && cell.ends_with("   ");
    if (real && !nought) item->within = HalfLastPlace(*item->value);
    return true;
  }

  // Cuts what stands after a stamp into columns: by position, where a value that is wider moves
  // what follows; at the blanks where that does not fit, for wide reals have blanks of their own.
  static bool CutCells(std::string_view text, std::size_t count, std::size_t width,
                       std::vector<std::string_view>* cells) {
    cells->clear();
    std::string_view rest = text;
    while (!rest.empty() && cells->size() <= count) {
      std::size_t end = std::min(width, rest.size());
      // A wide value goes on up to the blank after it; a text up to its quote.
      const std::string_view start = TrimLeft(rest.substr(0, end));
      if (start.starts_with('"') && IsOpenString(Trim(start))) {
        const std::size_t quote = rest.find("\" ", end - start.size() + 1);
        if (quote == std::string_view::npos) return false;
        end = quote + 1;
      } else {
        while (end < rest.size() && rest[end] != ' ') ++end;
      }
      const std::string_view cell = rest.substr(0, end);
      const std::string_view word = Trim(cell);
      if (word.empty() || (!word.starts_with('"') && word.find(' ') != std::string_view::npos &&
                           !word.ends_with(']'))) {
        cells->clear();
        break;
      }
      cells->push_back(cell);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (cells->size() == count && Trim(rest).empty()) return true;
    return CutAlternatives(text, count, width, cells) || CutWords(text, count, cells);
  }

  // MET-504: an aggregate is printed in several ways, each as wide as a column. The last one has
  // its bytes.
  static bool CutAlternatives(std::string_view text, std::size_t count, std::size_t width,
                              std::vector<std::string_view>* cells) {
    cells->clear();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t start = at;
      std::string_view last;
      do {
        if (text.size() - at <= width || text[at + width] != ' ') return false;
        last = Trim(text.substr(at, width));
        at += width + 1;
      } while (!last.ends_with(']') && last != "?" && at < text.size());
      if (last == "?" ? at - start != width + 1 : !last.ends_with(']')) return false;
      cells->push_back(text.substr(start, at - 1 - start));
    }
    return cells->size() == count;
  }

  static bool CutWords(std::string_view text, std::size_t count,
                       std::vector<std::string_view>* cells) {
    cells->clear();
    if (text.find('"') != std::string_view::npos) return false;
    for (std::size_t at = text.find_first_not_of(' '); at != std::string_view::npos;
         at = text.find_first_not_of(' ', at)) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      std::size_t behind = end;
      while (behind < text.size() && text[behind] == ' ') ++behind;
      cells->push_back(text.substr(at, behind - at));
      at = end;
    }
    return cells->size() == count;
  }

  // OUT-211, OUT-212: how wide the columns are is found from the values below their names.
  bool TakeColumnHeader(std::string_view line) {
    if (!line.starts_with("            ") || !line.ends_with(' ')) return false;
    std::vector<std::string> below;
    std::size_t stamp_size = 0;
    static constexpr std::size_t kLooks = 64;
    for (std::size_t i = line_ + 1; i < lines_.size() && below.size() < kLooks; ++i) {
      Scan scan(lines_[i]);
      const std::optional<Stamp> stamp = StampOf(&scan);
      if (!stamp) {
        if (lines_[i].starts_with("            ")) break;
        continue;
      }
      if (scan.rest().starts_with("  No values") || scan.rest().starts_with("  Archive logging")) {
        continue;
      }
      stamp_size = (stamp->epoch ? 25 : 9) + stamp->digits;  // not that of OUT-222
      below.push_back(RowFrom(scan.rest(), line.size() - std::min(stamp_size, line.size()), &i));
    }
    if (below.empty()) {  // names without a value below them
      SetNames(Trim(line), 0);
      return true;
    }
    if (stamp_size >= line.size()) return false;
    const std::string_view heads = line.substr(stamp_size);
    std::vector<std::size_t> widths;
    if (options_.width) widths = {*options_.width};
    if (widths.empty()) {
      widths = {11, 13, 21};
      static constexpr std::size_t kMostNames = 4096;
      for (std::size_t count = 1; count <= std::min(heads.size() / 2, kMostNames); ++count) {
        if (heads.size() % count == 0) widths.push_back(heads.size() / count - 1);
      }
    }
    for (const std::size_t width : widths) {
      if (width == 0 || heads.size() % (width + 1) != 0) continue;
      const std::size_t count = heads.size() / (width + 1);
      std::vector<std::string_view> cells;
      const bool fits = std::ranges::all_of(below, [&](std::string_view text) {
        return CutCells(text, count, width, &cells) && AllRead(cells);
      });
      if (!fits || !HeadsFit(heads, width)) continue;
      SetNames(heads, width);
      return true;
    }
    return false;
  }

  static bool AllRead(const std::vector<std::string_view>& cells) {
    return std::ranges::all_of(cells, [](std::string_view cell) {
      Item item;
      return ReadCell(cell, &item);
    });
  }

  static bool HeadsFit(std::string_view heads, std::size_t width) {
    for (std::size_t at = 0; at < heads.size(); at += width + 1) {
      if (heads[at + width] != ' ' || Trim(heads.substr(at, width)).empty()) return false;
    }
    return true;
  }

  void SetNames(std::string_view heads, std::size_t width) {
    names_.clear();
    cut_.clear();
    width_ = width;
    for (std::size_t at = 0; width > 0 && at < heads.size(); at += width + 1) {
      const std::string_view name = Trim(heads.substr(at, width));
      const std::size_t index = names_.size();
      // Full names are told where one of them does not fit.
      if (index < full_names_.size() && full_names_[index].starts_with(name)) {
        names_.push_back(full_names_[index]);
        cut_.push_back(false);
      } else {
        // A name that fills its column was cut there, perhaps after a blank of its own; names of
        // rates may stand three further to the left.
        const std::string_view cell = heads.substr(at, width);
        const bool full = !cell.starts_with(' ') && !cell.ends_with("   ");
        names_.emplace_back(full ? cell : name);
        cut_.push_back(full);
      }
    }
    if (names_.empty()) names_.emplace_back();
    cut_.resize(names_.size());
  }

  // OUT-221
  bool TakeEventLine(std::string_view line) {
    if (line.starts_with("    ")) return TakeOfEvent(line.substr(4));
    Scan scan(line);
    if (scan.Take("  ")) return TakeEvent(scan);
    const std::optional<Stamp> stamp = StampOf(&scan);
    if (stamp && !scan.Take("  ")) return false;
    if (!stamp && !events_.has_time) return false;
    Scan heading(scan.rest());
    const auto name = heading.TakeUntilLast(": ");
    if (!name) return false;
    const auto records = heading.TakeNumber();
    if (!records || !heading.rest().starts_with(" event record")) return false;
    Record record = MakeRecord("events", line_ + 1);
    if (stamp) {
      days_.Place(*stamp, &record);
    } else {
      record.TakeTimeOf(events_);
    }
    const std::size_t bracket = name->find('[');
    record.metric = name->substr(0, bracket);
    if (bracket != std::string_view::npos && name->ends_with(']')) {
      Set(&record, "name", name->substr(bracket + 1, name->size() - bracket - 2));
    } else {
      record.attributes.push_back({"instance", "null"});
    }
    events_ = record;
    Set(&record, "records", *records);
    out_.Start(std::move(record));
    return true;
  }

  bool TakeEvent(Scan scan) {
    if (!events_.has_time) return false;
    const auto stamp = TakeClock(&scan);
    if (!stamp || !scan.Take(" --- event record [")) return false;
    const auto index = scan.TakeNumber();
    if (!index || !scan.Take("]")) return false;
    const auto flags = TakeEventFlags(&scan);
    if (!flags) return false;
    out_.Start(MakeEvent(events_, line_ + 1, *index, *stamp, *flags));
    return true;
  }

  bool TakeOfEvent(std::string_view line) {
    Record* const current = out_.current();
    if (current == nullptr || current->kind != "event" || line.starts_with(' ')) return false;
    Scan scan(line);
    if (line == "==> No parameters") return true;
    if (scan.Take("==> ")) {
      const auto missed = scan.TakeNumber();
      if (!missed || scan.rest() != " missed event records") return false;
      Set(current, "missed", *missed);
      return true;
    }
    const auto name = scan.TakeUntil(" ");
    if (!name) return false;
    Item item;
    item.metric = *name;
    return out_.AddValue(std::move(item), scan.rest(), line_);
  }

  const Lines& lines_;
  const ParseOptions& options_;
  Collector out_;
  Days days_;
  std::size_t line_ = 0;
  std::string metric_;
  bool rate_ = false;
  double factor_ = 1;
  std::size_t width_ = 0;
  std::vector<std::string> names_;  // of the columns; none: the metric is singular
  std::vector<bool> cut_;
  std::vector<std::string> full_names_;
  Record events_;  // the heading of the events that follow
};

}  // namespace

std::optional<Status> ParsePmval(const Lines& lines, const ParseOptions& options,
                                 const Sink& sink) {
  return Parser(lines, options, sink).Run();
}

}  // namespace pmproof::validator::tool_output

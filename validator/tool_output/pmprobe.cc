// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "validator/tool_output/collector.h"
#include "validator/tool_output/printed_value.h"

// Section 6 of the specification.

namespace pmproof::validator::tool_output {
namespace {

constexpr std::string_view kSingular = "PM_IN_NULL";
constexpr std::string_view kNote = "Note: timezone set to ";

// The end of the value at the front, which `"` or `]` may be part of (OUT-104): a blank, or for
// texts a quote with a blank and what can begin the next one after it.
std::size_t EndOfValue(std::string_view text) {
  if (!text.starts_with('"')) {
    // MET-504: the numbers and the text that stand before the bytes of an aggregate belong to it;
    // the values of one metric are all of one type.
    static constexpr std::size_t kBefore = 256;
    const std::size_t bracket = text.substr(0, kBefore).find('[');
    const std::size_t end = text.find(bracket == std::string_view::npos ? ' ' : ']',
                                      bracket == std::string_view::npos ? 0 : bracket);
    if (end == std::string_view::npos) return text.size();
    return bracket == std::string_view::npos ? end : end + 1;
  }
  for (std::size_t at = text.find('"', 1); at != std::string_view::npos;
       at = text.find('"', at + 1)) {
    if (at + 1 == text.size() || text.substr(at + 1).starts_with(" \"")) return at + 1;
  }
  return text.size();
}

class Parser {
 public:
  Parser(const Lines& lines, const ParseOptions& options, const Sink& sink)
      : lines_(lines), out_(lines, sink), names_(options.instances) {
    // OUT-602: only -i and -I print these.
    for (const std::string_view line : lines) {
      Scan scan(line);
      if (scan.TakeUntil(" ") && scan.TakeNumber() && scan.Take(" ") &&
          (scan.rest() == kSingular || scan.rest().starts_with("PM_IN_NULL PM_IN_NULL"))) {
        names_ = true;
      }
    }
  }

  void Run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      if (out_.TakesWithin(line_) || TakeNote(lines_[line_])) continue;
      if (TakeLine(lines_[line_]) || out_.TakesBehind(line_)) continue;
      out_.Reject(line_, "OUT-601"_clause);
    }
    out_.Flush();
  }

 private:
  // OUT-102. No time depends on the zone (OUT-604).
  bool TakeNote(std::string_view line) {
    if (line_ == 1 && line.empty() && lines_[0].starts_with(kNote)) return true;
    if (line_ != 0 || !line.starts_with(kNote)) return false;
    Set(&out_.Start(MakeRecord("note", 1)), "text", line);
    return true;
  }

  bool TakeLine(std::string_view line) {
    Scan scan(line);
    const auto name = scan.TakeUntil(" ");
    if (!name || name->empty() || name->starts_with('"')) return false;
    const auto count = scan.TakeNumber<std::int64_t>();
    if (!count || (!scan.AtEnd() && !scan.Take(" "))) return false;
    if (*count < 0) return TakeError(*name, *count, scan.rest());
    if (scan.AtEnd()) return TakeCount(*name, *count);
    // `?ID` stands before a name (-i and -I), or in place of one that is not known (-I).
    if (names_ || scan.rest().starts_with('?')) {
      return TakeInstances(*name, *count, true, scan) || TakeInstances(*name, *count, false, scan);
    }
    return TakeValues(*name, *count, scan);
  }

  bool TakeError(std::string_view name, std::int64_t code, std::string_view text) {
    if (code < INT32_MIN || text.empty()) return false;
    Record record = MakeValues(name, line_ + 1);
    record.status = static_cast<std::int32_t>(code);
    record.message = text;
    for (const std::string_view call : {" (pmFetch)", " (pmLookupDesc)", " (pmGetInDom)"}) {
      if (!text.ends_with(call)) continue;
      record.message = text.substr(0, text.size() - call.size());
      Set(&record, "call", call.substr(2, call.size() - 3));
    }
    out_.Start(std::move(record));
    return true;
  }

  bool TakeCount(std::string_view name, std::int64_t count) {
    if (count == 0) {
      out_.Start(MakeValues(name, line_ + 1));
      return true;
    }
    Record& record = out_.Start(MakeRecord("count", line_ + 1));
    record.metric = name;
    Set(&record, "values", count);
    return true;
  }

  bool TakeInstances(std::string_view name, std::int64_t count, bool pairs, Scan scan) {
    Record record = MakeRecord("instances", line_ + 1);
    record.metric = name;
    record.list = "instances";
    while (!scan.AtEnd()) {
      Item item;
      if (scan.Take(kSingular)) {
        item.has_instance = true;
        scan.Take(" PM_IN_NULL");  // -i and -I
      } else if (scan.Take("?")) {
        item.has_instance = true;
        item.instance = scan.TakeNumber<std::int64_t>();
        if (!item.instance) return false;
        if (pairs && scan.rest().starts_with(" \"")) {
          scan.Take(" ");
          TakeName(&scan, &item);
        }
      } else if (scan.rest().starts_with('"')) {
        TakeName(&scan, &item);
      } else {
        return false;
      }
      if (!scan.AtEnd() && !scan.Take(" ")) return false;
      record.items.push_back(std::move(item));
    }
    if (static_cast<std::int64_t>(record.items.size()) != count) return false;
    out_.Start(std::move(record));
    return true;
  }

  // A name ends where a blank and the next one begin after its quote.
  static void TakeName(Scan* scan, Item* item) {
    const std::string_view text = scan->rest();
    std::size_t end = text.size() - 1;
    for (std::size_t at = text.find('"', 1); at != std::string_view::npos;
         at = text.find('"', at + 1)) {
      const std::string_view rest = text.substr(at + 1);
      if (rest.empty() || rest.starts_with(" \"") || rest.starts_with(" ?")) {
        end = at;
        break;
      }
    }
    item->name = std::string(text.substr(1, end - 1));
    scan->Take(text.substr(0, end + 1));
  }

  bool TakeValues(std::string_view name, std::int64_t count, Scan scan) {
    out_.Start(MakeValues(name, line_ + 1));
    std::int64_t taken = 0;
    while (!scan.AtEnd()) {
      ++taken;
      const std::string_view text =
          taken == count ? scan.rest() : scan.rest().substr(0, EndOfValue(scan.rest()));
      Item item;
      if (ReadPrintedEvents(text)) {
        item.type = "event";
        item.state = text;
        out_.Add(std::move(item));
      } else if (!out_.AddValue(std::move(item), text, line_)) {
        break;
      }
      scan.Take(text);
      if (!scan.AtEnd() && !scan.Take(" ")) break;
    }
    if (scan.AtEnd() && taken == count) return true;
    out_.Drop();
    return false;
  }

  const Lines& lines_;
  Collector out_;
  bool names_;
  std::size_t line_ = 0;
};

}  // namespace

std::optional<Status> ParsePmprobe(const Lines& lines, const ParseOptions& options,
                                   const Sink& sink) {
  Parser(lines, options, sink).Run();
  return std::nullopt;
}

}  // namespace pmproof::validator::tool_output

// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "validator/tool_output/collector.h"
#include "validator/tool_output/printed_value.h"

// Section 3 of the specification.

namespace pmproof::validator::tool_output {
namespace {

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

// The name that the text begins with, by MET-701's characters.
std::string_view LeadingName(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && IsNameCharacter(text[end])) ++end;
  return text.substr(0, end);
}

constexpr std::string_view kNoOneLine = " One-line Help: Error: ";  // OUT-304

class Parser {
 public:
  Parser(const Lines& lines, const ParseOptions& options, const Sink& sink)
      : lines_(lines), options_(options), out_(lines, sink) {}

  std::optional<Status> Run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      line_ = i;
      const std::string_view line = lines_[i];
      if (out_.TakesWithin(i)) continue;
      if (const auto note = ReadZoneNote(line, i + 1, options_)) {
        if (note->refused) return note->refused;
        Set(&out_.Start(MakeRecord("note", i + 1)), "text", line);
        continue;
      }
      if (in_help_ && !EndsHelp(line)) {
        AddToHelp(line);
        continue;
      }
      if (line.empty() || TakeDetail(line) || TakeName(line) || out_.TakesBehind(i)) continue;
      out_.Reject(i, "OUT-301"_clause);
    }
    out_.Flush();
    return std::nullopt;
  }

 private:
  // A record of what the last name was of.
  Record& Start(std::string_view kind) {
    Record record = MakeRecord(kind, line_ + 1);
    record.metric = metric_;
    if (!indom_.empty()) Set(&record, "indom", indom_);
    return out_.Start(std::move(record));
  }

  // Lines that stand below a name.
  bool TakeDetail(std::string_view line) {
    if (metric_.empty() && indom_.empty()) return false;
    Scan scan(line);
    if (line.starts_with("Help:")) return TakeHelp(line);
    if (scan.Take("Full Help: Error: ")) {
      Record& record = Start("text");
      Set(&record, "form", "full");
      SetError(&record, scan.rest());
      return true;
    }
    if (metric_.empty()) return false;
    if (line == "No value(s) available!") {
      out_.Start(MakeValues(metric_, line_ + 1));
      return true;
    }
    if (scan.Take("Error: ")) {
      const std::string_view name = LeadingName(scan.rest());
      if (scan.rest().substr(name.size()).starts_with(": ")) return false;  // OUT-313
      Record record = MakeValues(metric_, line_ + 1);
      SetError(&record, scan.rest());
      out_.Start(std::move(record));
      return true;
    }
    if (line.starts_with("pmNameIndom: indom=")) {
      Set(&out_.Start(MakeRecord("note", line_ + 1)), "text", line);
      return true;
    }
    if (line == "\tNo parameters" || line == "        No parameters") return InEvent();
    if (scan.Take("        ")) return TakeOfEvent(scan);
    if (!scan.Take("    ")) return false;
    if (line == "    Metadata unavailable") {
      SetTrue(&Start("descriptor"), "unavailable");
      return true;
    }
    if (line.starts_with("    Data Type: ") || line.starts_with("    Semantics: ")) {
      return TakeDescriptor(line);
    }
    if (scan.Take("[") && scan.rest().ends_with(']')) {
      return TakeOneLine(scan.rest().substr(0, scan.rest().size() - 1));
    }
    for (const auto& [words, kind] : {std::pair{"Source: ", "source"}, {"Series: ", "series"}}) {
      if (!scan.Take(words)) continue;
      Set(&Start(kind), "digest", scan.rest());
      return true;
    }
    if (scan.Take("labels ")) return TakeLabels(scan.rest(), Item());
    if (scan.Take("--- event record [")) return TakeEvent(scan);
    if (scan.Take("value ")) {
      Item item;
      item.has_instance = true;
      return TakeValue(std::move(item), scan.rest());
    }
    if (scan.Take("inst ")) return TakeOfInstance(scan);
    return TakeParameter(scan);
  }

  bool TakeDescriptor(std::string_view line) {
    if (line.starts_with("    Data Type: ")) {
      Record record = MakeRecord("descriptor", line_ + 1);
      record.metric = metric_;
      if (!pmid_.empty()) Set(&record, "pmid", pmid_);
      if (!ReadDescriptorLine(line, &record)) return false;
      const std::string& json = record.Find("type")->json;
      type_ = json.substr(1, json.size() - 2);
      out_.Start(std::move(record));
      return true;
    }
    Record* const record = out_.current();
    return record != nullptr && record->kind == "descriptor" && ReadDescriptorLine(line, record);
  }

  bool TakeOneLine(std::string_view text) {
    Record& record = Start("text");
    Set(&record, "form", "oneline");
    Set(&record, "text", text);
    return true;
  }

  bool TakeLabels(std::string_view json, const Item& item) {
    Record& record = Start("labels");
    Set(&record, "level", item.has_instance ? "instance" : "metric");
    SetInstance(item, &record);
    Set(&record, "json", json);
    return true;
  }

  static void SetInstance(const Item& item, Record* record) {
    if (item.instance) Set(record, "instance", *item.instance);
    if (item.name) Set(record, "name", *item.name);
  }

  bool TakeOfInstance(Scan scan) {
    Item item;
    if (Scan ahead = scan; TakeInstance(&ahead, " value ", &item)) {
      return TakeValue(std::move(item), ahead.rest());
    }
    if (Scan ahead = scan; TakeInstance(&ahead, " labels ", &item)) {
      return TakeLabels(ahead.rest(), item);
    }
    if (!TakeInstance(&scan, " series ", &item)) return false;
    Record& record = Start("series");
    SetInstance(item, &record);
    Set(&record, "digest", scan.rest());
    return true;
  }

  bool TakeValue(Item item, std::string_view text) {
    if (const auto events = ReadPrintedEvents(text)) {
      Record& record = Start("events");
      record.has_time = true;
      if (item.instance) {
        Set(&record, "instance", *item.instance);
      } else {
        record.attributes.push_back({"instance", "null"});
      }
      if (item.name) Set(&record, "name", *item.name);
      event_ = record;
      Set(&record, "records", events->records);
      if (events->missed > 0) Set(&record, "missed", events->missed);
      return true;
    }
    Record* const current = out_.current();
    const bool begins = current == nullptr || !current->kind.empty() || current->metric != metric_;
    if (begins) out_.Start(MakeValues(metric_, line_ + 1));
    item.type = type_;
    if (out_.AddValue(std::move(item), text, line_)) return true;
    if (begins) out_.Drop();
    return false;
  }

  // OUT-311
  bool InEvent() {
    return out_.current() != nullptr &&
           (out_.current()->kind == "event" || out_.current()->kind == "events");
  }

  bool TakeEvent(Scan scan) {
    if (!InEvent()) return false;
    std::optional<Record> record = ReadEventLine(scan, event_, line_ + 1);
    if (!record) return false;
    out_.Start(*std::move(record));
    return true;
  }

  bool TakeParameter(Scan scan) {
    if (!InEvent()) return false;
    const auto name = scan.TakeUntil(" (");
    if (!name || !scan.rest().ends_with(')')) return false;
    parameter_ = Item();
    parameter_.metric = *name;
    parameter_.pmid = scan.rest().substr(0, scan.rest().size() - 1);
    return true;
  }

  bool TakeOfEvent(Scan scan) {
    if (!InEvent()) return false;
    if (scan.Take("==> ")) {
      const auto missed = scan.TakeNumber();
      if (!missed || scan.rest() != " missed event records") return false;
      Set(out_.current(), "missed", *missed);
      return true;
    }
    if (parameter_.metric.empty() || !scan.Take("value ")) return false;
    const bool taken = out_.AddValue(std::move(parameter_), scan.rest(), line_);
    parameter_ = Item();
    return taken;
  }

  // OUT-309: a text goes on to the metric's values, or to an empty line with a name after it.
  bool TakeHelp(std::string_view line) {
    Record& record = Start("text");
    Set(&record, "form", "full");
    if (line == "Help: <empty entry>") {
      Set(&record, "text", "");
      return true;
    }
    Set(&record, "text", TrimLeft(line.substr(5)));
    in_help_ = true;
    first_of_help_ = true;
    return true;
  }

  bool EndsHelp(std::string_view line) {
    const bool value = line.starts_with("    value ") || line.starts_with("    inst [") ||
                       line == "No value(s) available!" || line.starts_with("    labels {");
    if (value || (line.empty() && (line_ + 1 == lines_.size() || IsName(lines_[line_ + 1])))) {
      in_help_ = false;
      return true;
    }
    return false;
  }

  // With a point, for a text may have lines of one word; or with what a text does not have.
  static bool IsName(std::string_view text) {
    if (text.starts_with("InDom: ")) return text.find(" 0x") != std::string_view::npos;
    const std::string_view name = LeadingName(text);
    if (name.empty() || name.ends_with('.')) return false;
    const std::string_view rest = text.substr(name.size());
    if (rest.starts_with(" PMID: ") || rest.starts_with(kNoOneLine)) return true;
    return name.find('.') != std::string_view::npos &&
           (rest.starts_with(" = ") || IsBehindName(rest));
  }

  void AddToHelp(std::string_view line) {
    std::string& json = out_.current()->attributes.back().json;
    json.pop_back();
    if (!first_of_help_ || json.size() > 1) json += "\\n";
    first_of_help_ = false;
    json.append(QuotedJson(line), 1);
  }

  // OUT-314: `InDom: D.S 0xH`, and what follows a metric's name.
  bool TakeIndom(Scan scan) {
    const std::string_view indom = scan.rest().substr(0, scan.rest().find(' '));
    scan.Take(indom);
    if (!scan.Take(" 0x") || !scan.TakeNumber<std::uint32_t>(16) || !IsBehindName(scan.rest())) {
      return false;
    }
    SetSubject("", indom);
    Start("indom");
    TakeBehindName(scan);
    return true;
  }

  void SetSubject(std::string_view metric, std::string_view indom) {
    metric_ = metric;
    indom_ = indom;
    pmid_.clear();
    type_.clear();
  }

  // OUT-304
  static bool IsBehindName(std::string_view text) {
    return text.empty() || text.starts_with(kNoOneLine) ||
           (text.starts_with(" [") && text.ends_with(']'));
  }

  void TakeBehindName(Scan scan) {
    if (scan.Take(kNoOneLine)) {
      Record& text = Start("text");
      Set(&text, "form", "oneline");
      SetError(&text, scan.rest());
    } else if (scan.Take(" [")) {
      TakeOneLine(scan.rest().substr(0, scan.rest().size() - 1));
    }
  }

  // OUT-301..304, 306, 312, 313
  bool TakeName(std::string_view line) {
    Scan scan(line);
    if (scan.Take("InDom: ")) return TakeIndom(scan);
    if (scan.Take("Error: ")) {  // an argument that is not a metric
      const std::string_view name = LeadingName(scan.rest());
      scan.Take(name);
      if (name.empty() || !scan.Take(": ")) return false;
      Record record = MakeValues(name, line_ + 1);
      SetError(&record, scan.rest());
      out_.Start(std::move(record));
      SetSubject("", "");
      return true;
    }
    const std::string_view name = LeadingName(line);
    if (name.empty()) return false;
    scan.Take(name);
    if (scan.Take("\t")) return TakeLongLine(name, scan);
    if (scan.Take(": ")) return TakeProblem(name, scan.rest());
    std::string pmid;
    std::optional<std::uint32_t> number;
    if (scan.Take(" PMID: ")) {
      pmid = scan.rest().substr(0, scan.rest().find(' '));
      scan.Take(pmid);
    }
    if (scan.Take(" = ")) {
      number = scan.TakeNumber<std::uint32_t>();
      if (!number || !scan.Take(" = 0x") || scan.TakeNumber<std::uint32_t>(16) != number) {
        return false;
      }
    }
    if (!IsBehindName(scan.rest())) return false;
    SetSubject(name, "");
    pmid_ = pmid;
    Record& record = Start(pmid.empty() && !number ? "metric" : "identifier");
    if (!pmid.empty()) Set(&record, "pmid", pmid);
    if (number) Set(&record, "number", *number);
    TakeBehindName(scan);
    return true;
  }

  bool TakeLongLine(std::string_view name, Scan scan) {
    Record record = MakeRecord("descriptor", line_ + 1);
    record.metric = name;
    const auto type = scan.TakeUntil("\t");
    if (!type || TypeOfLongText(*type).empty()) return false;
    Set(&record, "type", TypeOfLongText(*type));
    const auto indom = scan.TakeUntil("\t");
    const auto semantics = scan.TakeUntil("\t");
    if (!indom || !semantics) return false;
    SetIndom(*indom, &record);
    Set(&record, "semantics", *semantics);
    Set(&record, "units", scan.rest() == "none" ? std::string_view() : scan.rest());
    out_.Start(std::move(record));
    return true;
  }

  bool TakeProblem(std::string_view name, std::string_view text) {
    Record record = MakeValues(name, line_ + 1);
    Scan scan(text);
    if (text == "No value(s) available") {
      out_.Start(std::move(record));
      return true;
    }
    for (const std::string_view call : {"pmLookupDesc: ", "pmFetch: ", "pmGetInDom: "}) {
      if (scan.Take(call)) Set(&record, "call", call.substr(0, call.size() - 2));
    }
    SetError(&record, scan.rest());
    // Free words after a name are not a problem of a metric.
    if (!record.status && scan.rest() == text && text != "Not Supported" &&
        !text.starts_with("Questionable metadata") && name.find('.') == std::string_view::npos) {
      return false;
    }
    SetSubject(name, "");
    out_.Start(std::move(record));
    return true;
  }

  const Lines& lines_;
  const ParseOptions& options_;
  Collector out_;
  std::size_t line_ = 0;
  std::string metric_, indom_, pmid_, type_;  // of the metric or the instance domain
  bool in_help_ = false;
  bool first_of_help_ = false;
  Record event_;
  Item parameter_;
};

}  // namespace

std::optional<Status> ParsePminfo(const Lines& lines, const ParseOptions& options,
                                  const Sink& sink) {
  return Parser(lines, options, sink).Run();
}

}  // namespace pmproof::validator::tool_output

// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/emit.h"

#include <array>
#include <utility>

#include "validator/text/quote.h"
#include "validator/tool_output/error_text.h"
#include "validator/tool_output/printed_value.h"
#include "validator/tool_output/zone.h"

namespace pmproof::validator::tool_output {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kLongTypes = {
    {{"Not Supported", "nosupport"},
     {"32-bit int", "32"},
     {"32-bit unsigned int", "u32"},
     {"64-bit int", "64"},
     {"64-bit unsigned int", "u64"},
     {"float", "float"},
     {"double", "double"},
     {"string", "string"},
     {"aggregate", "aggregate"},
     {"static aggregate", "aggregate_static"},
     {"event record array", "event"},
     {"highres event record array", "highres_event"},
     {"???", "unknown"}}};

}  // namespace

std::string QuotedJson(std::string_view text) {
  std::string quoted;
  AppendQuoted(text, Quoting::kJson, &quoted);
  return quoted;
}

void Set(Record* record, std::string_view name, std::string_view text) {
  record->attributes.push_back({std::string(name), QuotedJson(text)});
}

void SetTrue(Record* record, std::string_view name) {
  record->attributes.push_back({std::string(name), "true"});
}

void SetTime(Record* record, std::string_view name, const Stamp& stamp) {
  Set(record, name, std::string_view(StampText(stamp)));
  record->attributes.back().local = !stamp.utc;
}

Record MakeRecord(std::string_view kind, std::size_t line) {
  Record record;
  record.kind = kind;
  record.line = line;
  return record;
}

Record MakeValues(std::string_view metric, std::size_t line) {
  Record record = MakeRecord("", line);
  record.metric = metric;
  record.has_time = true;
  record.has_status = true;
  record.status = 0;
  record.list = "values";
  return record;
}

Record Unparsed(std::size_t line, Clause clause, std::string_view text) {
  Record record = MakeRecord("unparsed", line);
  Set(&record, "clause", clause.ToString());
  Set(&record, "text", text);
  return record;
}

void SetError(Record* record, std::string_view text) {
  record->has_status = true;
  record->status = CodeOfText(text);
  record->message = text;
}

bool TakeInstance(Scan* scan, std::string_view then, Item* item) {
  Scan ahead = *scan;
  if (!ahead.Take("[")) return false;
  const auto instance = ahead.TakeNumber<std::int64_t>();
  if (!instance) return false;
  if (ahead.Take("]" + std::string(then))) {  // pminfo, of an unknown name
    item->has_instance = true;
    item->instance = instance;
    *scan = ahead;
    return true;
  }
  if (!ahead.Take(" or ")) return false;
  if (ahead.Take("\"")) {
    const auto name = ahead.TakeUntil(std::string("\"]") + std::string(then));
    if (!name) return false;
    item->name = std::string(*name);
  } else if (!ahead.Take("???]") || !ahead.Take(then)) {
    return false;
  }
  item->has_instance = true;
  item->instance = instance;
  *scan = ahead;
  return true;
}

Record MakeEvent(const Record& values, std::size_t line, std::uint64_t index, const Stamp& stamp,
                 std::uint32_t flags) {
  Record record = values;
  record.kind = "event";
  record.line = line;
  Set(&record, "index", index);
  Set(&record, "at", ClockTextOf(stamp));
  record.attributes.back().local = true;
  Set(&record, "flags", flags);
  record.list = "parameters";
  return record;
}

std::optional<std::uint32_t> TakeEventFlags(Scan* scan) {
  if (scan->rest() == " ---") return 0;
  if (!scan->Take(" flags 0x")) return std::nullopt;
  const auto flags = scan->TakeNumber<std::uint32_t>(16);
  return scan->rest().ends_with(" ---") ? flags : std::nullopt;
}

std::optional<Record> ReadEventLine(Scan scan, const Record& values, std::size_t line) {
  const auto index = scan.TakeNumber();
  if (!index || !scan.Take("] timestamp ")) return std::nullopt;
  const auto stamp = TakeStamp(&scan);
  if (!stamp) return std::nullopt;
  const auto flags = TakeEventFlags(&scan);
  if (!flags) return std::nullopt;
  return MakeEvent(values, line, *index, *stamp, *flags);
}

void SetNames(std::string_view names, Record* record) {
  while (true) {
    const std::size_t end = names.find(" or ");
    record->names.emplace_back(names.substr(0, end));
    if (end == std::string_view::npos) break;
    names.remove_prefix(end + 4);
  }
  record->metric = record->names.front();
  if (record->names.size() == 1) record->names.clear();
}

void SetIndom(std::string_view text, Record* record) {
  const std::string_view indom = text.substr(0, text.find(' '));
  if (indom == "PM_INDOM_NULL") {
    record->attributes.push_back({"indom", "null"});
  } else {
    Set(record, "indom", indom);
  }
}

std::string_view TypeOfLongText(std::string_view text) {
  if (text.starts_with("??? (")) return "unknown";
  for (const auto& [words, type] : kLongTypes) {
    if (text == words) return type;
  }
  return "";
}

bool ReadDescriptorLine(std::string_view line, Record* record) {
  Scan scan(line);
  if (scan.Take("    Data Type: ")) {
    const std::size_t end = scan.rest().find("  InDom: ");
    const std::string_view type = TypeOfLongText(scan.rest().substr(0, end));
    if (type.empty()) return false;
    Set(record, "type", type);
    if (end != std::string_view::npos) SetIndom(scan.rest().substr(end + 9), record);
    return true;
  }
  if (!scan.Take("    Semantics: ")) return false;
  const auto semantics = scan.TakeUntil("  Units: ");
  if (!semantics) return false;
  Set(record, "semantics", *semantics);
  Set(record, "units", scan.rest() == "none" ? std::string_view() : scan.rest());
  return true;
}

bool ReadLabelLine(std::string_view line, Record* record, std::optional<Stamp>* start) {
  Scan scan(line);
  if (scan.Take("Performance metrics from host ")) {
    Set(record, "host", scan.rest());
    return true;
  }
  for (const auto& [words, name] : {std::pair{"commencing ", "start"}, {"ending     ", "finish"}}) {
    Scan time(TrimLeft(line));
    if (!line.starts_with("  ") || !time.Take(words)) continue;
    if (time.rest() == "UNKNOWN") {
      record->attributes.push_back({name, "null"});
      return true;
    }
    std::optional<Stamp> stamp = TakeStamp(&time);
    // -xxx without the offset in the label: ` EPOCH` (OUT-401).
    if (stamp && time.Take(" ")) {
      stamp->epoch = time.TakeNumber<std::int64_t>();
      stamp->utc = true;
    }
    if (!stamp || !stamp->epoch || !time.AtEnd()) return false;
    SetTime(record, name, *stamp);
    if (name == std::string_view("start")) *start = stamp;
    return true;
  }
  for (const auto& [words, name] : {std::pair{"Archive timezone: ", "timezone"},
                                    {"Archive zoneinfo: ", "zoneinfo"},
                                    {"Archive features: ", "features"}}) {
    if (!scan.Take(words)) continue;
    Set(record, name, scan.rest());
    return true;
  }
  if (!scan.Take("PID for pmlogger: ")) return false;
  const auto pid = scan.TakeNumber<std::int64_t>();
  if (!pid || !scan.AtEnd()) return false;
  Set(record, "pid", *pid);
  return true;
}

std::optional<ZoneNote> ReadZoneNote(std::string_view line, std::size_t number,
                                     const ParseOptions& options) {
  Scan scan(line);
  if (!scan.Take("Note: timezone set to ")) return std::nullopt;
  ZoneNote note;
  const bool named = scan.Take("\"TZ=") && scan.rest().ends_with('"');
  const std::string zone(named ? scan.rest().substr(0, scan.rest().size() - 1) : "");
  if (options.zone.empty()) {
    if (named && IsUtc(zone)) return note;
    note.refused = Refusal("OUT-102"_clause, number,
                           "times are read as UTC: say their zone by --zone" +
                               (named ? " " + zone : std::string()) +
                               ", or run the tool with -Z UTC: " + std::string(line));
  } else if (named && zone != options.zone && !(IsUtc(zone) && IsUtc(options.zone))) {
    note.refused = Refusal("OUT-102"_clause, number,
                           "the tool ran in zone " + zone + ", and --zone says " + options.zone);
  }
  return note;
}

Status Refusal(Clause clause, std::size_t line, std::string_view message) {
  return {.kind = Status::Kind::kUsage,
          .clause = clause,
          .message = "line " + std::to_string(line) + ": " + std::string(message)};
}

}  // namespace pmproof::validator::tool_output

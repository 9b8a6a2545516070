// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "validator/tool_output/pmdumplog_parser.h"
#include "validator/tool_output/printed_value.h"

// Section 4 of the specification: values and event records.

namespace pmproof::validator::tool_output {

bool PmdumplogParser::TakeData(std::string_view line) {
  Scan scan(line);
  if (scan.Take("        ")) return TakeDetail(scan);
  if (line == "\t          No parameters") {
    return out_.current() != nullptr && out_.current()->kind == "event";
  }
  if (!time_.has_time || !scan.Take("    ")) return false;
  const std::string_view pmid = TakeIdentifier(&scan);
  if (pmid.empty()) return false;
  Record record = Timed("");
  record.metric = pmid;
  Set(&record, "pmid", pmid);
  if (scan.Take(" (")) {
    if (TakeEventHeading(scan, record)) return true;
    const auto names = scan.TakeUntil("):");
    if (!names) return false;
    if (!names->empty()) SetNames(*names, &record);
  } else if (!scan.Take(":")) {
    return false;
  }
  record.has_status = true;
  record.status = 0;
  record.list = "values";
  if (scan.AtEnd() || scan.rest() == " No values returned!") {
    out_.Start(std::move(record));
    return true;
  }
  if (!scan.Take(" ")) return false;
  Item item;
  const bool has_value = scan.Take("value ");
  Scan inst = scan;
  if (!has_value && inst.Take("inst ") && TakeInstance(&inst, " value ", &item)) {
    return AddValue(std::move(record), std::move(item), inst.rest());
  }
  if (!has_value) {
    SetError(&record, scan.rest());
    out_.Start(std::move(record));
    return true;
  }
  item.has_instance = true;  // singular
  return AddValue(std::move(record), std::move(item), scan.rest());
}

bool PmdumplogParser::AddValue(Record record, Item item, std::string_view text) {
  out_.Start(std::move(record));
  if (AddItem(std::move(item), text)) return true;
  out_.Drop();
  return false;
}

bool PmdumplogParser::AddItem(Item item, std::string_view text) {
  const auto type = types_.find(out_.current()->Find("pmid")->json);
  if (type != types_.end()) item.type = type->second;
  return out_.AddValue(std::move(item), text, line_);
}

bool PmdumplogParser::TakeEventHeading(Scan scan, const Record& at) {
  const std::size_t end = scan.rest().rfind("): ");
  if (end == std::string_view::npos) return false;
  std::string_view name = scan.rest().substr(0, end);
  Scan heading(scan.rest().substr(end + 3));
  std::uint64_t missed = 0;
  std::optional<std::uint64_t> count = 0;
  if (heading.rest() != "No event records") {
    count = heading.TakeNumber();
    if (!count) return false;
    if (heading.Take(" (and ")) {
      const auto number = heading.TakeNumber();
      if (!number || !heading.Take(" missed)")) return false;
      missed = *number;
    }
    if (!heading.Take(" event record") || (!heading.AtEnd() && heading.rest() != "s")) {
      return false;
    }
  }
  Item item;
  item.has_instance = true;
  if (const std::size_t bracket = name.find('['); bracket != std::string_view::npos) {
    const std::string instance = std::string(name.substr(bracket)) + ";";
    Scan of(instance);
    if (!TakeInstance(&of, ";", &item)) return false;
    name = name.substr(0, bracket);
  }
  Record record = at;
  record.kind = "events";
  if (!name.empty()) SetNames(name, &record);
  SetInstance(item, &record);
  event_ = record;
  Set(&record, "records", *count);
  if (missed > 0) Set(&record, "missed", missed);
  out_.Start(std::move(record));
  return true;
}

void PmdumplogParser::SetInstance(const Item& item, Record* record) {
  if (item.instance) {
    Set(record, "instance", *item.instance);
  } else {
    record->attributes.push_back({"instance", "null"});
  }
  if (item.name) Set(record, "name", *item.name);
}

bool PmdumplogParser::TakeDetail(Scan scan) {
  Record* const current = out_.current();
  if (current == nullptr) return false;
  if (current->kind.empty()) {
    Item item;
    if (!scan.Take("inst ") || !TakeInstance(&scan, " value ", &item)) return false;
    return AddItem(std::move(item), scan.rest());
  }
  if (current->kind != "events" && current->kind != "event") return false;
  if (scan.Take("--- event record [")) return TakeEvent(scan);
  if (current->kind != "event") return false;
  if (scan.Take("==> ")) {
    const auto missed = scan.TakeNumber();
    if (!missed || scan.rest() != " missed event records") return false;
    Set(current, "missed", *missed);
    return true;
  }
  Item item;
  item.pmid = TakeIdentifier(&scan);
  if (scan.Take(": pmLookupDesc: ")) {
    item.state = scan.rest();
    out_.Add(std::move(item));
    return true;
  }
  if (item.pmid.empty() || !scan.Take(" (")) return false;
  const auto name = scan.TakeUntil("): value ");
  if (!name) return false;
  item.metric = *name;
  return out_.AddValue(std::move(item), scan.rest(), line_);
}

bool PmdumplogParser::TakeEvent(Scan scan) {
  std::optional<Record> record = ReadEventLine(scan, event_, line_ + 1);
  if (!record) return false;
  out_.Start(*std::move(record));
  return true;
}

}  // namespace pmproof::validator::tool_output

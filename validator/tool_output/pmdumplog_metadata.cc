// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "validator/tool_output/pmdumplog_parser.h"
#include "validator/tool_output/printed_value.h"

// Section 4 of the specification: descriptors, labels, help texts, instance domains.

namespace pmproof::validator::tool_output {

bool PmdumplogParser::TakeDescriptor(std::string_view line) {
  Scan scan(line);
  if (scan.Take("PMID: ")) {
    const std::string_view pmid = TakeIdentifier(&scan);
    if (pmid.empty() || !scan.Take(" (") || !scan.rest().ends_with(')')) return false;
    Record& record = out_.Start(MakeRecord("descriptor", line_ + 1));
    SetNames(scan.rest().substr(0, scan.rest().size() - 1), &record);
    Set(&record, "pmid", pmid);
    return true;
  }
  Record* const record = out_.current();
  if (record == nullptr || record->kind != "descriptor" || !ReadDescriptorLine(line, record)) {
    return false;
  }
  if (const Attribute* type = record->Find("type"); type && !record->Find("semantics")) {
    types_[record->Find("pmid")->json] = type->json.substr(1, type->json.size() - 2);
  }
  return true;
}

bool PmdumplogParser::TakeLabels(std::string_view line) {
  Scan scan(line);
  if (const auto stamp = TakeStamp(&scan); stamp && scan.AtEnd()) {
    out_.Flush();
    time_ = Record();
    days_.Place(*stamp, &time_);
    return true;
  }
  if (scan.Take("        [")) return TakeLabel(scan);
  static constexpr std::pair<std::string_view, std::string_view> kLevels[] = {
      {"    Context", "context"},
      {"    Domain ", "domain"},
      {"    Cluster ", "cluster"},
      {"    PMID ", "item"},
      {"    InDom ", "indom"}};
  for (const auto& [words, level] : kLevels) {
    if (!scan.Take(words)) continue;
    Record record = Timed("labels");
    const std::string_view of = TakeIdentifier(&scan);
    std::optional<std::int64_t> instance;
    if (scan.Take("[")) {
      instance = scan.TakeNumber<std::int64_t>();
      if (!instance || !scan.Take("]")) return false;
    }
    if (!scan.Take(" labels (") || !scan.TakeNumber() || !scan.Take(" bytes): ")) return false;
    level_ = instance ? "instance" : level;
    of_ = of;
    instance_ = instance;
    SetLevel(&record);
    Set(&record, "json", scan.rest());
    out_.Start(std::move(record));
    return true;
  }
  return false;
}

void PmdumplogParser::SetLevel(Record* record) const {
  Set(record, "level", level_);
  if (!of_.empty()) Set(record, "of", of_);
  if (instance_) Set(record, "instance", *instance_);
}

bool PmdumplogParser::TakeLabel(Scan scan) {
  const auto index = scan.TakeNumber();
  if (!index || !scan.Take("] name(") || level_.empty()) return false;
  const auto name_offset = scan.TakeNumber();
  if (!name_offset || !scan.Take(",")) return false;
  const auto name_length = scan.TakeNumber();
  if (!name_length || !scan.Take(") : value(")) return false;
  const auto value_offset = scan.TakeNumber();
  if (!value_offset || !scan.Take(",")) return false;
  const auto value_length = scan.TakeNumber();
  if (!value_length || !scan.Take(") [") || !scan.rest().ends_with(']')) return false;
  Record& record = out_.Start(Timed("label"));
  SetLevel(&record);
  Set(&record, "index", *index);
  Set(&record, "name_offset", *name_offset);
  Set(&record, "name_length", *name_length);
  Set(&record, "value_offset", *value_offset);
  Set(&record, "value_length", *value_length);
  Set(&record, "flags", scan.rest().substr(0, scan.rest().size() - 1));
  return true;
}

bool PmdumplogParser::TakeText(std::string_view line) {
  Scan scan(line);
  const bool metric = scan.Take("PMID: ");
  if (metric || scan.Take("InDom: ")) {
    const std::string_view identifier = TakeIdentifier(&scan);
    const bool line_form = scan.Take(" [") && scan.rest().ends_with(']');
    if (!identifier.empty() && (line_form || scan.AtEnd())) {
      Record& record = out_.Start(MakeRecord("text", line_ + 1));
      Set(&record, metric ? "pmid" : "indom", identifier);
      Set(&record, "form", line_form ? "oneline" : "full");
      in_text_ = !line_form;
      if (line_form) Set(&record, "text", scan.rest().substr(0, scan.rest().size() - 1));
      return true;
    }
  }
  if (!in_text_) return line.empty();
  Record* const record = out_.current();
  if (record == nullptr || record->kind != "text") return line.empty();
  if (record->Find("text") == nullptr) Set(record, "text", "");
  std::string& json = record->attributes.back().json;
  json.pop_back();
  const std::string quoted = QuotedJson(line);
  if (json.size() > 1) json += "\\n";
  json.append(quoted, 1);
  return true;
}

bool PmdumplogParser::TakeInstances(std::string_view line) {
  Scan scan(line);
  if (section_ == Section::kIndoms && scan.Take("InDom: ")) {
    out_.Flush();
    indom_ = TakeIdentifier(&scan);
    days_.Restart();
    return !indom_.empty() && scan.AtEnd();
  }
  if (const auto stamp = TakeStamp(&scan)) {
    std::string_view indom = indom_;
    bool delta = false;
    if (section_ == Section::kOnDisk) {
      if (!scan.Take(" InDom: ")) return false;
      indom = TakeIdentifier(&scan);
      delta = scan.Take(" delta");
    }
    if (indom.empty() || !scan.Take(" ") || !scan.TakeNumber() || !scan.Take(" instance")) {
      return false;
    }
    if (!scan.AtEnd() && scan.rest() != "s") return false;
    Record& record = out_.Start(MakeRecord("instances", line_ + 1));
    days_.Place(*stamp, &record);
    Set(&record, "indom", indom);
    if (section_ == Section::kOnDisk) SetTrue(&record, "on_disk");
    if (delta) SetTrue(&record, "delta");
    record.list = "instances";
    return true;
  }
  Record* const record = out_.current();
  if (record == nullptr || record->list != "instances" || !scan.Take("   ")) return false;
  Item item;
  item.removed = scan.Take("del ");
  if (!item.removed) scan.Take("add ");
  item.instance = scan.TakeNumber<std::int64_t>();
  item.has_instance = true;
  if (!item.instance) return false;
  if (item.removed) {
    if (!scan.AtEnd()) return false;
    out_.Add(std::move(item));
    return true;
  }
  if (!scan.Take(" or ") || !scan.rest().starts_with('"')) return false;
  if (IsOpenString(scan.rest())) return false;
  item.name = std::string(scan.rest().substr(1, scan.rest().size() - 2));
  out_.Add(std::move(item));
  return true;
}

}  // namespace pmproof::validator::tool_output

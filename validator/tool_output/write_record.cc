// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <utility>

#include "reference/core/json_writer.h"
#include "validator/text/string_sink.h"
#include "validator/tool_output/emit.h"
#include "validator/tool_output/error_text.h"
#include "validator/tool_output/record_json.h"

namespace pmproof::validator::tool_output {
namespace {

using Json = JsonWriter<StringSink>;

void Text(std::string_view name, std::string_view text, Json& json) { json.Key(name).String(text); }

void Flag(std::string_view name, bool set, Json& json) {
  if (set) json.Key(name).True();
}

void WriteItem(const Item& item, Json& json) {
  json.Object();
  if (item.has_instance) {
    json.Key("instance");
    if (item.instance) {
      json.Number(*item.instance);
    } else {
      json.Null();
    }
  }
  if (item.name) Text("name", *item.name, json);
  Flag("cut", item.cut, json);
  if (item.altered && item.delimiter != ",") {
    Text("altered", item.delimiter, json);
  } else {
    Flag("altered", item.altered, json);
  }
  Flag("removed", item.removed, json);
  if (!item.metric.empty()) Text("metric", item.metric, json);
  if (!item.pmid.empty()) Text("pmid", item.pmid, json);
  if (!item.type.empty()) Text("type", item.type, json);
  if (item.value) {
    Text("value", *item.value, json);
  } else if (!item.state.empty()) {
    json.Key("value").Null();
  }
  if (!item.state.empty()) Text("state", item.state, json);
  if (!item.within.empty()) Text("within", item.within, json);
  json.EndObject();
}

void WriteTime(const Record& record, Json& json) {
  if (record.time) {
    Text("time", ToEpochText(*record.time), json);
    json.Key("digits").Number(record.digits);
  } else {
    json.Key("time").Null();
  }
  if (!record.clock.empty()) Text("clock", record.clock, json);
}

void WriteStatus(const Record& record, Json& json) {
  json.Key("status");
  if (record.status) {
    json.Number(*record.status);
  } else {
    json.Null();
  }
  if (record.status && *record.status != 0 && !NameOfCode(*record.status).empty()) {
    Text("error", NameOfCode(*record.status), json);
  }
  if (!record.message.empty()) Text("message", record.message, json);
}

}  // namespace

std::string RecordJson(const Record& record) {
  StringSink sink;
  Json json(sink, Json::Blanks::kAfterPunctuation);
  json.Object();
  if (!record.kind.empty()) Text("kind", record.kind, json);
  if (record.has_time) WriteTime(record, json);
  if (!record.metric.empty()) Text("metric", record.metric, json);
  if (!record.names.empty()) {
    json.Key("names").Array();
    for (const std::string& name : record.names) json.String(name);
    json.EndArray();
  }
  Flag("abbreviated", record.abbreviated, json);
  Flag("rate", record.rate, json);
  if (record.rate && record.factor != 1) json.Key("factor").Raw(std::to_string(record.factor));
  if (record.has_status) WriteStatus(record, json);
  for (const Attribute& attribute : record.attributes) {
    json.Key(attribute.name).Raw(attribute.json);
  }
  if (!record.list.empty()) {
    json.Key(record.list).Array();
    for (const Item& item : record.items) WriteItem(item, json);
    json.EndArray();
  }
  json.Key("line").Number(record.line).EndObject();
  return std::move(sink.text);
}

}  // namespace pmproof::validator::tool_output

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "validator/text/json_string.h"
#include "validator/text/json_text.h"
#include "validator/tool_output/emit.h"
#include "validator/tool_output/record_json.h"

namespace pmproof::validator::tool_output {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> kLists = {"values", "instances", "parameters", "bins"};

// The bytes that a string stands for.
std::string StringOf(const Json& json) {
  return FromJsonString(json.get_ref<const std::string&>());
}

// As the writer has it, whatever escapes it was written with.
std::string Plain(const Json& json) {
  return json.is_string() ? QuotedJson(StringOf(json)) : json.dump();
}

bool ReadItem(const Json& json, Item* item) {
  if (!json.is_object()) return false;
  for (const auto& [key, value] : json.items()) {
    if (key == "instance") {
      item->has_instance = true;
      if (value.is_number_integer()) {
        item->instance = value.get<std::int64_t>();
      } else if (!value.is_null()) {
        return false;
      }
    } else if (key == "value" && value.is_null()) {
      item->value.reset();
    } else if (value.is_string()) {
      const std::string text = StringOf(value);
      if (key == "name") item->name = text;
      if (key == "value") item->value = text;
      if (key == "type") item->type = text;
      if (key == "within") item->within = text;
      if (key == "state") item->state = text;
      if (key == "metric") item->metric = text;
      if (key == "pmid") item->pmid = text;
      if (key == "altered") {
        item->altered = true;
        item->delimiter = text;
      }
    } else if (value.is_boolean()) {
      if (key == "cut") item->cut = value.get<bool>();
      if (key == "altered") item->altered = value.get<bool>();
      if (key == "removed") item->removed = value.get<bool>();
    }
  }
  return true;
}

bool ReadTime(const Json& value, Record* record) {
  record->has_time = true;
  if (value.is_null()) return true;
  if (!value.is_string()) return false;
  record->time = ParseTime("@" + value.get_ref<const std::string&>());
  return record->time.has_value();
}

// False if the member is not of the form it has to be; true also for what is not known.
bool ReadMember(const std::string& key, const Json& value, Record* record) {
  if (key == "time") return ReadTime(value, record);
  if (key == "status") {
    record->has_status = true;
    if (!value.is_number_integer()) return value.is_null();
    record->status = value.get<std::int32_t>();
    return true;
  }
  if (key == "kind" || key == "metric" || key == "clock" ||
      (key == "message" && value.is_string() && record->kind != "finding")) {
    if (!value.is_string()) return false;
    const std::string text = StringOf(value);
    if (key == "kind") record->kind = text;
    if (key == "metric") record->metric = text;
    if (key == "clock") record->clock = text;
    if (key == "message") record->message = text;
    return true;
  }
  if (key == "line" || key == "digits") {
    if (!value.is_number_unsigned()) return false;
    if (key == "line") record->line = value.get<std::size_t>();
    if (key == "digits") record->digits = value.get<unsigned>();
    return record->digits <= 9;
  }
  if (key == "rate" || key == "abbreviated") {
    if (!value.is_boolean()) return false;
    (key == "rate" ? record->rate : record->abbreviated) = value.get<bool>();
    return true;
  }
  if (key == "factor") {
    if (!value.is_number()) return false;
    record->factor = value.get<double>();
    return true;
  }
  if (key == "names" && value.is_array()) {
    for (const Json& name : value) {
      if (!name.is_string()) return false;
      record->names.push_back(StringOf(name));
    }
    return true;
  }
  for (const std::string_view list : kLists) {
    if (key != list || !value.is_array()) continue;
    record->list = list;
    for (const Json& json : value) {
      if (!ReadItem(json, &record->items.emplace_back())) return false;
    }
    return true;
  }
  if (key != "error") record->attributes.push_back({key, Plain(value)});
  return true;
}

}  // namespace

std::string TextOf(const Attribute& attribute) {
  const Json json = ParseJson(attribute.json);
  return json.is_string() ? StringOf(json) : attribute.json;
}

tl::expected<std::optional<Record>, std::string> ReadRecordJson(std::string_view line) {
  // Objects within objects have no meaning here: a text that nests them deeply is not followed.
  int depth = 0;
  const auto shallow = [&depth](int at, Json::parse_event_t, Json&) {
    depth = std::max(depth, at);
    return at <= 8;
  };
  const Json json = Json::parse(line, shallow, /*allow_exceptions=*/false);
  if (!json.is_object() || depth > 8)
    return tl::unexpected(std::string("this is not a JSON object"));
  if (json.contains("schema") || json.contains("footer")) return std::nullopt;
  Record record;
  for (const auto& [key, value] : json.items()) {
    if (!ReadMember(key, value, &record))
      return tl::unexpected("member \"" + key + "\" has a wrong form");
  }
  if (record.kind.empty() &&
      (record.metric.empty() || record.list != "values" || !record.has_time)) {
    return tl::unexpected(
        std::string("this is no line of replay --format jsonl, and has no \"kind\""));
  }
  return record;
}

}  // namespace pmproof::validator::tool_output

// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/emit.h"
#include "validator/tool_output/error_text.h"
#include "validator/tool_output/record_json.h"

namespace pmproof::validator::tool_output {
namespace {

// Members of an object, in the order in which they are added.
class Object {
 public:
  void Raw(std::string_view name, std::string_view json) {
    text_ += text_.size() == 1 ? "\"" : ", \"";
    text_ += name;
    text_ += "\": ";
    text_ += json;
  }
  void Text(std::string_view name, std::string_view text) { Raw(name, QuotedJson(text)); }
  void Flag(std::string_view name, bool set) {
    if (set) Raw(name, "true");
  }
  std::string Close() { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

std::string ItemJson(const Item& item) {
  Object object;
  if (item.has_instance) {
    object.Raw("instance", item.instance ? std::to_string(*item.instance) : "null");
  }
  if (item.name) object.Text("name", *item.name);
  object.Flag("cut", item.cut);
  if (item.altered && item.delimiter != ",") {
    object.Text("altered", item.delimiter);
  } else {
    object.Flag("altered", item.altered);
  }
  object.Flag("removed", item.removed);
  if (!item.metric.empty()) object.Text("metric", item.metric);
  if (!item.pmid.empty()) object.Text("pmid", item.pmid);
  if (!item.type.empty()) object.Text("type", item.type);
  if (item.value) {
    object.Text("value", *item.value);
  } else if (!item.state.empty()) {
    object.Raw("value", "null");
  }
  if (!item.state.empty()) object.Text("state", item.state);
  if (!item.within.empty()) object.Text("within", item.within);
  return object.Close();
}

}  // namespace

std::string RecordJson(const Record& record) {
  Object object;
  if (!record.kind.empty()) object.Text("kind", record.kind);
  if (record.has_time) {
    if (record.time) {
      object.Text("time", ToEpochText(*record.time));
      object.Raw("digits", std::to_string(record.digits));
    } else {
      object.Raw("time", "null");
    }
    if (!record.clock.empty()) object.Text("clock", record.clock);
  }
  if (!record.metric.empty()) object.Text("metric", record.metric);
  if (!record.names.empty()) {
    std::string names = "[";
    for (const std::string& name : record.names) {
      names += (names.size() == 1 ? "" : ", ") + QuotedJson(name);
    }
    object.Raw("names", names + "]");
  }
  object.Flag("abbreviated", record.abbreviated);
  if (record.rate) {
    object.Raw("rate", "true");
    if (record.factor != 1) object.Raw("factor", std::to_string(record.factor));
  }
  if (record.has_status) {
    object.Raw("status", record.status ? std::to_string(*record.status) : "null");
    if (record.status && *record.status != 0 && !NameOfCode(*record.status).empty()) {
      object.Text("error", NameOfCode(*record.status));
    }
    if (!record.message.empty()) object.Text("message", record.message);
  }
  for (const Attribute& attribute : record.attributes) object.Raw(attribute.name, attribute.json);
  if (!record.list.empty()) {
    std::string items = "[";
    for (const Item& item : record.items) items += (items.size() == 1 ? "" : ", ") + ItemJson(item);
    object.Raw(record.list, items + "]");
  }
  object.Raw("line", std::to_string(record.line));
  return object.Close();
}

}  // namespace pmproof::validator::tool_output

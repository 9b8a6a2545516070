// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/help_json.h"

#include <string_view>
#include <utility>
#include <vector>

#include "reference/core/json_writer.h"
#include "validator/text/string_sink.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

using Json = JsonWriter<StringSink>;

void Strings(std::string_view key, const std::vector<std::string>& texts, Json& json) {
  json.Key(key).Array();
  for (const std::string& text : texts) json.String(text);
  json.EndArray();
}

void StringOrNull(std::string_view key, const std::string& text, Json& json) {
  json.Key(key);
  if (text.empty()) {
    json.Null();
  } else {
    json.String(text);
  }
}

void Truth(std::string_view key, bool truth, Json& json) {
  json.Key(key).Raw(truth ? "true" : "false");
}

void WriteOption(const Option& option, Json& json) {
  json.Break().Object();
  if (option.kind == Option::Kind::kOperand) {
    json.Key("name").String(option.name());
  } else {
    Strings("names", option.names, json);
    StringOrNull("value", option.value_name, json);
    Strings("choices", option.choices, json);
    StringOrNull("default", option.default_value, json);
  }
  json.Key("help").String(option.help);
  Truth("required", option.required, json);
  Truth("repeats", option.repeats, json);
  json.EndObject();
}

void WriteOptions(std::string_view key, const Options& options, bool operands, Json& json) {
  json.Key(key).Array();
  for (const Option& option : options.all()) {
    if ((option.kind == Option::Kind::kOperand) == operands) WriteOption(option, json);
  }
  json.EndArray();
}

void WriteCommand(const CommandEntry& entry, Json& json) {
  Options options;
  const auto command = entry.make();
  command->Declare(options);
  json.Break().Object().Key("name").String(entry.name).Key("summary").String(entry.summary);
  WriteOptions("operands", options, /*operands=*/true, json);
  WriteOptions("options", options, /*operands=*/false, json);
  json.Key("notes").String(options.notes());
  Strings("examples", options.examples(), json);
  json.Key("exit_statuses").String(options.exit_statuses()).EndObject();
}

}  // namespace

std::string HelpJson(const CommandTable& table, const Options& common) {
  StringSink sink;
  Json json(sink, Json::Blanks::kAfterPunctuation);
  json.Object().Key("schema").InQuotes(std::string_view("pmproof-commands/1"));
  json.Key("tool").Object().Key("name").InQuotes(std::string_view("pmproof"));
  json.Key("version").InQuotes(std::string_view(kVersion)).EndObject();
  json.Key("commands").Array();
  for (const CommandEntry& entry : table.commands) WriteCommand(entry, json);
  json.EndArray().Key("groups").Array();
  for (const CommandGroup& group : table.groups) {
    json.Break().Object().Key("name").String(group.name);
    json.Key("summary").String(group.summary).EndObject();
  }
  json.EndArray();
  WriteOptions("options", common, /*operands=*/false, json);
  json.EndObject().EndLine();
  return std::move(sink.text);
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/catalogue/check_catalogue.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "validator/catalogue/check_files.h"
#include "validator/text/json_text.h"

namespace pmproof::validator {
namespace {

using Json = nlohmann::json;

// "" and `error` set where it is missing or no text.
std::string Text(const Json& json, const char* key, std::string* error) {
  const auto found = json.find(key);
  if (found != json.end() && found->is_string() && !found->get_ref<const std::string&>().empty()) {
    return found->get<std::string>();
  }
  if (error->empty()) *error = std::string("\"") + key + "\" is missing or no text";
  return "";
}

CheckEntry::Subject SubjectOf(const std::string& text, std::string* error) {
  if (text == "agent") return CheckEntry::Subject::kAgent;
  if (text == "files") return CheckEntry::Subject::kFiles;
  if (text != "collector" && error->empty()) *error = "\"subject\" is none";
  return CheckEntry::Subject::kCollector;
}

CheckEntry ReadEntry(const Json& json, std::string* error) {
  CheckEntry entry;
  const auto parse = [&](const std::string& text) {
    const auto clause = Clause::Parse(text);
    if (!clause && error->empty()) *error = text + " is not an identifier";
    return clause.value_or(Clause());
  };
  entry.id = parse(Text(json, "id", error));
  entry.title = Text(json, "title", error);
  const auto severity = ParseSeverity(Text(json, "severity", error));
  if (!severity && error->empty()) *error = "\"severity\" is none";
  entry.severity = severity.value_or(Severity::kError);
  if (json.contains("needs")) entry.needs = Text(json, "needs", error);
  entry.destroys = json.value("destroys", false);
  for (const Json& clause : json.value("clauses", Json::array())) {
    if (clause.is_string()) entry.clauses.push_back(parse(clause.get<std::string>()));
  }
  entry.what = Text(json, "what", error);
  entry.why = Text(json, "why", error);
  entry.remedy = Text(json, "remedy", error);
  if (json.contains("summary")) entry.summary = Text(json, "summary", error);
  return entry;
}

}  // namespace

template <>
Result<CheckCatalogue> CheckCatalogue::FromJson(std::span<const File> files) {
  std::vector<CheckEntry> all;
  for (const File& file : files) {
    if (file.IsSchema()) continue;
    const Json json = ParseJson(file.content);
    if (!json.is_object()) return BrokenCatalogue(file.path, "is not a JSON object");
    std::string error;
    const std::string section = Text(json, "section", &error);
    const std::string heading = Text(json, "title", &error);
    const CheckEntry::Subject subject = SubjectOf(Text(json, "subject", &error), &error);
    for (const Json& item : json.value("checks", Json::array())) {
      if (!item.is_object()) return BrokenCatalogue(file.path, "a check is not an object");
      CheckEntry entry = ReadEntry(item, &error);
      if (!error.empty()) return BrokenCatalogue(file.path, entry.id.ToString() + ": " + error);
      entry.subject = subject;
      entry.section = section;
      entry.heading = heading;
      all.push_back(std::move(entry));
    }
    if (!error.empty()) return BrokenCatalogue(file.path, error);
  }
  return Make(std::move(all), files);
}

template <>
Result<CheckCatalogue> CheckCatalogue::Shipped() {
  std::vector<File> files;
  for (const EmbeddedFile& file : check_files()) files.push_back({file.path, file.content});
  return FromJson(files);
}

}  // namespace pmproof::validator

#include "validator/catalogue/check_catalogue.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "validator/catalogue/check_files.h"

namespace pmproof::validator {
namespace {

using Json = nlohmann::json;

tl::unexpected<Status> Broken(std::string_view file, const std::string& message) {
  return tl::unexpected(Status{.file = std::string(file), .message = message});
}

// "" and `error` set where it is missing or no text.
std::string Text(const Json& json, const char* key, std::string* error) {
  const auto found = json.find(key);
  if (found != json.end() && found->is_string() && !found->get_ref<const std::string&>().empty()) {
    return found->get<std::string>();
  }
  if (error->empty()) *error = std::string("\"") + key + "\" is missing or no text";
  return "";
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
  return entry;
}

}  // namespace

Result<CheckCatalogue> CheckCatalogue::FromJson(std::span<const File> files) {
  CheckCatalogue catalogue;
  XXH64_hash_t digest = 0;
  for (const File& file : files) {
    if (file.path.ends_with(".schema.json")) continue;
    digest = XXH64(file.content.data(), file.content.size(), digest);
    const Json json = Json::parse(file.content, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) return Broken(file.path, "is not a JSON object");
    std::string error;
    const std::string section = Text(json, "section", &error);
    const std::string heading = Text(json, "title", &error);
    for (const Json& item : json.value("checks", Json::array())) {
      if (!item.is_object()) return Broken(file.path, "a check is not an object");
      CheckEntry entry = ReadEntry(item, &error);
      if (!error.empty()) return Broken(file.path, entry.id.ToString() + ": " + error);
      entry.section = section;
      entry.heading = heading;
      catalogue.checks_.push_back(std::move(entry));
    }
    if (!error.empty()) return Broken(file.path, error);
  }
  auto& checks = catalogue.checks_;
  std::sort(checks.begin(), checks.end(),
            [](const CheckEntry& a, const CheckEntry& b) { return a.id < b.id; });
  for (std::size_t i = 1; i < checks.size(); ++i) {
    if (checks[i].id == checks[i - 1].id) {
      return Broken("", "the check " + checks[i].id.ToString() + " occurs twice");
    }
  }
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(digest));
  catalogue.digest_ = text.data();
  return catalogue;
}

Result<CheckCatalogue> CheckCatalogue::Shipped() {
  std::vector<File> files;
  for (const EmbeddedFile& file : check_files()) files.push_back({file.path, file.content});
  return FromJson(files);
}

const CheckEntry* CheckCatalogue::Find(Clause id) const {
  const auto found =
      std::lower_bound(checks_.begin(), checks_.end(), id,
                       [](const CheckEntry& entry, Clause clause) { return entry.id < clause; });
  return found == checks_.end() || found->id != id ? nullptr : &*found;
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include "validator/catalogue/catalogue.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "validator/catalogue/catalogue_files.h"
#include "validator/text/json_text.h"

namespace pmproof::validator {
namespace {

using Json = nlohmann::json;

constexpr const char* kPartNames[] = {"files", "label", "metadata", "data", "index", "set"};
// As CauseScope has them.
constexpr const char* kScopeNames[] = {"place",    "record",  "file",   "entry",
                                       "metadata", "volumes", "archive"};

// Reads one rule; the first thing that is wrong with it is kept in error().
class RuleReader {
 public:
  explicit RuleReader(const Json& json) : json_(json) {}

  Rule Read() {
    Rule rule;
    rule.id = ReadClause("id", Text("id"));
    rule.title = Text("title");
    rule.severity = ReadSeverity("severity", Text("severity"));
    if (const std::string also = OptionalText("also"); !also.empty()) {
      rule.also = ReadSeverity("also", also);
    }
    rule.also_when = OptionalText("also_when");
    if (rule.also.has_value() == rule.also_when.empty()) Fail("also", "and also_when go together");
    rule.live = rule.severity;
    if (const std::string live = OptionalText("live"); live == "off") {
      rule.live = std::nullopt;
    } else if (!live.empty()) {
      rule.live = ReadSeverity("live", live);
    }
    rule.live_when = OptionalText("live_when");
    rule.ingest = rule.severity;
    if (const std::string ingest = OptionalText("ingest"); !ingest.empty()) {
      rule.ingest = ReadSeverity("ingest", ingest);
    }
    const std::string part = Text("part");
    if (const auto parsed = ParseRulePart(part)) {
      rule.part = *parsed;
    } else {
      Fail("part", "is unknown: " + part);
    }
    rule.clauses = Clauses("clauses");
    rule.what = Text("what");
    rule.why = Text("why");
    rule.remedy = Text("remedy");
    rule.together = Clauses("together");
    rule.covered_by = Clauses("covered_by");
    rule.follows = Causes();
    return rule;
  }

  const std::string& error() const { return error_; }

 private:
  void Fail(const char* key, const std::string& problem) {
    if (error_.empty()) error_ = std::string("\"") + key + "\" " + problem;
  }

  std::string OptionalText(const char* key) {
    const auto found = json_.find(key);
    if (found == json_.end()) return "";
    if (!found->is_string()) {
      Fail(key, "is not a text");
      return "";
    }
    return found->get<std::string>();
  }

  std::string Text(const char* key) {
    std::string text = OptionalText(key);
    if (text.empty()) Fail(key, "is missing or empty");
    return text;
  }

  Severity ReadSeverity(const char* key, const std::string& text) {
    const std::optional<Severity> severity = ParseSeverity(text);
    if (!severity) Fail(key, "is not a severity: " + text);
    return severity.value_or(Severity::kError);
  }

  Clause ReadClause(const char* key, const std::string& text) {
    const std::optional<Clause> clause = Clause::Parse(text);
    if (!clause) Fail(key, "is not an identifier: " + text);
    return clause.value_or(Clause());
  }

  std::vector<Rule::Cause> Causes() {
    std::vector<Rule::Cause> causes;
    const auto found = json_.find("follows");
    if (found == json_.end()) return causes;
    if (!found->is_array()) Fail("follows", "is not a list");
    for (const Json& item : *found) {
      RuleReader reader(item);
      Rule::Cause& cause = causes.emplace_back();
      cause.of = item.is_object() ? reader.Clauses("of") : std::vector<Clause>();
      const std::optional<CauseScope> scope =
          item.is_object() ? ParseCauseScope(reader.Text("in")) : std::nullopt;
      if (cause.of.empty() || !scope) Fail("follows", "is not a list of {of, in}");
      cause.in = scope.value_or(CauseScope::kPlace);
    }
    return causes;
  }

  std::vector<Clause> Clauses(const char* key) {
    std::vector<Clause> clauses;
    const auto found = json_.find(key);
    if (found == json_.end()) return clauses;
    if (!found->is_array()) Fail(key, "is not a list");
    for (const Json& item : *found) {
      if (item.is_string()) {
        clauses.push_back(ReadClause(key, item.get<std::string>()));
      } else {
        Fail(key, "is not a list of identifiers");
      }
    }
    return clauses;
  }

  const Json& json_;
  std::string error_;
};

Result<std::vector<Rule>> ReadFile(const Catalogue::File& file) {
  const Json json = ParseJson(file.content);
  if (json.is_discarded()) return BrokenCatalogue(file.path, "is not JSON");
  const Json* list = &json;
  if (json.is_object()) {
    const auto found = json.find("rules");
    if (found == json.end()) return BrokenCatalogue(file.path, "has no \"rules\"");
    list = &*found;
  }
  if (!list->is_array()) return BrokenCatalogue(file.path, "\"rules\" is not a list");
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string place = "rule " + std::to_string(i + 1);
    if (!(*list)[i].is_object()) return BrokenCatalogue(file.path, place + " is not an object");
    RuleReader reader((*list)[i]);
    rules.push_back(reader.Read());
    if (!reader.error().empty()) {
      const std::string id = rules.back().id.ToString();
      return BrokenCatalogue(file.path,
                             place + (id.empty() ? "" : " (" + id + ")") + ": " + reader.error());
    }
  }
  return rules;
}

}  // namespace

const char* ToText(RulePart part) { return kPartNames[static_cast<std::size_t>(part)]; }

std::optional<RulePart> ParseRulePart(std::string_view text) {
  for (const RulePart part : kRuleParts) {
    if (text == ToText(part)) return part;
  }
  return std::nullopt;
}

std::optional<CauseScope> ParseCauseScope(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kScopeNames); ++i) {
    if (text == kScopeNames[i]) return static_cast<CauseScope>(i);
  }
  return std::nullopt;
}

template <>
Result<Catalogue> Catalogue::FromJson(std::span<const File> files) {
  std::vector<Rule> all;
  for (const File& file : files) {
    if (file.IsSchema()) continue;
    Result<std::vector<Rule>> rules = ReadFile(file);
    if (!rules) return tl::unexpected(std::move(rules.error()));
    std::move(rules->begin(), rules->end(), std::back_inserter(all));
  }
  return Make(std::move(all), files);
}

template <>
Result<Catalogue> Catalogue::Shipped() {
  std::vector<File> files;
  for (const EmbeddedFile& file : catalogue_files()) files.push_back({file.path, file.content});
  return FromJson(files);
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>

#include "reference/archive/layout.h"
#include "validator/check/report/render.h"
#include "validator/text/display.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

const char* LevelOf(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
    case Severity::kFatal:
      return "error";
  }
  return "none";
}

Json Message(const std::string& text) { return {{"text", Displayable(text)}}; }

Json RuleJson(Clause id, const Catalogue& catalogue) {
  Json json = {{"id", id.ToString()}};
  const Rule* rule = catalogue.Find(id);
  if (rule == nullptr) return json;
  json["shortDescription"] = Message(rule->title);
  json["fullDescription"] = Message(rule->what);
  json["help"] = {{"text", "Why: " + rule->why + "\nRemedy: " + rule->remedy},
                  {"markdown", "**Why:** " + rule->why + "\n\n**Remedy:** " + rule->remedy}};
  json["defaultConfiguration"] = {{"level", LevelOf(rule->severity)}};
  Json clauses = Json::array();
  for (const Clause clause : rule->clauses) clauses.push_back(clause.ToString());
  json["properties"] = {{"severity", ToText(rule->severity)},
                        {"part", ToText(rule->part)},
                        {"clauses", std::move(clauses)}};
  return json;
}

// The path of a finding's file: findings name files relative to their archive's directory, and the
// archive where no file is concerned.
std::string PathOf(const ArchiveReport& archive, const Finding& finding) {
  if (!archive.members.empty()) return finding.file;  // of sets with their directories
  if (finding.part == archive::kWholeArchive) return archive.archive;
  const std::size_t slash = archive.archive.rfind('/');
  return (slash == std::string::npos ? "" : archive.archive.substr(0, slash + 1)) + finding.file;
}

Json LocationJson(const ArchiveReport& archive, const Finding& finding) {
  Json physical = {{"artifactLocation", {{"uri", PathToUri(PathOf(archive, finding))}}}};
  Json location;
  if (finding.part == archive::kWholeArchive) {
    location["physicalLocation"] = std::move(physical);
    return location;
  }
  physical["region"] = {{"byteOffset", finding.offset}, {"byteLength", finding.length}};
  location["physicalLocation"] = std::move(physical);
  location["logicalLocations"] =
      Json::array({{{"name", "record " + std::to_string(finding.record)}, {"kind", "element"}}});
  return location;
}

std::string MessageOf(const Finding& finding, const Catalogue& catalogue) {
  std::string text = finding.message;
  if (text.empty()) {
    const Rule* rule = catalogue.Find(finding.rule);
    text = rule != nullptr ? "violates: " + rule->title : finding.rule.ToString();
  }
  if (!finding.actual.empty() || !finding.expected.empty()) {
    text += " (" + finding.field + (finding.field.empty() ? "" : ": ") + finding.actual;
    if (!finding.expected.empty()) {
      text += (finding.actual.empty() ? "expected " : ", expected ") + finding.expected;
    }
    text += ")";
  }
  if (finding.count > 1) text += "; " + std::to_string(finding.count - 1) + " more from here on";
  return text;
}

Json Notification(const char* level, const std::string& text) {
  return {{"level", level}, {"message", Message(text)}};
}

}  // namespace

void RenderSarif(const Report& report, const Catalogue& catalogue, std::ostream& out) {
  std::map<Clause, std::size_t> positions;  // of the rules that occur, in their order
  for (const ArchiveReport& archive : report.archives) {
    for (const Finding& finding : archive.findings) positions.emplace(finding.rule, 0);
  }
  Json rules = Json::array();
  for (auto& [rule, position] : positions) {
    position = rules.size();
    rules.push_back(RuleJson(rule, catalogue));
  }

  Json results = Json::array();
  Json problems = Json::array();
  Json left_out = Json::array();
  bool successful = true;
  for (const ArchiveReport& archive : report.archives) {
    for (const Finding& finding : archive.findings) {
      Json properties = {{"archive", archive.archive}, {"severity", ToText(finding.severity)},
                         {"record", finding.record},   {"field", finding.field},
                         {"actual", finding.actual},   {"expected", finding.expected}};
      if (finding.follows) {
        properties["follows"] = archive.findings[*finding.follows].rule.ToString();
      }
      results.push_back({{"ruleId", finding.rule.ToString()},
                         {"ruleIndex", positions[finding.rule]},
                         {"level", LevelOf(finding.severity)},
                         {"message", Message(MessageOf(finding, catalogue))},
                         {"locations", Json::array({LocationJson(archive, finding)})},
                         {"occurrenceCount", finding.count},
                         {"properties", std::move(properties)}});
    }
    if (archive.failure) {
      problems.push_back(
          Notification("error", archive.archive + ": no verdict: " + archive.failure->ToText()));
    }
    for (const std::string& error : archive.internal_errors) {
      problems.push_back(Notification("error", archive.archive + ": internal error: " + error));
    }
    for (const NotChecked& item : archive.not_checked) {
      left_out.push_back(Notification(
          "note", archive.archive + ": not checked: " + item.what + " (" + item.because + ")"));
    }
  }
  for (const Status& error : report.errors)
    problems.push_back(Notification("error", error.ToText()));
  successful = problems.empty();

  const Json run = {
      {"tool",
       {{"driver",
         {{"name", "pmproof"},
          {"version", kVersion},
          {"semanticVersion", kVersion},
          {"properties", {{"rules", catalogue.digest()}, {"profile", ToText(report.profile)}}},
          {"rules", std::move(rules)}}}}},
      {"invocations", Json::array({{{"executionSuccessful", successful},
                                    {"toolExecutionNotifications", std::move(problems)},
                                    {"toolConfigurationNotifications", std::move(left_out)}}})},
      {"results", std::move(results)}};
  const Json sarif = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
  out << DumpJson(sarif, 2) << '\n';
}

}  // namespace pmproof::validator

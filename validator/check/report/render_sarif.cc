// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <utility>

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

Json ResultJson(const ArchiveReport& archive, const Finding& finding, std::size_t rule_index,
                const Catalogue& catalogue) {
  Json properties = {{"archive", archive.archive}, {"severity", ToText(finding.severity)},
                     {"record", finding.record},   {"field", finding.field},
                     {"actual", finding.actual},   {"expected", finding.expected}};
  if (finding.follows) {
    properties["follows"] = archive.findings[*finding.follows].rule.ToString();
  }
  return {{"ruleId", finding.rule.ToString()},
          {"ruleIndex", rule_index},
          {"level", LevelOf(finding.severity)},
          {"message", Message(MessageOf(finding, catalogue))},
          {"locations", Json::array({LocationJson(archive, finding)})},
          {"occurrenceCount", finding.count},
          {"properties", std::move(properties)}};
}

bool HasProblem(const Report& report) {
  return !report.errors.empty() ||
         std::ranges::any_of(report.archives, [](const ArchiveReport& archive) {
           return archive.failure || !archive.internal_errors.empty();
         });
}

void WriteProblems(const Report& report, LongJson& json) {
  const auto write = [&](const std::string& text) { json.Value(Notification("error", text)); };
  for (const ArchiveReport& archive : report.archives) {
    if (archive.failure) write(archive.archive + ": no verdict: " + archive.failure->ToText());
    for (const std::string& error : archive.internal_errors) {
      write(archive.archive + ": internal error: " + error);
    }
  }
  for (const Status& error : report.errors) write(error.ToText());
}

void WriteLeftOut(const Report& report, LongJson& json) {
  for (const ArchiveReport& archive : report.archives) {
    for (const NotChecked& item : archive.not_checked) {
      json.Value(Notification(
          "note", archive.archive + ": not checked: " + item.what + " (" + item.because + ")"));
    }
  }
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

  LongJson json(out);
  json.Object();
  json.Members(
      {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}});
  json.Key("runs").Array().Object();
  json.Members(
      {{"tool",
        {{"driver",
          {{"name", "pmproof"},
           {"version", kVersion},
           {"semanticVersion", kVersion},
           {"properties", {{"rules", catalogue.digest()}, {"profile", ToText(report.profile)}}},
           {"rules", std::move(rules)}}}}}});
  json.Key("invocations").Array().Object();
  json.Key("executionSuccessful").Value(!HasProblem(report));
  json.Key("toolExecutionNotifications").Array();
  WriteProblems(report, json);
  json.Close().Key("toolConfigurationNotifications").Array();
  WriteLeftOut(report, json);
  json.Close().Close().Close().Key("results").Array();
  for (const ArchiveReport& archive : report.archives) {
    for (const Finding& finding : archive.findings) {
      json.Value(ResultJson(archive, finding, positions[finding.rule], catalogue));
    }
  }
  json.Close().Close().Close().Close();
  out << '\n';
}

}  // namespace pmproof::validator

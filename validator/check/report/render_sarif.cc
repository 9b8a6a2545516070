// SPDX-License-Identifier: Apache-2.0
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "reference/archive/layout.h"
#include "validator/check/report/finding_text.h"
#include "validator/check/report/render.h"
#include "validator/text/display.h"
#include "validator/text/hex_text.h"
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

Json Message(std::string_view text) { return {{"text", Displayable(text)}}; }

Json RuleJson(Clause id, const Catalogue& catalogue, const std::string& docs) {
  Json json = {{"id", id.ToString()}};
  if (!docs.empty()) json["helpUri"] = HelpUri(docs, id);
  const Rule* rule = catalogue.Find(id);
  if (rule == nullptr) return json;
  json["shortDescription"] = Message(rule->title);
  json["fullDescription"] = Message(rule->what);
  const std::string why(rule->why);
  const std::string remedy(rule->remedy);
  json["help"] = {{"text", "Why: " + why + "\nRemedy: " + remedy},
                  {"markdown", "**Why:** " + why + "\n\n**Remedy:** " + remedy}};
  json["defaultConfiguration"] = {{"level", LevelOf(rule->severity)}};
  Json clauses = Json::array();
  for (const Clause clause : rule->clauses) clauses.push_back(clause.ToString());
  json["properties"] = {{"severity", ToText(rule->severity)},
                        {"part", ToText(rule->part)},
                        {"clauses", std::move(clauses)}};
  return json;
}

Json LocationJson(const ArchiveReport& archive, const Finding& finding) {
  Json physical = {{"artifactLocation", {{"uri", PathToUri(PathOf(archive, finding))}}}};
  Json location;
  if (finding.part == archive::kWholeArchive) {
    location["physicalLocation"] = std::move(physical);
    return location;
  }
  // Viewers show nothing that has no line.
  physical["region"] = {
      {"startLine", 1}, {"byteOffset", finding.offset}, {"byteLength", finding.length}};
  location["physicalLocation"] = std::move(physical);
  location["logicalLocations"] =
      Json::array({{{"name", "record " + std::to_string(finding.record)}, {"kind", "element"}}});
  return location;
}

Json Notification(const char* level, const std::string& text) {
  return {{"level", level}, {"message", Message(text)}};
}

// The same for a finding of the same rule at the same place of the same file, in each run: what
// code scanning knows a finding again by.
class Fingerprints {
 public:
  std::string Of(const ArchiveReport& archive, const Finding& finding) {
    const std::string place = finding.rule.ToString() + '\0' + PathOf(archive, finding) + '\0' +
                              finding.field + '\0' + std::to_string(finding.part) + ' ' +
                              std::to_string(finding.offset) + ' ' + std::to_string(finding.record);
    const XXH128_hash_t hash = XXH3_128bits(place.data(), place.size());
    const std::string text = HexText(hash.high64) + HexText(hash.low64);
    return text + ":" + std::to_string(++seen_[text]);
  }

 private:
  std::map<std::string, int> seen_;
};

Json ResultJson(const ArchiveReport& archive, const Finding& finding, std::size_t rule_index,
                const Catalogue& catalogue, Fingerprints& fingerprints) {
  Json properties = {{"archive", archive.archive}, {"severity", ToText(finding.severity)},
                     {"record", finding.record},   {"field", finding.field},
                     {"actual", finding.actual},   {"expected", finding.expected}};
  if (finding.follows) {
    properties["follows"] = archive.findings[*finding.follows].rule.ToString();
  }
  if (finding.reclassified) {
    properties["reclassified"] = {{"from", ToText(finding.reclassified->from)},
                                  {"policy_line", finding.reclassified->line},
                                  {"reason", finding.reclassified->reason}};
  }
  return {{"ruleId", finding.rule.ToString()},
          {"ruleIndex", rule_index},
          {"level", LevelOf(finding.severity)},
          {"message", Message(MessageOf(finding, catalogue) + " [" + PlaceText(finding) + "]")},
          {"locations", Json::array({LocationJson(archive, finding)})},
          {"partialFingerprints", {{"pmproofPlace/v1", fingerprints.Of(archive, finding)}}},
          {"occurrenceCount", finding.count},
          {"properties", std::move(properties)}};
}

Json CheckJson(PolicyCheck check) {
  return {{"id", IdOf(check)}, {"shortDescription", Message(TitleOf(check))}};
}

// `physical`: where it lies, the archive or the line of the policy.
Json PolicyResultJson(const PolicyFinding& finding, Json physical) {
  Json location;
  location["physicalLocation"] = std::move(physical);
  return {{"ruleId", IdOf(finding.check)},
          {"level", LevelOf(finding.severity)},
          {"message", Message(finding.message)},
          {"locations", Json::array({std::move(location)})},
          {"properties",
           {{"severity", ToText(finding.severity)},
            {"policy_line", finding.line},
            {"reason", finding.reason}}}};
}

void WritePolicyResults(const Report& report, LongJson& json) {
  if (!report.policy) return;
  for (const PolicyFinding& finding : report.policy->findings) {
    json.Value(
        PolicyResultJson(finding, {{"artifactLocation", {{"uri", PathToUri(report.policy->file)}}},
                                   {"region", {{"startLine", finding.line}}}}));
  }
  for (const ArchiveReport& archive : report.archives) {
    for (const PolicyFinding& finding : archive.unmet) {
      json.Value(
          PolicyResultJson(finding, {{"artifactLocation", {{"uri", PathToUri(archive.archive)}}}}));
    }
  }
}

std::set<PolicyCheck> PolicyChecks(const Report& report) {
  std::set<PolicyCheck> checks;
  if (report.policy) {
    for (const PolicyFinding& finding : report.policy->findings) checks.insert(finding.check);
  }
  for (const ArchiveReport& archive : report.archives) {
    for (const PolicyFinding& finding : archive.unmet) checks.insert(finding.check);
  }
  return checks;
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

void RenderSarif(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                 std::ostream& out) {
  std::map<Clause, std::size_t> positions;  // of the rules that occur, in their order
  for (const ArchiveReport& archive : report.archives) {
    for (const Finding& finding : archive.findings) positions.emplace(finding.rule, 0);
  }
  Json rules = Json::array();
  for (auto& [rule, position] : positions) {
    position = rules.size();
    rules.push_back(RuleJson(rule, catalogue, options.docs));
  }
  for (const PolicyCheck check : PolicyChecks(report)) rules.push_back(CheckJson(check));

  Json driver = {{"name", "pmproof"}, {"version", kVersion}, {"semanticVersion", kVersion}};
  if (!options.docs.empty()) driver["informationUri"] = options.docs + "index.html";
  driver["properties"] = {{"rules", catalogue.digest()}, {"profile", ToText(report.profile)}};
  driver["rules"] = std::move(rules);

  LongJson json(out);
  json.Object();
  json.Members(
      {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}});
  json.Key("runs").Array().Object();
  json.Members({{"tool", {{"driver", std::move(driver)}}},
                {"automationDetails",
                 {{"id", std::string("pmproof check/") + ToText(report.profile) + "/"}}}});
  json.Key("invocations").Array().Object();
  json.Key("executionSuccessful").Value(!HasProblem(report));
  json.Key("toolExecutionNotifications").Array();
  WriteProblems(report, json);
  json.Close().Key("toolConfigurationNotifications").Array();
  WriteLeftOut(report, json);
  json.Close().Close().Close().Key("results").Array();
  Fingerprints fingerprints;
  for (const ArchiveReport& archive : report.archives) {
    for (const Finding& finding : archive.findings) {
      json.Value(ResultJson(archive, finding, positions[finding.rule], catalogue, fingerprints));
    }
  }
  WritePolicyResults(report, json);
  json.Close().Close().Close().Close();
  out << '\n';
}

}  // namespace pmproof::validator

// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "validator/derived_diff/render_derived.h"
#include "validator/rules_diff/comparison_text.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Json OrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json DefinitionJson(const ComparedDefinition& compared) {
  return {{"name", compared.definition.name},
          {"expression", compared.definition.expression},
          {"file", OrNull(compared.origin.file)},
          {"line", compared.origin.file.empty() ? Json(nullptr) : Json(compared.origin.line)}};
}

const char* ToText(DefinitionFinding::Kind kind) {
  switch (kind) {
    case DefinitionFinding::Kind::kRefused:
      return "refused";
    case DefinitionFinding::Kind::kDescriptor:
      return "descriptor";
    case DefinitionFinding::Kind::kValues:
      break;
  }
  return "values";
}

Json FindingJson(const DefinitionFinding& finding, const DerivedComparison& found) {
  Json json = DefinitionJson(found.definitions[finding.definition]);
  json["kind"] = ToText(finding.kind);
  json["clause"] = OrNull(finding.clause);
  json["baseline"] = OrNull(finding.baseline);
  json["candidate"] = OrNull(finding.candidate);
  json["archive"] = finding.archive;
  json["archives"] = finding.archives;
  json["values"] = finding.differing;
  json["time"] = OrNull(finding.time);
  json["instance"] = finding.instance ? Json(*finding.instance) : Json(nullptr);
  return json;
}

}  // namespace

void RenderDerivedJson(const DerivedReport& report, std::ostream& out) {
  const DerivedComparison& found = report.found;
  Json json = {
      {"schema", "pmproof-derive-diff/1"}, {"tool", {{"name", "pmproof"}, {"version", kVersion}}},
      {"baseline", report.baseline},       {"candidate", report.candidate},
      {"archives", found.archives},        {"values", found.values}};
  for (const char* key : {"definitions", "findings", "refused", "unanswered", "errors"}) {
    json[key] = Json::array();
  }
  for (const ComparedDefinition& compared : found.definitions) {
    json["definitions"].push_back(DefinitionJson(compared));
  }
  for (const DefinitionFinding& finding : found.findings) {
    json["findings"].push_back(FindingJson(finding, found));
  }
  for (const std::size_t definition : found.refused) {
    json["refused"].push_back(found.definitions[definition].definition.name);
  }
  for (std::size_t side : {0, 1}) {
    for (const auto& [archive, why] : found.unanswered[side]) {
      json["unanswered"].push_back({{"side", side == 0 ? "baseline" : "candidate"},
                                    {"archive", archive},
                                    {"kind", KindText(why.kind)},
                                    {"reason", why.text}});
    }
  }
  for (const Status& error : found.errors) json["errors"].push_back(StatusJson(error));
  json["footer"] = {{"complete", true}};
  out << DumpJson(json, 2) << '\n';
}

}  // namespace pmproof::validator

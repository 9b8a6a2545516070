// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "validator/bisect/bisect_report.h"
#include "validator/replay/emulated_version.h"
#include "validator/replay/value_text.h"
#include "validator/rules_diff/comparison_text.h"
#include "validator/text/json_text.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Json DeviationsJson(DeviationMask mask) {
  Json names = Json::array();
  for (const auto deviation : DeviationsIn(mask)) names.push_back(ToText(deviation));
  return names;
}

Json VersionJson(const ExplainedVersion& version) {
  Json json = {{"on", DeviationsJson(version.on)},
               {"off", DeviationsJson(version.off)},
               {"undecided", DeviationsJson(version.undecided)}};
  for (const auto& [name, of] : EmulatedVersions()) {
    if (of == version.version) json["version"] = name;
  }
  return json;
}

Json ValueJson(const std::string& value) { return value.empty() ? Json(nullptr) : Json(value); }

Json WitnessJson(const Witness& witness) {
  const Question& question = witness.question;
  const AnswerCell& cell = witness.cell;
  Json json = {{"clause", witness.kind.clause},
               {"semantics", ToText(witness.kind.semantics)},
               {"count", witness.count},
               {"shrunk", witness.shrunk},
               {"archive", question.archive->name()},
               {"generated", question.archive->files() != nullptr},
               {"records", question.archive->log().records().size()},
               {"fetch", cell.fetch},
               {"time", TimeText(TimesOf(question)[cell.fetch])},
               {"metric", nullptr},
               {"instance", nullptr},
               {"expected", ValueJson(witness.expected)},
               {"answered", ValueJson(witness.answered)}};
  if (cell.metric != AnswerCell::kWholeFetch) {
    const auto place = static_cast<std::size_t>(cell.metric);
    json["metric"] = question.archive->NameOf(question.steps[cell.fetch].metrics[place]);
  }
  if (cell.instance >= 0) json["instance"] = cell.instance;
  json["request"] =
      ParseOrderedJson(TesteeRespondent::RequestOf(question, question.archive->name(), "w"));
  return json;
}

}  // namespace

void RenderBisectJson(const BisectReport& report, const HypothesisSpace& space, std::ostream& out) {
  const SearchResult& found = report.found;
  Json json = {{"schema", "pmproof-rules-bisect/1"},
               {"tool", {{"name", "pmproof"}, {"version", kVersion}}},
               {"implementation",
                {{"name", report.implementation.name}, {"summary", report.implementation.summary}}},
               {"behaves_like", nullptr},
               {"archives", report.archives},
               {"questions",
                {{"prepared", report.questions},
                 {"asked", found.asked.size()},
                 {"separating", found.separating}}},
               {"values", {{"compared", found.compared}, {"differing", found.differing}}}};
  json["profiles"] = Json::array();
  json["versions"] = Json::array();
  if (!found.asked.empty()) {
    json["behaves_like"] = HeadlineOf(report, space);
    for (const std::size_t i : found.profiles) {
      json["profiles"].push_back(std::string(space.profiles()[*space[i].profile]->name()));
    }
    for (const ExplainedVersion& version : found.versions) {
      json["versions"].push_back(VersionJson(version));
    }
  }
  json["unanswered"] = Json::array();
  for (const auto& [why, count] : found.unanswered) {
    json["unanswered"].push_back(
        {{"kind", KindText(why.kind)}, {"reason", why.text}, {"questions", count}});
  }
  json["witnesses"] = Json::array();
  for (std::size_t i = 0; i < report.witnesses.size(); ++i) {
    Json witness = WitnessJson(report.witnesses[i]);
    witness["kept"] = i < report.kept.size() ? Json(report.kept[i]) : Json(nullptr);
    json["witnesses"].push_back(std::move(witness));
  }
  json["errors"] = Json::array();
  for (const Status& status : report.unused) json["errors"].push_back(StatusJson(status));
  json["footer"] = {{"complete", true}};
  out << DumpJson(json, 2) << '\n';
}

}  // namespace pmproof::validator

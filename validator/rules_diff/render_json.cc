// SPDX-License-Identifier: Apache-2.0
#include <sstream>
#include <string>
#include <utility>

#include "validator/replay/value_text.h"
#include "validator/rules_diff/comparison_text.h"
#include "validator/rules_diff/render_comparison.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Json ClauseJson(Clause clause) { return clause.empty() ? Json(nullptr) : Json(clause.ToString()); }

const char* NameOf(Difference difference) {
  switch (difference) {
    case Difference::kNumber:
      return "number";
    case Difference::kContent:
      return "content";
    case Difference::kBaselineOnly:
      return "baseline_only";
    case Difference::kCandidateOnly:
      return "candidate_only";
    case Difference::kError:
      return "error";
  }
  return "";
}

// Null where there was nothing to measure. Infinity, beyond a double, becomes null as well.
Json DistanceJson(const Distance& distance, bool any) {
  if (!any) return nullptr;
  return {{"absolute", static_cast<double>(distance.absolute)},
          {"relative", static_cast<double>(distance.relative)}};
}

Json TallyJson(const Tally& tally) {
  return {{"compared", tally.compared},
          {"differing", tally.Differing()},
          {"number", tally.numbers},
          {"content", tally.contents},
          {"baseline_only", tally.baseline_only},
          {"candidate_only", tally.candidate_only},
          {"error", tally.errors},
          {"largest", DistanceJson(tally.largest, tally.measured > 0)},
          {"mean", DistanceJson(tally.Mean(), tally.measured > 0)}};
}

Json GroupsJson(const Comparison& comparison) {
  Json groups = Json::array();
  for (const auto& [key, group] : comparison.groups) {
    groups.push_back({{"semantics", ToText(key.first)},
                      {"type", ToText(key.second)},
                      {"metrics", group.metrics},
                      {"differing_metrics", group.differing_metrics},
                      {"values", TallyJson(group.tally)}});
  }
  return groups;
}

Json ClausesJson(const Comparison& comparison) {
  Json clauses = Json::array();
  for (const auto& [cited, count] : comparison.clauses) {
    clauses.push_back({{"baseline", ClauseJson(cited.first)},
                       {"candidate", ClauseJson(cited.second)},
                       {"differences", count}});
  }
  return clauses;
}

Json SeriesJson(const SeriesName& name) {
  const bool singular = name.instance == kInstanceNull;
  return {{"metric", name.metric},
          {"semantics", ToText(name.descriptor.semantics)},
          {"type", ToText(name.descriptor.type)},
          {"units", ToText(name.descriptor.units)},
          {"instance", singular ? Json(nullptr) : Json(name.instance)},
          {"name", singular ? Json(nullptr) : Json(name.instance_name)}};
}

Json BoundJson(const replay::Bound& bound) {
  using Kind = replay::Bound::Kind;
  Json json = {{"kind", bound.kind == Kind::kNone     ? "none"
                        : bound.kind == Kind::kMark   ? "mark"
                        : bound.kind == Kind::kDamage ? "damage"
                                                      : "value"}};
  if (bound.kind == Kind::kNone) return json;
  json["time"] = TimeText(bound.moment.time);
  json["record"] = bound.moment.record;
  if (bound.IsValue() && IsNumeric(bound.value.type)) json["value"] = ValueText(bound.value);
  return json;
}

Json AnswerJson(const RuleAnswer& answer) {
  const bool value = answer.kind == RuleAnswer::Kind::kValue;
  const bool error = answer.kind == RuleAnswer::Kind::kError;
  Json json = {{"value", value ? Json(answer.text) : Json(nullptr)},
               {"error", error ? Json(answer.text) : Json(nullptr)},
               {"clause", ClauseJson(answer.why)},
               {"prior", nullptr},
               {"next", nullptr}};
  if (answer.bounds) {
    json["prior"] = BoundJson(answer.bounds->prior);
    json["next"] = BoundJson(answer.bounds->next);
  }
  return json;
}

Json ExamplesJson(const Comparison& comparison) {
  Json examples = Json::array();
  for (const Example& example : comparison.examples) {
    examples.push_back({{"time", TimeText(example.time)},
                        {"series", SeriesJson(example.series)},
                        {"difference", NameOf(example.difference)},
                        {"baseline", AnswerJson(example.baseline)},
                        {"candidate", AnswerJson(example.candidate)}});
  }
  return examples;
}

Json MostJson(const Comparison& comparison) {
  Json most = Json::array();
  for (const DifferingSeries& series : comparison.most) {
    most.push_back({{"series", SeriesJson(series.name)},
                    {"differing", series.differing},
                    {"largest", DistanceJson(series.largest, series.measured)},
                    {"worst", TimeText(series.worst)}});
  }
  return most;
}

Json UnansweredJson(const Comparison& comparison) {
  Json unanswered = Json::array();
  const auto add = [&](const char* side, const auto& reasons) {
    for (const auto& [why, count] : reasons) {
      unanswered.push_back({{"side", side},
                            {"outcome", KindText(why.kind)},
                            {"reason", why.text},
                            {"questions", count}});
    }
  };
  add("baseline", comparison.baseline_unanswered);
  add("candidate", comparison.candidate_unanswered);
  return unanswered;
}

Json ExplainedJson(const Comparison& comparison) {
  Json explained = Json::array();
  for (const auto& [by, count] : comparison.explained) {
    Json names = Json::array();
    std::istringstream words(by);
    for (std::string name; words >> name;) names.push_back(name);
    explained.push_back({{"by", std::move(names)}, {"differences", count}});
  }
  Json unknown = Json::array();
  for (const auto& [why, count] : comparison.unexplainable) {
    unknown.push_back({{"reason", why}, {"differences", count}});
  }
  return {{"explained", std::move(explained)}, {"not_looked_at", std::move(unknown)}};
}

Json ArchiveJson(const Comparison& comparison) {
  Json passed_over = Json::array();
  for (const Status& status : comparison.passed_over) passed_over.push_back(StatusJson(status));
  Json json = {{"archive", comparison.archive},
               {"failure", comparison.failure ? StatusJson(*comparison.failure) : Json(nullptr)},
               {"passed_over", std::move(passed_over)},
               {"unknown_metrics", comparison.unknown},
               {"metrics", comparison.metrics},
               {"start", TimeText(comparison.start)},
               {"finish", TimeText(comparison.finish)},
               {"interval", TimeText(Timestamp{} + comparison.interval)},
               {"interval_derived", comparison.interval_derived},
               {"times", comparison.times},
               {"outside", comparison.outside},
               {"unanswered", UnansweredJson(comparison)},
               {"deviations", ExplainedJson(comparison)},
               {"values", TallyJson(comparison.total)},
               {"groups", GroupsJson(comparison)},
               {"clauses", ClausesJson(comparison)},
               {"examples", ExamplesJson(comparison)},
               {"more_examples", comparison.more_examples},
               {"differing_series", comparison.differing_series},
               {"most", MostJson(comparison)}};
  return json;
}

const char* NameOf(SideNote::Kind kind) {
  switch (kind) {
    case SideNote::Kind::kProfile:
      return "profile";
    case SideNote::Kind::kEmulation:
      return "emulation";
    case SideNote::Kind::kImplementation:
      return "implementation";
  }
  return "";
}

Json SideJson(const SideNote& side) {
  Json implementation = nullptr;
  if (side.implementation) {
    implementation = {{"name", side.implementation->name},
                      {"version", side.implementation->version},
                      {"language", side.implementation->language}};
  }
  return {{"kind", NameOf(side.kind)},
          {"name", side.name},
          {"summary", side.summary},
          {"implementation", std::move(implementation)}};
}

}  // namespace

void RenderComparisonJson(const ComparisonReport& report, std::ostream& out) {
  Json archives = Json::array();
  for (const Comparison& comparison : report.archives) archives.push_back(ArchiveJson(comparison));
  Json errors = Json::array();
  for (const Status& error : report.errors) errors.push_back(StatusJson(error));
  const Comparison total = report.Total();
  out << DumpJson(
             {{"schema", "pmproof-rules-diff/1"},
              {"tool", {{"name", "pmproof"}, {"version", kVersion}}},
              {"baseline", SideJson(report.baseline)},
              {"candidate", SideJson(report.candidate)},
              {"explained_by", report.explained_by ? Json(*report.explained_by) : Json(nullptr)},
              {"archives", std::move(archives)},
              {"total",
               {{"values", TallyJson(total.total)},
                {"unanswered", UnansweredJson(total)},
                {"deviations", ExplainedJson(total)},
                {"groups", GroupsJson(total)},
                {"clauses", ClausesJson(total)}}},
              {"errors", std::move(errors)},
              {"footer", {{"complete", true}}}},
             2)
      << '\n';
}

}  // namespace pmproof::validator

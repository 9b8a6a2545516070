// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "validator/against/render_against.h"
#include "validator/check/report/report_json.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator::against {
namespace {

Json TimeJson(const std::optional<Timestamp>& time) {
  return time ? Json(ToEpochText(*time)) : Json(nullptr);
}

const char* VerdictText(const ArchiveReport& archive) {
  if (archive.failure) return "none";
  return archive.conformant ? "conformant" : archive.readable ? "not conformant" : "not readable";
}

Json SideJson(const Report& report, const Totals* totals) {
  Json archives = Json::array();
  for (const ArchiveReport& archive : report.archives) {
    Json findings = Json::array();
    for (const Finding& finding : archive.findings) findings.push_back(FindingJson(finding));
    archives.push_back({{"archive", archive.archive},
                        {"members", archive.members},
                        {"verdict", VerdictText(archive)},
                        {"failure", archive.failure ? StatusJson(*archive.failure) : Json(nullptr)},
                        {"internal_errors", archive.internal_errors},
                        {"version", archive.archive_version},
                        {"start", TimeJson(archive.summary.start)},
                        {"finish", TimeJson(archive.summary.finish)},
                        {"counts", CountsJson(archive.counts)},
                        {"findings", std::move(findings)}});
  }
  Json errors = Json::array();
  for (const Status& error : report.errors) errors.push_back(StatusJson(error));
  Json json = {{"archives", std::move(archives)}, {"errors", std::move(errors)}};
  json["totals"] = totals == nullptr ? Json(nullptr)
                                     : Json({{"records", totals->records},
                                             {"marks", totals->marks},
                                             {"values", totals->values}});
  return json;
}

Json DifferenceJson(const Difference& difference, bool declared) {
  Json examples = Json::array();
  for (const Example& example : difference.examples) {
    examples.push_back({{"time", TimeJson(example.at)},
                        {"item", example.item},
                        {"was", example.was},
                        {"is", example.is}});
  }
  return {{"kind", ToText(difference.kind)},
          {"change", ToText(difference.change)},
          {"declared", declared},
          {"subject", difference.subject},
          {"pmid", difference.pmid ? Json(ToText(*difference.pmid)) : Json(nullptr)},
          {"count", difference.count},
          {"of", difference.of ? Json(*difference.of) : Json(nullptr)},
          {"first", TimeJson(difference.first)},
          {"last", TimeJson(difference.last)},
          {"examples", std::move(examples)}};
}

}  // namespace

void RenderAgainstJson(const AgainstReport& report, const Catalogue& catalogue, std::ostream& out) {
  const Comparison* comparison = report.comparison ? &*report.comparison : nullptr;
  Json allowed = Json::array();
  for (const Kind kind : kKinds) {
    if (report.allowed.kinds.contains(kind)) allowed.push_back(ToText(kind));
  }
  if (report.allowed.added) allowed.push_back("added");
  if (report.allowed.reduce) allowed.push_back("reduce");
  Json reduction(nullptr);
  if (comparison != nullptr && comparison->reduction) {
    const Reduction& reduced = *comparison->reduction;
    reduction = {{"first", TimeJson(reduced.first)},
                 {"last", TimeJson(reduced.last)},
                 {"interval_ns", reduced.interval},
                 {"times", reduced.times},
                 {"as", reduced.as},
                 {"unobserved", reduced.unobserved}};
  }
  LongJson json(out);
  json.Object().Members(
      {{"schema", "pmproof-against/1"},
       {"tool", {{"name", "pmproof"}, {"version", kVersion}, {"rules", catalogue.digest()}}},
       {"outcome", ToText(report.outcome())},
       {"failure", report.failure ? StatusJson(*report.failure) : Json(nullptr)},
       {"allowed", std::move(allowed)},
       {"original", SideJson(report.original, comparison ? &comparison->original : nullptr)},
       {"replacement",
        SideJson(report.replacement, comparison ? &comparison->replacement : nullptr)},
       {"on_both_sides", report.on_both_sides},
       {"metrics", comparison ? Json(comparison->metrics) : Json(nullptr)},
       {"repeated", comparison ? Json(comparison->repeated) : Json(nullptr)},
       {"reduction", std::move(reduction)},
       {"first", TimeJson(comparison ? comparison->first : std::nullopt)},
       {"last", TimeJson(comparison ? comparison->last : std::nullopt)}});
  json.Key("differences").Array();
  if (comparison != nullptr) {
    for (const Difference& difference : comparison->differences) {
      json.Value(DifferenceJson(difference, report.allowed.Covers(difference)));
    }
  }
  json.Close().Close();
  out << '\n';
}

}  // namespace pmproof::validator::against

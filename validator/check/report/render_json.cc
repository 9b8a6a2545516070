// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "validator/check/report/reading_order.h"
#include "validator/check/report/render.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Json TimeJson(const std::optional<Timestamp>& time) {
  return time ? Json(ToEpochText(*time)) : Json(nullptr);
}

Json CountsJson(const Counts& counts) {
  return {{"fatal", counts.fatal},
          {"error", counts.error},
          {"warning", counts.warning},
          {"info", counts.info}};
}

Json SummaryJson(const Summary& summary) {
  return {{"files", summary.files},
          {"bytes", summary.bytes},
          {"records", summary.records},
          {"values", summary.values},
          {"metrics", summary.metrics},
          {"indoms", summary.indoms},
          {"marks", summary.marks},
          {"volumes", summary.volumes},
          {"index_entries", summary.index_entries},
          {"start", TimeJson(summary.start)},
          {"finish", TimeJson(summary.finish)}};
}

Json FindingJson(const Finding& finding) {
  Json json = {{"rule", finding.rule.ToString()},
               {"severity", ToText(finding.severity)},
               {"file", finding.file},
               {"part", PartText(finding.part)},
               {"offset", finding.offset},
               {"length", finding.length},
               {"record", finding.record},
               {"field", finding.field},
               {"actual", finding.actual},
               {"expected", finding.expected},
               {"message", finding.message},
               {"count", finding.count}};
  if (finding.follows) json["follows"] = *finding.follows;
  return json;
}

Json SurvivalJson(const Survival& survival) {
  Json lost = Json::array();
  for (const Survival::Loss& loss : survival.lost) {
    lost.push_back({{"file", loss.file},
                    {"offset", loss.offset},
                    {"length", loss.length > 0 ? Json(loss.length) : Json(nullptr)},
                    {"records", loss.records}});
  }
  return {{"opens", survival.opens},
          {"readable_records", survival.readable},
          {"total_records", survival.total ? Json(*survival.total) : Json(nullptr)},
          {"until", TimeJson(survival.until)},
          {"records_behind", survival.behind},
          {"behind_from", TimeJson(survival.behind_from)},
          {"recorded_until", TimeJson(survival.recorded_until)},
          {"lost", std::move(lost)},
          {"more_lost", survival.more_lost},
          {"next", survival.next}};
}

Json DisclosuresJson(const Disclosures& disclosures) {
  Json fields = Json::array();
  for (const Disclosure& disclosure : disclosures.fields) {
    Json places = Json::array();
    for (const Disclosure::Place& place : disclosure.places) {
      places.push_back({{"file", place.file},
                        {"part", PartText(place.part)},
                        {"offset", place.offset},
                        {"length", place.length}});
    }
    fields.push_back({{"kind", ToText(disclosure.kind)},
                      {"field", disclosure.field},
                      {"example", disclosure.example},
                      {"count", disclosure.count},
                      {"places", std::move(places)}});
  }
  return {{"fields", std::move(fields)}, {"more", disclosures.more}};
}

// All of an archive's report but the findings.
Json ArchiveJson(const ArchiveReport& archive) {
  Json not_checked = Json::array();
  for (const NotChecked& item : archive.not_checked) {
    not_checked.push_back({{"rule", item.what}, {"because", item.because}});
  }
  Json json = {{"archive", archive.archive}};
  if (!archive.members.empty()) json["members"] = archive.members;
  json.update({{"readable", archive.readable},
               {"conformant", archive.conformant},
               {"failure", archive.failure ? StatusJson(*archive.failure) : Json(nullptr)},
               {"internal_errors", archive.internal_errors},
               {"archive_version",
                archive.archive_version > 0 ? Json(archive.archive_version) : Json(nullptr)},
               {"summary", SummaryJson(archive.summary)},
               {"counts", CountsJson(archive.counts)},
               {"survival", archive.survival ? SurvivalJson(*archive.survival) : Json(nullptr)},
               {"not_checked", std::move(not_checked)}});
  if (archive.disclosures) json["disclosures"] = DisclosuresJson(*archive.disclosures);
  return json;
}

Json HeaderJson(const Report& report, const Catalogue& catalogue) {
  return {{"schema", "pmproof-report/1"},
          {"tool", {{"name", "pmproof"}, {"version", kVersion}, {"rules", catalogue.digest()}}},
          {"profile", ToText(report.profile)}};
}

Json ErrorsJson(const Report& report) {
  Json errors = Json::array();
  for (const Status& error : report.errors) errors.push_back(StatusJson(error));
  return errors;
}

Json FooterJson(const Report& report) {
  std::uint64_t conformant = 0;
  std::uint64_t failed = 0;
  Counts counts;
  for (const ArchiveReport& archive : report.archives) {
    failed += archive.failure ? 1 : 0;
    conformant += !archive.failure && archive.conformant ? 1 : 0;
    counts += archive.counts;
  }
  Json rules = Json::array();
  for (const RuleTotal& total : TotalsByRule(report)) {
    rules.push_back({{"rule", total.rule.ToString()},
                     {"severity", ToText(total.severity)},
                     {"findings", total.findings},
                     {"archives", total.archives}});
  }
  return {{"complete", true},
          {"archives", report.archives.size()},
          {"conformant", conformant},
          {"without_verdict", failed},
          {"counts", CountsJson(counts)},
          {"rules", std::move(rules)}};
}

}  // namespace

void RenderJson(const Report& report, const Catalogue& catalogue, std::ostream& out) {
  LongJson json(out);
  json.Object().Members(HeaderJson(report, catalogue)).Key("archives").Array();
  for (const ArchiveReport& archive : report.archives) {
    Json item = ArchiveJson(archive);
    Json& findings = item["findings"] = Json::array();
    for (const Finding& finding : archive.findings) findings.push_back(FindingJson(finding));
    json.Value(item);
  }
  json.Close().Key("errors").Value(ErrorsJson(report)).Key("footer").Value(FooterJson(report));
  json.Close();
  out << '\n';
}

void RenderJsonLines(const Report& report, const Catalogue& catalogue, std::ostream& out) {
  const auto write = [&](const char* type, const Json& json) {
    Json line = {{"type", type}};
    line.update(json);
    out << DumpJson(line, -1) << '\n';
  };
  write("header", HeaderJson(report, catalogue));
  for (const ArchiveReport& archive : report.archives) {
    for (const Finding& finding : archive.findings) {
      Json json = {{"archive", archive.archive}};
      json.update(FindingJson(finding));
      write("finding", json);
    }
    write("archive", ArchiveJson(archive));
  }
  for (const Status& error : report.errors) write("error", StatusJson(error));
  write("footer", FooterJson(report));
}

}  // namespace pmproof::validator

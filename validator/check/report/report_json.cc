// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/report_json.h"

#include <string>
#include <utility>

namespace pmproof::validator {
namespace {

Json TimeJson(const std::optional<Timestamp>& time) {
  return time ? Json(ToEpochText(*time)) : Json(nullptr);
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

}  // namespace

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

Json CountsJson(const Counts& counts) {
  return {{"fatal", counts.fatal},
          {"error", counts.error},
          {"warning", counts.warning},
          {"info", counts.info}};
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
  if (!finding.metric.empty()) json["metric"] = finding.metric;
  if (finding.follows) json["follows"] = *finding.follows;
  if (finding.reclassified) json["reclassified"] = ReclassifiedJson(*finding.reclassified);
  return json;
}

Json ReclassifiedJson(const Reclassified& reclassified) {
  return {{"from", ToText(reclassified.from)},
          {"line", reclassified.line},
          {"reason", reclassified.reason}};
}

Json PolicyFindingsJson(const std::vector<PolicyFinding>& findings) {
  Json list = Json::array();
  for (const PolicyFinding& finding : findings) {
    list.push_back({{"check", IdOf(finding.check)},
                    {"severity", ToText(finding.severity)},
                    {"line", finding.line},
                    {"message", finding.message},
                    {"reason", finding.reason}});
  }
  return list;
}

Json PolicyJson(const PolicyUse& policy) {
  Json entries = Json::array();
  for (const PolicyEntryUse& entry : policy.entries) {
    const bool reclassifies = entry.kind == PolicyEntryUse::Kind::kReclassify;
    Json json = {{"line", entry.line},
                 {"kind", reclassifies ? "reclassify" : "require"},
                 {"what", entry.what},
                 {"reason", entry.reason},
                 {"until", entry.until.empty() ? Json(nullptr) : Json(entry.until)},
                 {"expired", entry.expired},
                 {"archives", entry.archives}};
    if (reclassifies) {
      json.update({{"findings", entry.findings}, {"fatal", entry.fatal}});
    } else {
      json["unmet"] = entry.findings;
    }
    entries.push_back(std::move(json));
  }
  return {{"file", policy.file},
          {"entries", std::move(entries)},
          {"findings", PolicyFindingsJson(policy.findings)}};
}

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
  if (!archive.unmet.empty()) json["unmet"] = PolicyFindingsJson(archive.unmet);
  if (archive.disclosures) json["disclosures"] = DisclosuresJson(*archive.disclosures);
  return json;
}

}  // namespace pmproof::validator

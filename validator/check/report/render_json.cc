// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>
#include <string_view>

#include "validator/check/report/archive_text.h"
#include "validator/check/report/reading_order.h"
#include "validator/check/report/render.h"
#include "validator/check/report/report_json.h"
#include "validator/check/report/triaged_json.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Json HeaderJson(const Report& report, const Catalogue& catalogue) {
  Json json = {
      {"schema", "pmproof-report/1"},
      {"tool", {{"name", "pmproof"}, {"version", kVersion}, {"rules", catalogue.digest()}}},
      {"profile", ToText(report.profile)}};
  if (report.policy) json["policy"] = PolicyJson(*report.policy);
  return json;
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
  Json json = {{"complete", true},
               {"archives", report.archives.size()},
               {"conformant", conformant},
               {"without_verdict", failed},
               {"counts", CountsJson(counts)},
               {"rules", std::move(rules)}};
  if (report.policy) json["policy"] = CountsJson(PolicyCounts(report));
  return json;
}

// The entry at this place of the report, without its findings.
Json EntryJson(const Report& report, std::size_t place, const RenderOptions& options) {
  Json json = ArchiveJson(report.archives[place]);
  if (options.triage != nullptr) json["triage"] = TriageNoteJson((*options.triage)[place]);
  return json;
}

}  // namespace

void RenderJson(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                std::ostream& out) {
  LongJson json(out);
  json.Object().Members(HeaderJson(report, catalogue)).Key("archives").Array();
  for (std::size_t i = 0; i < report.archives.size(); ++i) {
    Json item = EntryJson(report, i, options);
    Json& findings = item["findings"] = Json::array();
    for (const Finding& finding : report.archives[i].findings) {
      findings.push_back(FindingJson(finding));
    }
    json.Value(item);
  }
  json.Close().Key("errors").Value(ErrorsJson(report)).Key("footer").Value(FooterJson(report));
  json.Close();
  out << '\n';
}

void RenderBatch(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                 std::ostream& out) {
  std::string head = DumpJson(HeaderJson(report, catalogue), -1);
  head.pop_back();
  out << head << ",\"archives\":[";
  constexpr std::size_t kPiece = std::size_t{64} << 10;  // of what is written at a time
  std::string batch;
  std::string text;
  for (std::size_t i = 0; i < report.archives.size(); ++i) {
    text += i > 0 ? ",\n" : "\n";
    const std::size_t begin = text.size();
    AppendArchive(report.archives[i], options.triage ? &(*options.triage)[i] : nullptr, &text);
    if (i > 0) batch += ',';
    AppendBatchEntry(report.archives[i], std::string_view(text).substr(begin), &batch);
    if (text.size() < kPiece) continue;
    out << text;
    text.clear();
  }
  out << text;
  out << "\n],\"errors\":" << DumpJson(ErrorsJson(report), -1)
      << ",\"footer\":" << DumpJson(FooterJson(report), -1) << ",\"batch\":[" << batch << "]}\n";
}

void RenderJsonLines(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                     std::ostream& out) {
  const auto write = [&](const char* type, const Json& json) {
    Json line = {{"type", type}};
    line.update(json);
    out << DumpJson(line, -1) << '\n';
  };
  write("header", HeaderJson(report, catalogue));
  for (std::size_t i = 0; i < report.archives.size(); ++i) {
    const ArchiveReport& archive = report.archives[i];
    for (const Finding& finding : archive.findings) {
      Json json = {{"archive", archive.archive}};
      json.update(FindingJson(finding));
      write("finding", json);
    }
    write("archive", EntryJson(report, i, options));
  }
  for (const Status& error : report.errors) write("error", StatusJson(error));
  write("footer", FooterJson(report));
}

}  // namespace pmproof::validator

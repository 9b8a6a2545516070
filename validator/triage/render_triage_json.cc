// SPDX-License-Identifier: Apache-2.0
#include "validator/triage/render_triage.h"

#include <map>
#include <utility>

#include "validator/check/report/report_json.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Json TimeJson(const std::optional<Timestamp>& time) {
  return time ? Json(ToEpochText(*time)) : Json(nullptr);
}

Json TriagedJson(const TriagedArchive& archive) {
  const Summary& summary = archive.summary;
  return {{"archive", archive.name},
          {"condition", ToText(archive.condition)},
          {"why", archive.why},
          {"next", archive.next},
          {"host", archive.host},
          {"archive_version",
           archive.archive_version > 0 ? Json(archive.archive_version) : Json(nullptr)},
          {"files", summary.files},
          {"bytes", summary.bytes},
          {"records", summary.records},
          {"metrics", summary.metrics},
          {"start", TimeJson(summary.start)},
          {"finish", TimeJson(summary.finish)},
          {"counts", CountsJson(archive.counts)}};
}

Json SeamsJson(const Neighbours& directory, const std::vector<Seam>& seams) {
  Json json = Json::array();
  for (const Seam& seam : seams) {
    json.push_back({{"before", directory.members[seam.before].name},
                    {"after", directory.members[seam.after].name},
                    {"from", ToEpochText(seam.from)},
                    {"to", ToEpochText(seam.to)}});
  }
  return json;
}

Json PartialJson(const PartialMetric& metric) {
  Json missing = Json::array();
  for (const auto& [first, last] : metric.missing) missing.push_back({first, last});
  return {{"name", metric.name}, {"missing", std::move(missing)}};
}

Json DirectoryJson(const Neighbours& directory) {
  Json archives = Json::array();
  for (const Neighbour& member : directory.members) archives.push_back(member.name);
  Json hiding = Json::array();
  for (const std::size_t i : directory.hiding) {
    hiding.push_back(
        {{"archive", directory.members[i].name}, {"opens", directory.members[i].opens}});
  }
  Json partial = Json::array();
  for (const PartialMetric& metric : directory.partial) partial.push_back(PartialJson(metric));
  return {{"directory", directory.directory},
          {"archives", std::move(archives)},
          {"gaps", SeamsJson(directory, directory.gaps)},
          {"overlaps", SeamsJson(directory, directory.overlaps)},
          {"hiding", std::move(hiding)},
          {"metrics", directory.metrics},
          {"partial", std::move(partial)}};
}

}  // namespace

void RenderTriageJson(const Triage& triage, const Catalogue& catalogue, std::ostream& out) {
  LongJson json(out);
  json.Object();
  json.Members(
      {{"schema", "pmproof-triage/1"},
       {"tool", {{"name", "pmproof"}, {"version", kVersion}, {"rules", catalogue.digest()}}}});
  json.Key("archives").Array();
  for (const TriagedArchive& archive : triage.archives) json.Value(TriagedJson(archive));
  json.Close().Key("directories").Array();
  for (const Neighbours& directory : triage.directories) json.Value(DirectoryJson(directory));
  json.Close().Key("errors").Array();
  for (const Status& error : triage.errors) json.Value(StatusJson(error));
  json.Close();
  std::map<Condition, std::size_t> counts;
  for (const TriagedArchive& archive : triage.archives) ++counts[archive.condition];
  Json conditions = Json::object();
  for (const Condition condition : kConditions) conditions[ToText(condition)] = counts[condition];
  json.Key("footer").Value({{"complete", true},
                            {"archives", triage.archives.size()},
                            {"conditions", std::move(conditions)}});
  json.Close();
  out << '\n';
}

}  // namespace pmproof::validator

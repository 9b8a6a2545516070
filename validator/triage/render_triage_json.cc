// SPDX-License-Identifier: Apache-2.0
#include "validator/triage/render_triage.h"

#include <map>
#include <utility>

#include "validator/check/report/report_json.h"
#include "validator/check/report/triaged_json.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Json TimeJson(const std::optional<Timestamp>& time) {
  return time ? Json(ToEpochText(*time)) : Json(nullptr);
}

Json ArchiveJson(const TriagedArchive& archive) {
  const Summary& summary = archive.summary;
  Json json = {{"archive", archive.name}};
  json.update(TriagedJson(archive));
  json.update({{"archive_version",
                archive.archive_version > 0 ? Json(archive.archive_version) : Json(nullptr)},
               {"files", summary.files},
               {"bytes", summary.bytes},
               {"records", summary.records},
               {"metrics", summary.metrics},
               {"start", TimeJson(summary.start)},
               {"finish", TimeJson(summary.finish)},
               {"counts", CountsJson(archive.counts)}});
  return json;
}

}  // namespace

void RenderTriageJson(const Triage& triage, const Catalogue& catalogue, std::ostream& out) {
  LongJson json(out);
  json.Object();
  json.Members(
      {{"schema", "pmproof-triage/1"},
       {"tool", {{"name", "pmproof"}, {"version", kVersion}, {"rules", catalogue.digest()}}}});
  json.Key("archives").Array();
  for (const TriagedArchive& archive : triage.archives) json.Value(ArchiveJson(archive));
  json.Close().Key("directories").Array();
  for (const Neighbours& directory : triage.directories) json.Value(NeighboursJson(directory));
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

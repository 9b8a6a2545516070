// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/triaged_json.h"

#include <utility>

#include "validator/check/report/report_json.h"

namespace pmproof::validator {
namespace {

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

}  // namespace

Json TriagedJson(const Triaged& triaged) {
  return {{"condition", ToText(triaged.condition)},
          {"why", triaged.why},
          {"next", triaged.next},
          {"host", triaged.host}};
}

Json NeighboursJson(const Neighbours& directory) {
  Json archives = Json::array();
  for (const Neighbour& member : directory.members) archives.push_back(member.name);
  Json hiding = Json::array();
  for (const std::size_t i : directory.hiding) {
    hiding.push_back(
        {{"archive", directory.members[i].name}, {"opens", directory.members[i].opens}});
  }
  Json partial = Json::array();
  for (const PartialMetric& metric : directory.partial) partial.push_back(PartialJson(metric));
  Json findings = Json::array();
  for (const Finding& finding : directory.findings) findings.push_back(FindingJson(finding));
  return {{"directory", directory.directory},
          {"archives", std::move(archives)},
          {"gaps", SeamsJson(directory, directory.gaps)},
          {"overlaps", SeamsJson(directory, directory.overlaps)},
          {"hiding", std::move(hiding)},
          {"metrics", directory.metrics},
          {"partial", std::move(partial)},
          {"findings", std::move(findings)}};
}

Json TriageNoteJson(const TriageNote& note) {
  if (note.set) return NeighboursJson(*note.set);
  return note.archive ? TriagedJson(*note.archive) : Json(nullptr);
}

}  // namespace pmproof::validator

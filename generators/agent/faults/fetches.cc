#include "generators/agent/faults/fetches.h"

#include <algorithm>

namespace pmproof::generators {

std::size_t Asked(const Request& request) {
  const auto* fetch = request.As<pdu::Fetch>();
  return fetch == nullptr ? 0 : fetch->pmids.size();
}

const MetricModel* OnlyMetric(const Scene& scene, const Request& request) {
  if (Asked(request) != 1) return nullptr;
  return scene.model.FindMetric(request.As<pdu::Fetch>()->pmids[0]);
}

bool OfUnknownAlone(const Scene& scene, const Request& request) {
  return Asked(request) == 1 && IsOwn(scene, request.As<pdu::Fetch>()->pmids[0]) &&
         OnlyMetric(scene, request) == nullptr;
}

bool Fetches(const Scene& scene, const Request& request, const MetricModel* metric) {
  const auto* fetch = request.As<pdu::Fetch>();
  return fetch != nullptr && metric != nullptr &&
         std::ranges::find(fetch->pmids, scene.PmidOf(*metric)) != fetch->pmids.end();
}

bool IsOwn(const Scene& scene, Pmid pmid) { return !pmid.flag() && pmid.domain() == scene.domain; }

void Rewrite(Scene& scene, pdu::InstanceValue& value,
             const std::function<void(pdu::Buffer&)>& edit) {
  scene.bodies.emplace_back(value.body.begin(), value.body.end());
  edit(scene.bodies.back());
  value.body = scene.bodies.back();
}

void Rewrite(Scene& scene, EditableSet& one, const std::function<void(pdu::Buffer&)>& edit) {
  for (pdu::InstanceValue& value : one.values) Rewrite(scene, value, edit);
}

}  // namespace pmproof::generators

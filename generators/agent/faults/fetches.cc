// SPDX-License-Identifier: Apache-2.0
#include "generators/agent/faults/fetches.h"

#include <algorithm>

namespace pmproof::generators {

std::size_t Asked(const Request& request) {
  const auto* fetch = request.As<pdu::Fetch>();
  return fetch == nullptr ? 0 : fetch->pmids.size();
}

const MetricModel* OnlyMetric(const FaultContext& context, const Request& request) {
  if (Asked(request) != 1) return nullptr;
  return context.model.FindMetric(request.As<pdu::Fetch>()->pmids[0]);
}

bool OfUnknownAlone(const FaultContext& context, const Request& request) {
  return Asked(request) == 1 && IsOwn(context, request.As<pdu::Fetch>()->pmids[0]) &&
         OnlyMetric(context, request) == nullptr;
}

bool Fetches(const FaultContext& context, const Request& request, const MetricModel* metric) {
  const auto* fetch = request.As<pdu::Fetch>();
  return fetch != nullptr && metric != nullptr &&
         std::ranges::find(fetch->pmids, context.PmidOf(*metric)) != fetch->pmids.end();
}

bool IsOwn(const FaultContext& context, Pmid pmid) {
  return !pmid.flag() && pmid.domain() == context.domain;
}

void Rewrite(FaultContext& context, pdu::InstanceValue& value,
             const std::function<void(pdu::Buffer&)>& edit) {
  context.bodies.emplace_back(value.body.begin(), value.body.end());
  edit(context.bodies.back());
  value.body = context.bodies.back();
}

void Rewrite(FaultContext& context, EditableSet& one,
             const std::function<void(pdu::Buffer&)>& edit) {
  for (pdu::InstanceValue& value : one.values) Rewrite(context, value, edit);
}

}  // namespace pmproof::generators

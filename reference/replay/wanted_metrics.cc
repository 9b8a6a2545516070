// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/wanted_metrics.h"

namespace pmproof::replay {

WantedMetrics::WantedMetrics(const ReplayArchive& archive, std::span<const Pmid> metrics,
                             const InstanceProfile& instances) {
  for (const Pmid pmid : metrics) {
    const auto known = archive.metrics().find(pmid);
    if (known == archive.metrics().end() || positions_.contains(pmid)) continue;
    if (known->second.descriptor.type == MetricType::kNoSupport) continue;  // INT-405
    const auto position = static_cast<std::uint32_t>(metrics_.size());
    positions_.emplace(pmid, position);
    WantedMetric& metric = metrics_.emplace_back();
    metric.descriptor = known->second.descriptor;
    metric.singular = metric.descriptor.indom.IsNull();
    WantedCell cell{position, metric.descriptor.type, metric.descriptor.semantics, kInstanceNull,
                    nullptr};
    if (metric.singular) {
      metric.instances.push_back(kInstanceNull);
      cells_.push_back(cell);
      continue;
    }
    const ReplayDomain* domain = archive.DomainOf(metric.descriptor.indom);
    if (domain == nullptr) continue;
    const bool lives = domain->large && cell.semantics == Semantics::kDiscrete;
    for (const Candidate& candidate : domain->candidates) {
      if (!instances.Includes(metric.descriptor.indom, candidate.id)) continue;
      metric.instances.push_back(candidate.id);
      cell.instance = candidate.id;
      cell.life = lives ? &candidate : nullptr;
      cells_.push_back(cell);
    }
  }
}

std::optional<std::size_t> WantedMetrics::Find(Pmid pmid) const {
  const auto found = positions_.find(pmid);
  if (found == positions_.end()) return std::nullopt;
  return found->second;
}

}  // namespace pmproof::replay

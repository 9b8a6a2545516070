// SPDX-License-Identifier: Apache-2.0
#include "validator/metrics/metric_list.h"

#include <algorithm>
#include <set>
#include <utility>

#include "reference/archive/instance_domain.h"

namespace pmproof::validator {
namespace {

using replay::Candidate;
using replay::ReplayDomain;

bool IsAtOrBelow(std::string_view name, std::string_view node) {
  return name.starts_with(node) && (name.size() == node.size() || name[node.size()] == '.');
}

// In the order of their last records, so that the domain is walked once.
ListedDomain ListDomain(Indom indom, const ReplayDomain& domain) {
  std::vector<const Candidate*> by_step;
  for (const Candidate& candidate : domain.candidates) by_step.push_back(&candidate);
  std::ranges::stable_sort(by_step, {}, &Candidate::last_step);
  ListedDomain listed{.indom = indom, .instances = {}};
  archive::InstanceCursor cursor(domain.records);
  for (const Candidate* candidate : by_step) {
    cursor.AdvanceToStep(candidate->last_step);
    listed.instances.push_back({candidate->id, cursor.Name(candidate->id).value_or("")});
  }
  std::ranges::sort(listed.instances, {}, &ListedInstance::id);
  return listed;
}

}  // namespace

MetricList ListMetrics(const replay::ReplayArchive& archive,
                       const std::vector<std::string>& names) {
  MetricList list;
  std::vector<bool> known(names.size(), false);
  const auto is_asked_for = [&](std::string_view name) {
    bool found = names.empty();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!IsAtOrBelow(name, names[i])) continue;
      known[i] = true;
      found = true;
    }
    return found;
  };
  std::set<Indom> indoms;
  const auto add = [&](std::string_view name, const replay::ReplayMetric& metric) {
    const ReplayDomain* domain = archive.DomainOf(metric.descriptor.indom);
    list.metrics.push_back(
        {name, metric.descriptor, domain != nullptr ? domain->candidates.size() : 0});
    if (domain != nullptr) indoms.insert(metric.descriptor.indom);
  };
  for (const auto& [pmid, metric] : archive.metrics()) {
    if (metric.names.empty() && names.empty()) add("", metric);
    for (const std::string_view name : metric.names) {
      if (is_asked_for(name)) add(name, metric);
    }
  }
  std::ranges::stable_sort(list.metrics, {}, &ListedMetric::name);
  for (const Indom indom : indoms) {
    list.domains.push_back(ListDomain(indom, *archive.DomainOf(indom)));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!known[i]) list.unknown.push_back(names[i]);
  }
  return list;
}

}  // namespace pmproof::validator

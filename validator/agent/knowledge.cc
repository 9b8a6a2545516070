// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/knowledge.h"

#include <algorithm>

namespace pmproof::validator::agent {
namespace {

// How well a metric serves where any will do: the smaller its values, the better.
int Rank(MetricType type) {
  if (type == MetricType::kString) return 2;
  if (!IsNumeric(type)) return 3;
  return type == MetricType::k32 || type == MetricType::kU32 ? 0 : 1;
}

template <typename Suits>
const KnownMetric* Best(const std::vector<KnownMetric>& metrics, Suits&& suits) {
  const KnownMetric* best = nullptr;
  for (const KnownMetric& metric : metrics) {
    if (!suits(metric)) continue;
    if (best == nullptr || Rank(metric.descriptor.type) < Rank(best->descriptor.type)) {
      best = &metric;
    }
  }
  return best;
}

}  // namespace

std::string KnownMetric::ToText() const {
  const std::string number = pmproof::ToText(pmid);
  return name.empty() ? number : name + " (" + number + ")";
}

const KnownMetric* Knowledge::Find(Pmid pmid) const {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const KnownMetric& metric) { return metric.pmid == pmid; });
  return found == metrics.end() ? nullptr : &*found;
}

bool Knowledge::MayStore(Pmid pmid) const {
  return std::find(storable.begin(), storable.end(), pmid) != storable.end();
}

VerdictOr<void> Knowledge::AnyMetric() const {
  if (!metrics.empty()) return {};
  return Unchecked("no metric of the agent is known; give --pmns FILE or --root NAME");
}

VerdictOr<const KnownMetric*> Knowledge::Singular() const {
  if (const auto any = AnyMetric(); !any) return tl::make_unexpected(any.error());
  const KnownMetric* const best = Best(metrics, [](const KnownMetric& metric) {
    return metric.descriptor.indom.IsNull() && metric.numval == 1;
  });
  if (best != nullptr) return best;
  return Unchecked("no singular metric of the agent has a value");
}

VerdictOr<const KnownMetric*> Knowledge::Instanced(std::size_t count) const {
  if (const auto any = AnyMetric(); !any) return tl::make_unexpected(any.error());
  const KnownMetric* const best = Best(metrics, [&](const KnownMetric& metric) {
    const auto found = instances.find(metric.descriptor.indom);
    return found != instances.end() && found->second.size() >= count && metric.numval > 0 &&
           static_cast<std::size_t>(metric.numval) >= count;
  });
  if (best != nullptr) return best;
  return Unchecked(
      "no metric of the agent has " +
      (count == 1 ? std::string("an instance") : std::to_string(count) + " instances") +
      " with a value");
}

VerdictOr<Pmid> Knowledge::UnusedPmid() const {
  if (!domain_known) return Unchecked("the agent's domain is not known; give --domain N");
  for (std::uint32_t item = 1021; item > 0; --item) {
    const Pmid pmid = Pmid::Of(domain, 4093, item);
    if (Find(pmid) == nullptr) return pmid;
  }
  return Unchecked("no PMID of the agent's domain is free");
}

VerdictOr<Indom> Knowledge::UnusedIndom() const {
  if (!domain_known) return Unchecked("the agent's domain is not known; give --domain N");
  for (std::uint32_t serial = 0x3ffffd; serial > 0; --serial) {
    const Indom indom = Indom::Of(domain, serial);
    if (!instances.contains(indom)) return indom;
  }
  return Unchecked("no instance domain of the agent's domain is free");
}

}  // namespace pmproof::validator::agent

// SPDX-License-Identifier: Apache-2.0
#include "validator/dump/metric_names.h"

#include <string_view>

namespace pmproof::validator {

MetricNames::MetricNames(const archive::Metadata& metadata, const MetricTable& table,
                         Quoting quoting)
    : table_(table), quoting_(quoting) {
  for (const archive::DescRecord& desc : metadata.descs) {
    desc.ForEachName([&](std::string_view name, std::size_t) {
      const auto [entry, added] = names_.try_emplace(desc.descriptor.pmid);
      if (added) AppendQuoted(name, quoting_, &entry->second);
    });
  }
}

NamedMetric& MetricNames::Find(Pmid pmid, Timestamp time) {
  if (!metrics_.empty()) {
    const std::uint32_t guess = metrics_[previous_].next;
    if (metrics_[guess].pmid == pmid) {
      previous_ = guess;
      return metrics_[guess];
    }
  }
  const auto [found, added] =
      index_.try_emplace(pmid.value, static_cast<std::uint32_t>(metrics_.size()));
  if (added) {
    NamedMetric& metric = metrics_.emplace_back();
    metric.pmid = pmid;
    metric.pmid_text = ToText(pmid);
    metric.descriptor = table_.Find(pmid);
    if (const auto name = names_.find(pmid); name != names_.end())
      metric.quoted_name = name->second;
    if (metric.descriptor != nullptr && !metric.descriptor->indom.IsNull()) {
      const Indom indom = metric.descriptor->indom;
      if (const archive::InstanceDomain* domain = table_.FindDomain(indom)) {
        metric.cursor = &cursors_.try_emplace(indom, *domain, time).first->second;
      }
    }
  }
  metrics_[previous_].next = found->second;
  previous_ = found->second;
  return metrics_[found->second];
}

bool MetricNames::Ready(const archive::ValueSet& set, Timestamp time, NamedMetric* metric) {
  const auto same = [&set](const Leads* leads) {
    if (leads == nullptr || leads->words.size() != set.count()) return false;
    std::uint32_t different = 0;
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      std::uint32_t word;
      std::memcpy(&word, set.Pair(i), sizeof word);
      different |= word ^ leads->words[i];
    }
    return different == 0;
  };
  std::uint64_t version = 0;
  if (metric->cursor != nullptr) {
    metric->cursor->AdvanceTo(time);
    version = metric->cursor->version();
  }
  if (metric->domain_version == version && same(metric->leads.get())) return true;
  metric->domain_version = version;
  const auto shared = shared_.find(metric->cursor);
  if (shared == shared_.end() || shared->second.domain_version != version ||
      !same(shared->second.leads.get())) {
    return false;
  }
  metric->leads = shared->second.leads;
  return true;
}

InstanceName MetricNames::NameOf(const NamedMetric& metric, std::int32_t instance) {
  if (metric.cursor == nullptr || !metric.cursor->exists()) return std::nullopt;
  return metric.cursor->Name(instance);
}

}  // namespace pmproof::validator

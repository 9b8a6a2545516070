#include "validator/dump/metric_names.h"

#include <cstring>
#include <optional>
#include <string_view>

namespace pmproof::validator {

MetricNames::MetricNames(const archive::Metadata& metadata, const MetricTable& table, Quoting quoting)
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
  const auto [found, added] = index_.try_emplace(pmid.value, static_cast<std::uint32_t>(metrics_.size()));
  if (added) {
    NamedMetric& metric = metrics_.emplace_back();
    metric.pmid = pmid;
    metric.descriptor = table_.Find(pmid);
    if (const auto name = names_.find(pmid); name != names_.end()) metric.quoted_name = name->second;
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
  bool same = metric->words.size() == set.count();
  if (metric->cursor != nullptr) {
    metric->cursor->AdvanceTo(time);
    same = same && metric->domain_version == metric->cursor->version();
    metric->domain_version = metric->cursor->version();
  }
  for (std::uint32_t i = 0; same && i < set.count(); ++i) {
    same = std::memcmp(&metric->words[i], set.Pair(i), sizeof metric->words[i]) == 0;
  }
  if (same) return true;
  metric->words.resize(set.count());
  for (std::uint32_t i = 0; i < set.count(); ++i) std::memcpy(&metric->words[i], set.Pair(i), sizeof(std::uint32_t));
  return false;
}

std::string MetricNames::QuotedInstance(const NamedMetric& metric, std::int32_t instance) const {
  std::string quoted;
  if (metric.cursor == nullptr || !metric.cursor->exists()) return quoted;
  const std::optional<std::string_view> name = metric.cursor->Name(instance);
  if (name) AppendQuoted(*name, quoting_, &quoted);
  return quoted;
}

}  // namespace pmproof::validator

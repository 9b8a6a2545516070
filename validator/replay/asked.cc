#include "validator/replay/asked.h"

#include <algorithm>

namespace pmproof::validator {

using replay::MetricAnswer;

Asked::Asked(const replay::ReplayArchive& archive, const std::vector<std::string>& metrics,
             const std::vector<std::string>& instances) {
  for (const std::string& name : metrics) {
    AskedMetric& asked = metrics_.emplace_back();
    asked.name = name;
    positions_.emplace_back();
    MetricAnswer& refusal = refusals_.emplace_back();
    const std::optional<Pmid> pmid = archive.Find(name);
    if (!pmid) {
      refusal.status = ErrorCode::kName;
      refusal.message = "the archive has no metric of this name";
      continue;
    }
    asked.descriptor = archive.metrics().at(*pmid).descriptor;
    refusal.pmid = *pmid;
    const Indom indom = asked.descriptor.indom;
    if (!indom.IsNull()) asked.names = NamesOf(archive, indom);
    if (!instances.empty() && asked.names != nullptr) {
      Narrow(indom, instances);
      if (!narrowed_.at(indom)) {
        refusal.status = ErrorCode::kInstance;
        refusal.message = "no instance of it has one of the names given";
        continue;
      }
    }
    const auto known = std::ranges::find(known_, *pmid);
    positions_.back() = static_cast<std::size_t>(known - known_.begin());
    if (known == known_.end()) known_.push_back(*pmid);
  }
}

const replay::InstanceNames* Asked::NamesOf(const replay::ReplayArchive& archive, Indom indom) {
  static const replay::ReplayDomain kNoRecord;
  const replay::ReplayDomain* domain = archive.DomainOf(indom);
  return &names_.try_emplace(indom, domain != nullptr ? *domain : kNoRecord).first->second;
}

void Asked::Narrow(Indom indom, const std::vector<std::string>& instances) {
  if (narrowed_.contains(indom)) return;
  std::vector<std::int32_t> found;
  for (const std::string& name : instances) {
    for (const std::int32_t id : names_.at(indom).Find(name)) found.push_back(id);
  }
  narrowed_[indom] = !found.empty();
  if (!found.empty()) instances_.Add(indom, found);  // the first mention excludes the others
}

replay::FetchAnswer Asked::Complete(const replay::FetchAnswer& fetch) const {
  replay::FetchAnswer complete{fetch.time, fetch.status, {}};
  if (fetch.status != ErrorCode::kOk) return complete;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    complete.metrics.push_back(positions_[i] ? fetch.metrics[*positions_[i]] : refusals_[i]);
  }
  return complete;
}

Deviations Asked::Complete(const Deviations& deviations) const {
  Deviations complete;
  if (deviations.empty()) return complete;
  for (const std::optional<std::size_t> position : positions_) {
    complete.push_back(position ? deviations[*position] : std::vector<DeviatingValue>());
  }
  return complete;
}

}  // namespace pmproof::validator
